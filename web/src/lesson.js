// What the lesson gains once scripts run: cells that can be run, and cards that lead to the editor.

import { el, fromHtml, withCode } from "./dom.js";
import { runView } from "./results.js";
import { SENTENCES, sign } from "./state.js";
import { say } from "./texts.js";

/**
 * Give each cell of the lesson a button that runs it with the student's functions.
 * @param {Object} page
 */
export function wakeCells(page) {
  const buttons = [];
  for (const figure of document.querySelectorAll("#lesson figure.cell")) {
    const name = figure.dataset.cell;
    const code = page.doc.cells?.[name] ?? figure.querySelector("pre.code")?.textContent ?? "";
    const baked = figure.querySelector(".baked");
    const place = el("div.cell-out", { hidden: true, "aria-live": "polite" });
    const button = el("button.small.run", { type: "button", disabled: true, onclick: () => run() }, say("run_cell"));
    const run = async () => {
      place.hidden = false;
      if (baked) baked.hidden = true;
      const view = runView(place, (line) => page.showLine(line));
      view.finish(await page.run(code, (message) => view.hear(message)));
    };
    figure.append(el("div.cell-bar", {}, button), place);
    buttons.push(button);
  }
  return buttons;
}

/** Let the keyboard reach whatever is wider than its place, and nothing else: not every browser does so itself. */
export function letKeyboardScroll() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const place of document.querySelectorAll("#lesson :is(pre, .table, .math.block, p, td)")) observer.observe(place);
}

/**
 * Give each exercise its card: its state, the way to the editor, and its own check.
 * @param {Object} page
 */
export function wakeExercises(page) {
  const cards = [];
  for (const block of document.querySelectorAll("#lesson .exercise")) {
    const part = page.doc.parts.find((one) => one.name === (block.dataset.part ?? block.dataset.function));
    if (!part) continue;
    const state = el("span.state", { role: "status" });
    const place = el("div.card", { "aria-live": "polite" });
    const check = el("button.small", { type: "button", disabled: true, onclick: () => go() }, say("check"));
    const open = el("button.small.primary", { type: "button", onclick: () => page.open(part.function) }, say("open"));
    const go = async () => {
      place.replaceChildren(el("p.quiet", {}, say("checking")));
      const result = await page.check([part.name]);
      if (!result) place.replaceChildren();
      else if (result.unreadable) place.replaceChildren(...result.problems.map((problem) => el("p.error", {}, fromHtml(problem.html))));
      else place.replaceChildren(fromHtml(result.html[part.name] ?? ""));
    };
    block.append(el("div.row", {}, open, check, state), place);
    cards.push({ part, check, show: (now) => showState(state, now), forget: () => place.replaceChildren() });
  }
  return cards;
}

function showState(place, state) {
  place.className = `state ${state}`;
  place.replaceChildren(sign(state), " ", withCode(say(SENTENCES[state])));
}
