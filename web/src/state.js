// How far a student is: one state for each part of the lab, from verdicts and from what was changed since.

import { functionText } from "./outline.js";

/**
 * @typedef {Object} Part
 * @property {string} name
 * @property {string} function
 * @property {boolean} bonus
 * @property {number} points
 */

/** The sentence that says each state. */
export const SENTENCES = {
  todo: "state_todo",
  written: "state_written",
  changed: "state_changed",
  passed: "state_passed",
  failed: "state_failed",
  stale: "state_stale",
  error: "state_error",
  timeout: "state_timeout",
  died: "state_died",
  missing: "state_missing",
};

/** @param {string} text */
const tidy = (text) => text.replace(/[ \t]+$/gm, "").trim();

/**
 * Return the state of a part: "todo", "changed" (since its verdict), "passed", "failed" or another outcome.
 * @param {Part} part
 * @param {string} text the file
 * @param {string} stub the file as it was handed out
 * @param {Object} verdicts
 */
export function stateOf(part, text, stub, verdicts) {
  const now = tidy(functionText(text, part.function));
  const verdict = verdicts[part.name];
  if (verdict && tidy(verdict.text) === now) return verdict.status;
  if (now === tidy(functionText(stub, part.function))) return "todo";
  return verdict ? "changed" : "written";
}

/**
 * Return the points of the graded parts and those of the bonus, as far as the verdicts still hold.
 * @param {Part[]} parts
 * @param {function(Part): string} state
 * @param {Object} verdicts
 */
export function points(parts, state, verdicts) {
  const sum = (chosen, of) => Math.round(100 * chosen.reduce((total, part) => total + of(part), 0)) / 100;
  const holds = (part) => !["todo", "changed", "written"].includes(state(part));
  const scored = (part) => (holds(part) ? (verdicts[part.name]?.score ?? 0) : 0);
  const graded = parts.filter((part) => !part.bonus);
  const bonus = parts.filter((part) => part.bonus);
  return {
    score: sum(graded, scored),
    max: sum(graded, (part) => part.points),
    bonus: sum(bonus, scored),
    bonusMax: sum(bonus, (part) => part.points),
  };
}

/** The sign that goes with a state; colour alone would not tell everybody. */
export function sign(state) {
  if (state === "passed") return "✓";
  if (state === "todo" || state === "missing") return "○";
  return state === "changed" || state === "written" ? "•" : "✗";
}
