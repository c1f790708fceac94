// A lesson page comes to life. The lesson itself is complete without this.

import { el } from "./dom.js";
import { openPage } from "./student.js";
import { learn } from "./texts.js";
import { themeButton } from "./tools.js";

const embedded = document.getElementById("attnlab");
const doc = embedded ? JSON.parse(embedded.textContent) : null;
learn(doc?.texts ?? {});
const tools = document.getElementById("tools") ?? document.getElementById("top")?.appendChild(el("div", { id: "tools" }));
if (doc?.texts) tools?.append(themeButton());
if (doc?.lab && document.getElementById("work")) {
  // The lesson is painted first; everything else may wait for that.
  requestAnimationFrame(() => setTimeout(() => openPage(doc)));
}
