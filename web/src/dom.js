// Small helpers to make elements; nothing here knows of lessons.

/**
 * Make an element.
 * @param {string} tag with classes, as in "button.quiet.small"
 * @param {Object<string, *>} [attributes] attributes; functions under `onclick` and the like become listeners;
 *   null and false leave an attribute out
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Return a sentence whose `names` are set as code.
 * @param {string} sentence
 * @returns {DocumentFragment}
 */
export function withCode(sentence) {
  const pieces = sentence.split("`");
  const fragment = document.createDocumentFragment();
  if (pieces.length % 2 === 0) {
    fragment.append(sentence);
    return fragment;
  }
  pieces.forEach((piece, index) => fragment.append(index % 2 ? el("code", {}, piece) : piece));
  return fragment;
}

/**
 * Return HTML that our own Python or build made as nodes.
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function fromHtml(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/**
 * Make an element of a drawing.
 * @param {string} tag
 * @param {Object<string, *>} attributes
 * @param {...(Node|string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
