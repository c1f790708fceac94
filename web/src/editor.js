// The editor: CodeMirror 6 with Python, its colours taken from the page's style sheet so that both themes are one.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword], color: "var(--c-keyword)" },
  { tag: [t.bool, t.null, t.self], color: "var(--c-constant)" },
  { tag: [t.string, t.special(t.string)], color: "var(--c-string)" },
  { tag: t.number, color: "var(--c-number)" },
  { tag: t.comment, color: "var(--c-comment)" },
  { tag: [t.function(t.definition(t.variableName)), t.className], color: "var(--c-name)", fontWeight: "600" },
]);

const markLine = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    if (transaction.docChanged) return Decoration.none;
    for (const effect of transaction.effects) {
      if (!effect.is(markLine)) continue;
      if (effect.value === null) return Decoration.none;
      const line = transaction.state.doc.line(effect.value);
      return Decoration.set([Decoration.line({ class: "cm-wrong" }).range(line.from)]);
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * @param {Object} options
 * @param {HTMLElement} options.parent
 * @param {string} options.text
 * @param {string} options.label for screen readers
 * @param {function(string): void} options.changed
 * @param {function(): void} options.moved the cursor went elsewhere
 * @param {Object<string, function(): void>} options.keys
 */
export function openEditor({ parent, text, label, changed, moved, keys }) {
  const bindings = Object.entries(keys).map(([key, run]) => ({ key, run: () => (run(), true), preventDefault: true }));
  const locked = new Compartment();
  const extensions = [
    lineNumbers(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    EditorState.tabSize.of(4),
    indentUnit.of("    "),
    pythonLanguage, // without its completions, which would get in the way of Tab and Escape
    syntaxHighlighting(COLOURS),
    marked,
    locked.of([]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
    keymap.of([...bindings, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
      if (update.docChanged || update.selectionSet) moved();
    }),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  return {
    view,
    /** @returns {string} */
    get text() {
      return view.state.doc.toString();
    },
    /** @returns {number} */
    get position() {
      return view.state.selection.main.head;
    },
    /** Replace the text; the editor's own undo knows of it. @param {string} next */
    replace(next) {
      if (next !== this.text) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    /** Show a place, and put the cursor at the end of its line. @param {number} from @param {boolean} [focus] */
    show(from, focus = true) {
      const at = view.state.doc.lineAt(Math.min(from, view.state.doc.length)).to;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      if (focus) view.focus();
    },
    /** Show a line and mark it as wrong. @param {number} number @param {boolean} [focus] */
    showLine(number, focus = false) {
      if (number < 1 || number > view.state.doc.lines) return;
      const { from } = view.state.doc.line(number);
      view.dispatch({
        selection: { anchor: from },
        effects: [markLine.of(number), EditorView.scrollIntoView(from, { y: "center" })],
      });
      if (focus) view.focus();
    },
    unmark: () => view.dispatch({ effects: markLine.of(null) }),
  };
}
