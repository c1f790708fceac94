// Check, from the page's side: limits are counted here, and a check goes on in the next worker after a loss.

/**
 * @typedef {Object} Limits seconds, from the document
 * @property {number} load
 * @property {number} case
 * @property {number} after_timeout
 * @property {number} total
 */

/**
 * Judge a file, or some parts of it.
 * @param {import("./pool.js").Pool} pool
 * @param {{source: string, lab: string, lang: string, parts?: string[]|null}} what
 * @param {Limits} limits
 * @param {function(Object): void} [hear] gets each part as soon as it is judged
 * @returns {Promise<import("./pool.js").Outcome>}
 */
export async function check(pool, what, limits, hear = () => {}) {
  const lost = [];
  const end = Date.now() + limits.total * 1000;
  const limit = (at) => {
    if (at === null || at === "load") return limits.load;
    return lost.some(([, , kind]) => kind === "timeout") ? limits.after_timeout : limits.case;
  };
  for (;;) {
    const outcome = await pool.do(
      { do: "check", ...what, lost },
      { limit, hear: (message) => message.kind === "part" && hear(message.part) },
    );
    if (outcome.kind === "done" && !outcome.value?.report?.functions) return { kind: "failed", text: "" }; // forged
    if (outcome.kind !== "limit" && outcome.kind !== "died") return outcome;
    const at = outcome.at ?? ["load", 0];
    const again = lost.some(([part, number]) => part === at[0] && number === at[1]);
    if (again || Date.now() > end) return { kind: "failed", text: outcome.text ?? "" };
    lost.push([...at, ...(outcome.kind === "limit" ? ["timeout", String(outcome.seconds)] : ["died", reason(outcome.text)])]);
  }
}

/** Say in a word or two why a worker died. */
function reason(text = "") {
  return /memory|allocat|array length/i.test(text) ? "memory" : /exit/i.test(text) ? "exit" : text.slice(0, 80);
}
