// The work side of the page as elements: buttons, states, the editor's place, results, and how far Python is.

import { el, withCode } from "./dom.js";
import { split } from "./split.js";
import { SENTENCES, sign } from "./state.js";
import { say } from "./texts.js";

const MEGA = 1_000_000;
const TITLES = { run: "run_title", check: "check_title", hint: "hint_title", reset: "reset_title", stop: "stop_title" };

/**
 * Build the work side.
 * @param {HTMLElement} place the aside
 * @param {Object} act what the buttons do
 * @param {HTMLElement} files the file menu
 */
export function buildWork(place, act, files) {
  const button = (id, run, extra = {}) => el(`button${extra.kind ?? ""}`, {
    type: "button", id: `do-${id}`, onclick: run, disabled: extra.disabled, title: say(TITLES[id]),
    "aria-keyshortcuts": extra.keys,
  }, say(id));
  const run = button("run", act.run, { disabled: true, kind: ".primary", keys: "Control+Enter" });
  const check = button("check", act.check, { disabled: true, kind: ".primary", keys: "Control+Shift+Enter" });
  const hint = button("hint", act.hint);
  const reset = button("reset", act.reset);
  const stop = button("stop", act.stop, { disabled: true, kind: ".stop" });
  const close = el("button.close", { type: "button", onclick: act.close, "aria-label": say("close") }, "✕");
  const chips = el("div.chips", { role: "group", "aria-label": say("functions") });
  const score = el("p.points", { role: "status" });
  const notice = el("div.notice", { role: "status", hidden: true });
  const editor = el("div.editor");
  const results = el("section.results", { tabindex: "0", "aria-live": "polite", "aria-label": say("results") });
  const state = el("span.python", { role: "status" });
  const bar = el("progress", { max: 1, value: 0, hidden: true, "aria-label": say("python_bar") });
  const retry = el("button.small", { type: "button", id: "retry", hidden: true, onclick: act.retry }, say("retry"));
  const kept = el("span.kept");
  place.replaceChildren(
    el("h2.unseen", {}, say("work")),
    el("div.bar", { role: "group", "aria-label": say("work") }, run, check, hint, reset, stop, files, close),
    el("div.progress", {}, chips, score),
    notice,
    editor,
    split(editor, results),
    results,
    el("div.status", {}, state, bar, retry, kept, el("span.keys", {}, say("leave_editor"))),
  );
  const offer = el("button.primary", { type: "button", id: "open-work", "aria-controls": "work", "aria-expanded": "false", onclick: act.openPanel }, say("work"));
  document.body.append(offer);
  return { place, run, check, hint, reset, stop, chips, score, notice, editor, results, state, bar, retry, kept, offer };
}

/** Show how far Python is. @param {Object} parts of buildWork @param {string} state @param {Object} facts */
export function showPython(parts, state, facts) {
  const { bar } = parts;
  parts.state.className = `python ${state}`;
  parts.retry.hidden = state !== "failed";
  bar.hidden = state !== "download" && state !== "start";
  if (state === "download" && facts.total) {
    bar.value = facts.loaded / facts.total;
    const megabytes = (bytes) => (bytes / MEGA).toFixed(1);
    parts.state.textContent = say("python_download", { loaded: megabytes(facts.loaded), total: megabytes(facts.total) });
  } else if (state === "start" || state === "download") {
    bar.removeAttribute("value");
    parts.state.textContent = say("python_start");
  } else if (state === "failed") {
    parts.state.textContent = say("python_failed", { why: facts.why ?? "" });
  } else {
    parts.state.textContent = say(state === "busy" ? "python_busy" : "python_ready");
  }
}

/** Show the parts and the points. */
export function showChips(parts, list, state, points, choose, current) {
  const focused = document.activeElement?.dataset?.part;
  parts.chips.replaceChildren(
    ...list.map((part) => {
      const now = state(part);
      return el(`button.chip.${now}`, {
        type: "button", "data-part": part.name, "data-state": now, title: say(SENTENCES[now]),
        "aria-label": `${part.name}: ${say(SENTENCES[now])}`, "aria-current": part.function === current ? "true" : null,
        onclick: () => choose(part),
      }, el("span", { "aria-hidden": "true" }, sign(now)), ` ${part.name}`);
    }),
  );
  if (focused) parts.chips.querySelector(`[data-part="${focused}"]`)?.focus();
  const { score, max, bonus, bonusMax } = points;
  parts.score.replaceChildren(
    el("progress", { max, value: score, "aria-hidden": "true" }),
    " ",
    say("points", { score, max }),
    bonusMax ? ` · ${say("bonus", { score: bonus, max: bonusMax })}` : "",
  );
}

/** Say something above the editor, with buttons. @param {[string, function(): void][]} [buttons] */
export function showNotice(parts, sentence, buttons = []) {
  parts.notice.hidden = !sentence;
  parts.notice.replaceChildren(
    el("span", {}, withCode(sentence)),
    ...buttons.map(([label, run]) => el("button.small", { type: "button", onclick: run }, withCode(label))),
    el("button.close.small", { type: "button", "aria-label": say("dismiss"), onclick: () => (parts.notice.hidden = true) }, "✕"),
  );
}
