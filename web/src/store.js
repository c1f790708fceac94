// What a student has done in one lab, kept in this browser; the page works, and says so, where that is forbidden.

/**
 * @typedef {Object} Work
 * @property {string|null} code the student's file; null until something was written
 * @property {{code: string, what: string}|null} undo the text before the last reset or import
 * @property {Object<string, {status: string, score: number, text: string}>} verdicts by part; `text` is the function as judged
 * @property {Object<string, number>} hints by part, how many levels were read
 * @property {Object<string, {answer: string, right: boolean}>} quiz by question
 */

const EMPTY = { code: null, undo: null, verdicts: {}, hints: {}, quiz: {} };

/**
 * @param {string} key
 * @param {function(Work): void} changedElsewhere called when another tab has written
 */
export function openStore(key, changedElsewhere) {
  let work = { ...EMPTY, ...read(key) };
  let kept = true;
  window.addEventListener("storage", (event) => {
    if (event.key !== key || event.newValue === null) return;
    work = { ...EMPTY, ...parsed(event.newValue) };
    changedElsewhere(work);
  });
  return {
    /** @returns {Work} */
    get work() {
      return work;
    },
    /** Whether the last change could be kept. */
    get kept() {
      return kept;
    },
    /** @param {Partial<Work>} changes */
    keep(changes) {
      work = { ...work, ...changes };
      try {
        localStorage.setItem(key, JSON.stringify(work));
        kept = true;
      } catch {
        kept = false;
      }
      return kept;
    },
  };
}

function read(key) {
  try {
    return parsed(localStorage.getItem(key));
  } catch {
    return {};
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text ?? "{}");
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Read one setting of the whole site, such as the theme. */
export function setting(name) {
  try {
    return localStorage.getItem(`attnlab:${name}`);
  } catch {
    return null;
  }
}

/** Keep one setting of the whole site. */
export function keepSetting(name, value) {
  try {
    if (value === null) localStorage.removeItem(`attnlab:${name}`);
    else localStorage.setItem(`attnlab:${name}`, value);
  } catch {
    // the choice then lasts as long as the page
  }
}
