// Work goes out as the .py that `attnlab check` takes, or as a notebook that nbgrader takes, and comes back likewise.

import { el, withCode } from "./dom.js";
import { say } from "./texts.js";

/**
 * Offer a text as a download.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function offer(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * @param {Object} page
 * @returns {HTMLElement} the menu
 */
export function fileMenu(page) {
  const { lab, lang } = page.doc;
  const released = new URL(page.doc.assets.notebook, location.href).href;
  const chooser = el("input", { type: "file", accept: ".py,.ipynb", hidden: true, "aria-hidden": "true", onchange: () => take() });
  const menu = el("details.menu", {}, el("summary.button", {}, say("file")));
  const item = (id, run) => el("button", { type: "button", onclick: () => (menu.removeAttribute("open"), run()) }, withCode(say(id)));
  const take = async () => {
    const file = chooser.files[0];
    chooser.value = "";
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = decoded(bytes);
    if (file.name.toLowerCase().endsWith(".py") && text !== null) page.replaceAll(text.replaceAll("\r\n", "\n"), "import", file.name);
    else {
      const source = await page.ask({ do: "source_of", name: file.name, data: text ?? bytes, lab, lang });
      if (source?.ok) page.replaceAll(source.text.replaceAll("\r\n", "\n"), "import", file.name);
      else if (source) page.notice(source.why);
    }
  };
  const notebook = async () => {
    const made = await page.ask({ do: "notebook", source: page.text, lab, lang, released });
    if (made?.ok) offer(`${lab}.ipynb`, made.text, "application/x-ipynb+json");
    else if (made) page.notice(made.why);
  };
  const list = el(
    "div.items",
    {},
    item("save_py", () => offer(`${lab}.py`, page.text, "text/x-python")),
    item("save_ipynb", notebook),
    item("import", () => chooser.click()),
  );
  menu.append(list);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  return el("span", {}, menu, chooser);
}

function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
