// What happens on a lesson page: the student's file, its verdicts, and everything the buttons do.

import { el, fromHtml, withCode } from "./dom.js";
import { openEditor } from "./editor.js";
import { showExplorer } from "./explorer.js";
import { fileMenu } from "./files.js";
import { check as judge } from "./judge.js";
import { letKeyboardScroll, wakeCells, wakeExercises } from "./lesson.js";
import { extent, functionAt, functionText, withStubOf } from "./outline.js";
import { Pool } from "./pool.js";
import { showQuiz } from "./quiz.js";
import { ended, runView, showReport } from "./results.js";
import { points, stateOf } from "./state.js";
import { openStore } from "./store.js";
import { say } from "./texts.js";
import { keepForLater } from "./tools.js";
import { buildWork, showChips, showNotice, showPython } from "./work.js";

const DONE = { reset: "done_reset", reset_all: "done_reset_all", import: "done_import" };
const SAVE_AFTER = 250; // milliseconds without a keystroke

/** @param {Object} doc the document that the build wrote into the page */
export function openPage(doc) {
  const page = new Page(doc);
  page.wake();
  return page;
}

class Page {
  constructor(doc) {
    this.doc = doc;
    const root = new URL(doc.base, location.href).pathname;
    this.store = openStore(`attnlab:${root}:${doc.lab}`, (work) => this.#adopt(work));
    const absolute = (address) => new URL(address, location.href).href;
    const setting = {
      worker: absolute(doc.assets.worker),
      python: { ...doc.python, url: absolute(doc.python.url) },
      attnlab: { zip: absolute(doc.assets.zip), format: doc.assets.archive, lab: doc.lab, lang: doc.lang },
    };
    this.pool = new Pool(setting, (state, facts) => this.#showState(state, facts));
  }

  wake() {
    const { doc } = this;
    this.view = buildWork(document.getElementById("work"), {
      run: () => this.runFile(),
      check: () => this.check(null),
      hint: () => this.hint(),
      reset: () => this.offerReset(),
      stop: () => this.pool.stop(),
      retry: () => this.#begin(),
      close: () => this.panel(false),
      openPanel: () => this.panel(true),
    }, fileMenu(this));
    this.editor = openEditor({
      parent: this.view.editor,
      text: this.store.work.code ?? doc.stub,
      label: say("editor"),
      changed: () => this.#changed(),
      moved: () => this.#moved(),
      keys: { "Ctrl-Enter": () => this.runFile(), "Ctrl-Shift-Enter": () => this.check(null) },
    });
    const first = extent(this.text, doc.functions[0]);
    if (first) this.editor.show(first.body, false);
    this.cells = wakeCells(this);
    letKeyboardScroll();
    this.exercises = wakeExercises(this);
    const quiz = document.getElementById("quiz");
    if (quiz && doc.quiz?.length) showQuiz(quiz, doc.quiz, this.store);
    this.#wakeExplorer();
    this.view.results.replaceChildren(el("p.quiet", {}, say("welcome")), el("p.quiet", {}, say("formative")));
    this.#refresh();
    addEventListener("pagehide", () => this.#save());
    document.documentElement.dataset.awake = "true";
    this.#begin();
  }

  /** The student's file. */
  get text() {
    return this.editor.text;
  }

  async #begin() {
    const others = this.doc.labs.map((lab) => lab.name).filter((name) => name !== this.doc.lab);
    this.keepAll ??= this.doc.assets.sw
      ? keepForLater(this.doc.assets.sw, others, () => {
          this.view.kept.textContent = say("kept");
          document.documentElement.dataset.kept = "true";
        })
      : () => {};
    if (await this.pool.open()) {
      this.keepAll();
      this.explorer?.refresh();
    }
  }

  #showState(state, facts) {
    document.documentElement.dataset.python = state;
    showPython(this.view, state, facts);
    const ready = state === "ready";
    for (const button of [this.view.run, this.view.check, ...this.cells, ...this.exercises.map((card) => card.check)]) {
      button.disabled = !ready;
    }
    this.view.stop.disabled = state !== "busy";
  }

  #changed() {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.#save(), SAVE_AFTER);
  }

  #save() {
    clearTimeout(this.saving);
    this.saving = null;
    if (this.text !== (this.store.work.code ?? this.doc.stub)) {
      if (!this.store.keep({ code: this.text })) showNotice(this.view, say("not_kept"));
    }
    this.#refresh();
  }

  /** Another tab has written: show its text, unless this one is being typed in. */
  #adopt(work) {
    if (!this.saving && work.code !== null) this.editor.replace(work.code);
    this.#refresh();
  }

  #moved() {
    cancelAnimationFrame(this.moving);
    this.moving = requestAnimationFrame(() => {
      const now = functionAt(this.text, this.editor.position, this.doc.functions);
      if (now !== this.current) this.#refresh();
    });
  }

  #refresh() {
    const { parts, stub, functions } = this.doc;
    const { verdicts } = this.store.work;
    const text = this.text;
    const states = new Map(parts.map((part) => [part.name, stateOf(part, text, stub, verdicts)]));
    const state = (part) => states.get(part.name);
    this.current = functionAt(text, this.editor.position, functions);
    showChips(this.view, parts, state, points(parts, state, verdicts), (part) => this.open(part.function), this.current);
    for (const card of this.exercises) card.show(state(card.part));
  }

  /** Open or close the panel that the work side is on a phone. @param {boolean} open */
  panel(open) {
    document.body.classList.toggle("work-open", open);
    this.view.offer.setAttribute("aria-expanded", String(open));
    if (!open) this.view.offer.focus();
  }

  /** Show a function in the editor. @param {string} name */
  open(name) {
    this.panel(true);
    const found = extent(this.text, name);
    if (found) this.editor.show(found.body);
    else showNotice(this.view, say("no_function", { name }), [[say("reset_one", { name }), () => this.reset(name)]]);
  }

  /** Show a line of the file. @param {number} line */
  showLine(line) {
    this.panel(true);
    this.editor.showLine(line, true);
  }

  /** Run the whole file. */
  async runFile() {
    const view = runView(this.view.results, (line) => this.showLine(line));
    const outcome = await this.run(null, (message) => view.hear(message));
    view.finish(outcome);
    if (outcome.value?.error?.line) this.editor.showLine(outcome.value.error.line);
  }

  /** Run the file, and a cell of the lesson after it. @param {string|null} cell */
  async run(cell, hear) {
    this.#save();
    this.editor.unmark();
    const request = { do: "run", source: this.text, lang: this.doc.lang, cell };
    return this.pool.do(request, { limit: () => this.doc.limits.run, hear });
  }

  /**
   * Judge the file. @param {string[]|null} parts only these
   * @returns {Promise<Object|null>} the result, null where there is none
   */
  async check(parts) {
    this.#save();
    this.editor.unmark();
    const { lab, lang } = this.doc;
    const source = this.text;
    const begun = performance.now();
    this.view.results.replaceChildren(el("p.quiet", { role: "status" }, say("checking")));
    const sofar = [];
    const hear = (part) => {
      if (sofar.includes(part.part)) return;
      sofar.push(part.part);
      this.view.results.replaceChildren(el("p.quiet", {}, withCode(say("judged", { names: sofar.map((name) => `\`${name}\``).join(", ") }))));
    };
    const outcome = await judge(this.pool, { source, lab, lang, parts }, this.doc.limits, hear);
    if (outcome.kind !== "done") {
      this.view.results.replaceChildren(el("p.note", {}, ended(outcome)));
      document.dispatchEvent(new CustomEvent("attnlab:report", { detail: { ended: ended(outcome) } }));
      return null;
    }
    const result = outcome.value;
    this.#remember(result, source);
    showReport(this.view.results, result, this.doc.parts, parts, (line) => this.showLine(line));
    this.view.results.scrollTop = 0;
    this.view.results.dataset.seconds = ((performance.now() - begun) / 1000).toFixed(3);
    const line = result.problems?.find((problem) => problem.line)?.line;
    if (line && !parts) this.editor.showLine(line);
    for (const card of this.exercises) if (!parts?.includes(card.part.name)) card.forget();
    this.explorer?.refresh();
    document.dispatchEvent(new CustomEvent("attnlab:report", { detail: result.report }));
    return result;
  }

  #remember(result, source) {
    const verdicts = { ...this.store.work.verdicts };
    for (const part of this.doc.parts) {
      const verdict = result.report.functions[part.name];
      if (!verdict) continue;
      verdicts[part.name] = { status: verdict.status, score: verdict.score, text: functionText(source, part.function) };
    }
    this.store.keep({ verdicts });
    this.#refresh();
  }

  /** Show hints for the function under the cursor, or for the first that is not right yet: one level more each time. */
  hint() {
    const { parts, hints } = this.doc;
    const { verdicts } = this.store.work;
    const state = (part) => stateOf(part, this.text, this.doc.stub, verdicts);
    const here = parts.filter((part) => part.function === this.current);
    const part = here.find((one) => state(one) !== "passed") ?? parts.find((one) => state(one) !== "passed") ?? here[0] ?? parts[0];
    const levels = hints[part.name] ?? [];
    const level = Math.min((this.store.work.hints[part.name] ?? 0) + 1, levels.length);
    this.store.keep({ hints: { ...this.store.work.hints, [part.name]: level } });
    const shown = levels.slice(0, level).map((html, index) =>
      el("li", {}, index === level - 1 ? null : el("span.unseen", {}, `${index + 1}. `), fromHtml(html)));
    this.view.results.replaceChildren(
      el("h3", {}, withCode(say("hint_head", { name: part.name, level, levels: levels.length }))),
      el("ol.hints", {}, ...shown),
      level < levels.length ? el("button.small", { type: "button", onclick: () => this.hint() }, say("hint_more")) : "",
    );
    this.view.results.scrollTop = this.view.results.scrollHeight;
  }

  /** Ask what to reset. */
  offerReset() {
    const name = this.current ?? this.doc.functions[0];
    showNotice(this.view, say("reset_what"), [
      [say("reset_one", { name }), () => this.reset(name)],
      [say("reset_all"), () => this.replaceAll(this.doc.stub, "reset_all", "")],
    ]);
    this.view.notice.querySelector("button").focus();
  }

  /** Put one function back to its stub. @param {string} name */
  reset(name) {
    this.replaceAll(withStubOf(this.text, this.doc.stub, name), "reset", name);
    const found = extent(this.text, name);
    if (found) this.editor.show(found.body);
  }

  /**
   * Replace the file, and keep what it was for Undo.
   * @param {string} text @param {"reset"|"reset_all"|"import"} what @param {string} name
   */
  replaceAll(text, what, name) {
    const before = this.text;
    this.editor.replace(text);
    this.store.keep({ undo: { code: before, what }, code: text });
    this.#save();
    this.notice(say(DONE[what], { name }), [[say("undo"), () => this.undo()]]);
    this.view.notice.querySelector("button").focus();
  }

  /** Take back the last reset or import. */
  undo() {
    const { undo } = this.store.work;
    if (!undo) return;
    this.editor.replace(undo.code);
    this.store.keep({ undo: null, code: undo.code });
    this.#save();
    this.notice(say("undone"));
    this.editor.view.focus();
  }

  /** Say something above the editor. */
  notice(sentence, buttons = []) {
    showNotice(this.view, sentence, buttons);
  }

  /** Ask Python for something small. @returns {Promise<*|null>} */
  async ask(request) {
    if (this.pool.state !== "ready" && this.pool.state !== "busy") this.notice(say("wait_for_python"));
    const outcome = await this.pool.do(request, { limit: () => this.doc.limits.run });
    if (outcome.kind === "done") {
      this.view.notice.hidden = true;
      return outcome.value;
    }
    this.notice(ended(outcome));
    return null;
  }

  #wakeExplorer() {
    const place = document.getElementById("explorer");
    if (!place || !this.doc.explorer) return;
    let broken = null; // the source with which Python was lost
    this.explorer = showExplorer(place, this.doc.explorer, async (settings) => {
      if (this.pool.state !== "ready" && this.pool.state !== "busy") return null;
      const source = this.text;
      const ask = (reference) => this.pool.do(
        { do: "explore", source, lang: this.doc.lang, settings: { ...settings, reference } },
        { limit: () => this.doc.limits.case, quiet: true },
      );
      let outcome = await ask(broken === source);
      if (outcome.kind !== "done" && broken !== source) {
        broken = source;
        outcome = await ask(true);
      }
      return outcome.kind === "done" ? outcome.value : null;
    });
  }
}
