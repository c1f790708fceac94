// The quiz as forms: every answer is explained at once, and remembered.

import { el, fromHtml } from "./dom.js";
import { judge } from "./quiz-marks.js";
import { say } from "./texts.js";

/**
 * @param {HTMLElement} place
 * @param {Object[]} questions
 * @param {Object} store
 */
export function showQuiz(place, questions, store) {
  const score = el("p.score", { role: "status" });
  const tally = () => {
    const right = questions.filter((question) => store.work.quiz[question.id]?.right).length;
    const given = questions.filter((question) => question.id in store.work.quiz).length;
    score.textContent = given ? say("quiz_score", { right, count: questions.length }) : "";
  };
  const blocks = questions.map((question, index) => block(question, index + 1, questions.length, store, tally));
  place.replaceChildren(...blocks, score);
  tally();
}

function block(question, number, count, store, tally) {
  const before = store.work.quiz[question.id]?.answer ?? "";
  const field = question.options.length ? choices(question, before) : line(question, before);
  const verdict = el("div.verdict", { "aria-live": "polite" });
  const answer = (remember) => {
    const given = field.read();
    const result = judge(question, given);
    showVerdict(verdict, result);
    if (!remember || !result.understood) return;
    store.keep({ quiz: { ...store.work.quiz, [question.id]: { answer: given, right: result.right } } });
    tally();
  };
  const form = el(
    "form.question",
    { "data-question": question.id, novalidate: true, onsubmit: (event) => (event.preventDefault(), answer(true)) },
    el(
      "fieldset",
      {},
      el("legend", {}, el("b", {}, say("quiz_head", { number, count })), " ", fromHtml(question.text_html)),
      el("div.row", {}, field.element, el("button.small", { type: "submit" }, say("quiz_answer"))),
    ),
    verdict,
  );
  if (before) answer(false);
  return form;
}

function line(question, before) {
  const id = `answer-${question.id}`;
  const input = el("input", { id, type: "text", autocomplete: "off", size: "16", value: before });
  input.value = before;
  return {
    element: el("p", {}, el("label", { for: id }, fromHtml(question.how_html)), " ", input),
    read: () => input.value,
  };
}

function choices(question, before) {
  const type = question.kind === "choice" ? "radio" : "checkbox";
  const inputs = question.options.map((option) => {
    const input = el("input", { type, name: question.id, value: option.letter });
    input.checked = before.includes(option.letter);
    return input;
  });
  const labels = question.options.map((option, index) =>
    el("label.option", {}, inputs[index], el("span", {}, `${option.letter}) `, fromHtml(option.text_html))),
  );
  return {
    element: el("div.options", {}, ...labels),
    read: () => inputs.filter((input) => input.checked).map((input) => input.value).join(" "),
  };
}

function showVerdict(place, { understood, right, explained }) {
  place.className = `verdict ${understood ? (right ? "passed" : "failed") : ""}`;
  const head = understood ? [el("p", {}, el("b", {}, right ? `✓ ${say("quiz_right")}` : `✗ ${say("quiz_wrong")}`))] : [];
  const lines = explained.map((one) =>
    el("p", {}, one.letter ? el("b", {}, `${one.letter} ${one.right ? "✓" : "✗"} `) : null, fromHtml(one.html)),
  );
  place.replaceChildren(...head, ...lines);
}
