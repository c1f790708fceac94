// How an answer to a quiz question is marked: the rules of attnlab/student/quiz.py, rule for rule.

const NUMBER = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\s*\/\s*(\d+\.?\d*))?\s*(%?)$/;
const SHAPE = /^[([]?\s*(-?\d+(?:\s*[\s,;x×*]\s*-?\d+)*)\s*,?\s*[)\]]?$/;
const LOOKALIKES = { "а": "a", "с": "c", "е": "e" }; // Cyrillic letters typed for Latin ones

/**
 * Read an answer.
 * @param {string} kind "number", "shape", "choice" or "several"
 * @param {string} answer
 * @param {Set<string>} letters of the options
 * @returns {number|number[]|string|null} null for what is no answer of that kind
 */
export function parsed(kind, answer, letters) {
  const text = answer.trim().toLowerCase().replaceAll("−", "-").replace(/[.;]+$/, "");
  if (kind === "number") {
    const found = NUMBER.exec(text.replaceAll(",", "."));
    if (!found || (found[2] && Number(found[2]) === 0)) return null;
    return Number(found[1]) / Number(found[2] || 1) / (found[3] ? 100 : 1);
  }
  if (kind === "shape") {
    const found = SHAPE.exec(text);
    return found ? found[1].match(/-?\d+/g).map(Number) : null;
  }
  const chosen = text.replace(/[асе]/g, (letter) => LOOKALIKES[letter]).replace(/[\s,;)(]+/g, "");
  const different = new Set(chosen);
  if (!chosen || [...different].some((letter) => !letters.has(letter))) return null;
  return kind === "choice" && different.size !== 1 ? null : chosen;
}

/**
 * Judge an answer.
 * @param {Object} question as the build wrote it
 * @param {string} answer
 * @returns {{understood: boolean, right: boolean, explained: {letter?: string, right?: boolean, html: string}[]}}
 */
export function judge(question, answer) {
  const letters = new Set(question.options.map((option) => option.letter));
  const given = parsed(question.kind, answer, letters);
  if (given === null) return { understood: false, right: false, explained: [{ html: question.how_html }] };
  const why = { html: question.explanation_html };
  if (question.options.length) {
    const chosen = new Set(given);
    const right = chosen.size === question.right.length && question.right.every((letter) => chosen.has(letter));
    return { understood: true, right, explained: [why, ...eachOption(question, chosen)] };
  }
  const expected = question.kind === "shape" ? question.right : question.right[0];
  if (same(question, given, expected)) return { understood: true, right: true, explained: [why] };
  const slip = question.slips.find((one) => same(question, given, one.value));
  return { understood: true, right: false, explained: [...(slip ? [{ html: slip.why_html }] : []), why] };
}

function same(question, given, value) {
  if (question.kind === "shape") return given.length === value.length && given.every((n, i) => n === value[i]);
  return Math.abs(given - value) <= question.tolerance * (1 + 1e-9);
}

/** Options chosen wrongly or left out first, then the other wrong ones, then the rest. */
function eachOption(question, chosen) {
  const isRight = (option) => question.right.includes(option.letter);
  const wrong = question.options.filter((option) => chosen.has(option.letter) !== isRight(option));
  const others = question.options.filter((option) => !wrong.includes(option));
  const ordered = [...wrong, ...others.filter((option) => !isRight(option)), ...others.filter(isRight)];
  return ordered.map((option) => ({ letter: option.letter, right: isRight(option), html: option.why_html }));
}
