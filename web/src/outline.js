// Where the functions stand in a student's file. Lines only: half-written code has no syntax tree worth the name.

/**
 * Find a top-level function: its decorators, its `def` and everything indented under it.
 * @param {string} text
 * @param {string} name
 * @returns {{from: number, to: number, body: number}|null} offsets, `body` behind the docstring; of several definitions the last, which Python uses
 */
export function extent(text, name) {
  const head = new RegExp(`^(?:async\\s+)?def\\s+${name}\\s*\\(`);
  const lines = text.split("\n");
  const starts = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + 1;
  }
  let at = -1;
  lines.forEach((line, index) => {
    if (head.test(line)) at = index;
  });
  if (at < 0) return null;
  let first = at;
  while (first > 0 && lines[first - 1].startsWith("@")) first -= 1;
  let last = at;
  let open = depth(lines[at]);
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index];
    if (open <= 0 && line.trim() !== "" && !/^[\s#]/.test(line)) break;
    if (line.trim() !== "" && !/^#/.test(line)) last = index;
    open += open > 0 ? depth(line) : 0;
  }
  return { from: starts[first], to: starts[last] + lines[last].length, body: starts[bodyLine(lines, at, last)] };
}

/** Return the first line of a function behind its docstring: where there is something to write. */
function bodyLine(lines, at, last) {
  let line = at;
  for (let open = depth(lines[at]); open > 0 && line < last; open += depth(lines[line])) line += 1;
  line = Math.min(line + 1, last);
  const quote = /^\s*[rR]?("""|''')/.exec(lines[line])?.[1];
  if (!quote) return line;
  if (lines[line].trim().slice(3).includes(quote)) return Math.min(line + 1, last);
  while (line < last && !lines[line + 1].includes(quote)) line += 1;
  return Math.min(line + 2, last);
}

/** Count brackets that a line of a signature leaves open. */
function depth(line) {
  const code = line.replace(/#.*$/, "").replace(/(["'])(?:\\.|(?!\1).)*\1/g, "");
  return (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length;
}

/**
 * Return the text of a function, "" where there is none.
 * @param {string} text
 * @param {string} name
 */
export function functionText(text, name) {
  const found = extent(text, name);
  return found ? text.slice(found.from, found.to) : "";
}

/**
 * Return the name among `names` in whose function a position lies, or the nearest one above it.
 * @param {string} text
 * @param {number} position
 * @param {string[]} names
 * @returns {string|null}
 */
export function functionAt(text, position, names) {
  let best = null;
  let from = -1;
  for (const name of names) {
    const found = extent(text, name);
    if (found && found.from <= position && found.from > from) {
      best = name;
      from = found.from;
    }
  }
  return best;
}

/**
 * Put the stub of a function in place of what the student made of it.
 * @param {string} text
 * @param {string} stub the whole stub file
 * @param {string} name
 */
export function withStubOf(text, stub, name) {
  const fresh = functionText(stub, name);
  const found = extent(text, name);
  if (found) return text.slice(0, found.from) + fresh + text.slice(found.to);
  return `${text.replace(/\s*$/, "")}\n\n\n${fresh}\n`;
}
