// What comes of Run, Check and Hint, shown under the editor, under a cell of the lesson, or in an exercise's card.

import { el, fromHtml, withCode } from "./dom.js";
import { say } from "./texts.js";

/**
 * A place where a run shows what it prints, draws and returns.
 * @param {HTMLElement} place is emptied
 * @param {function(number): void} [toLine] shows a line of the file
 */
export function runView(place, toLine) {
  const out = el("pre.out", { tabindex: "0", hidden: true });
  const state = el("p.quiet", { role: "status" }, say("running"));
  place.replaceChildren(out, state);
  const print = (stream, text) => {
    const last = out.lastChild;
    if (last?.nodeName === "SPAN" && last.className === stream) last.append(text);
    else out.append(el(`span.${stream}`, {}, text));
    out.hidden = false;
  };
  return {
    /** @param {Object} message of the worker */
    hear(message) {
      if (message.kind !== "out") return;
      if (message.stream === "note") place.insertBefore(el("p.note", {}, String(message.text)), state);
      else print(message.stream === "stderr" ? "stderr" : "stdout", String(message.text));
    },
    /** @param {import("./pool.js").Outcome} outcome */
    finish(outcome) {
      state.remove();
      if (outcome.kind !== "done") {
        place.append(el("p.note", {}, ended(outcome)));
        return;
      }
      const { error, value, html, pictures } = outcome.value;
      for (const picture of pictures ?? []) {
        place.append(el("img", { src: `data:image/png;base64,${picture}`, alt: say("picture") }));
      }
      if (html) place.append(el("div.value", {}, fromHtml(html)));
      else if (value !== null && value !== undefined) place.append(el("pre.out.value", { tabindex: "0" }, value));
      if (error) place.append(errorView(error, toLine));
      if (!error && !place.childElementCount) place.append(el("p.quiet", {}, say("nothing_printed")));
      if (!error && out.hidden && place.childElementCount === 1 && place.firstChild === out) {
        place.replaceChildren(el("p.quiet", {}, say("nothing_printed")));
      }
    },
  };
}

function errorView(error, toLine) {
  const jump = error.line && toLine
    ? el("button.link", { type: "button", onclick: () => toLine(error.line) }, say("line", { line: error.line }))
    : null;
  return el(
    "div.error",
    {},
    el("p", {}, el("b", {}, error.text), jump ? " · " : null, jump),
    error.excerpt ? el("pre.out", { tabindex: "0" }, error.excerpt) : null,
  );
}

/** Say why something ended before its end. @param {import("./pool.js").Outcome} outcome */
export function ended(outcome) {
  if (outcome.kind === "stopped") return say("stopped");
  if (outcome.kind === "limit") return say("limit", { seconds: outcome.seconds });
  if (outcome.kind === "died") return say(/memory|allocat/i.test(outcome.text ?? "") ? "died_memory" : "died");
  return say("broke", { why: (outcome.text ?? "").trim().split("\n").at(-1) }); // of a traceback what it ends with
}

/**
 * Show a report: what is wrong first, what is right folded, what is not begun in one line.
 * @param {HTMLElement} place
 * @param {Object} result of inside.check
 * @param {Object[]} parts of the lab
 * @param {string[]|null} asked the parts that were asked for: others were judged for their sake only
 * @param {function(number): void} toLine
 */
export function showReport(place, result, parts, asked, toLine) {
  const problems = (result.problems ?? []).map((problem) =>
    el(
      "div.error",
      {},
      el("p", {}, fromHtml(problem.html), problem.line ? " · " : null,
        problem.line
          ? el("button.link", { type: "button", onclick: () => toLine(problem.line) }, say("line", { line: problem.line }))
          : null),
    ),
  );
  if (result.unreadable) {
    place.replaceChildren(...problems);
    return;
  }
  const functions = result.report.functions;
  const judged = parts.filter((part) => part.name in functions && (!asked || asked.includes(part.name) || part.name === result.report.root_cause));
  const status = (part) => functions[part.name].status;
  const root = result.report.root_cause;
  const todo = judged.filter((part) => status(part) === "todo");
  const right = judged.filter((part) => status(part) === "passed");
  const wrong = judged.filter((part) => !todo.includes(part) && !right.includes(part));
  wrong.sort((a, b) => (b.name === root) - (a.name === root));
  const card = (part) => fromHtml(result.html[part.name] ?? "");
  const summary = result.summary_html && !asked ? [el("div.summary", {}, fromHtml(result.summary_html))] : [];
  place.replaceChildren(...summary, ...problems, ...wrong.map(card));
  if (todo.length) {
    const names = todo.map((part) => `\`${part.name}\``).join(", ");
    place.append(el("p.quiet", {}, withCode(say("still_todo", { names }))));
  }
  if (right.length === 1 && judged.length === 1) place.append(card(right[0]));
  else if (right.length) {
    const names = right.map((part) => `\`${part.name}\``).join(", ");
    place.append(el("details.right", {}, el("summary", {}, withCode(say("passed_parts", { names }))), ...right.map(card)));
  }
}
