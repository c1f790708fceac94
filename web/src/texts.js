// Every sentence of the page comes from the catalogues, through the document that the build wrote into the page.

/** @type {Object<string, string>} */
let sentences = {};

/** @param {Object<string, string>} texts by full id, such as "web.page_run" */
export function learn(texts) {
  sentences = texts;
}

/**
 * Return a sentence with its facts filled in.
 * @param {string} id without its prefix: "run" stands for "web.page_run"
 * @param {Object<string, *>} [facts]
 * @returns {string}
 */
export function say(id, facts = {}) {
  const sentence = sentences[`web.page_${id}`];
  if (sentence === undefined) return id;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in facts ? String(facts[name]) : whole));
}
