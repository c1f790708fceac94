// The line between editor and results, which can be dragged, or moved with the arrow keys.

import { el } from "./dom.js";
import { keepSetting, setting } from "./store.js";
import { say } from "./texts.js";

const LEAST = 15;
const MOST = 85;
const USUAL = 56;

/**
 * @param {HTMLElement} above
 * @param {HTMLElement} below
 * @returns {HTMLElement} the line
 */
export function split(above, below) {
  let share = Number(setting("split")) || USUAL;
  const set = (next) => {
    share = Math.min(Math.max(next, LEAST), MOST);
    above.style.flexBasis = `${share}%`;
    below.style.flexBasis = `${100 - share}%`;
    line.setAttribute("aria-valuenow", String(Math.round(share)));
  };
  const line = el("div.split", {
    role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-label": say("split"),
    "aria-valuemin": LEAST, "aria-valuemax": MOST,
    onkeydown: (event) => {
      const step = { ArrowUp: -4, ArrowDown: 4 }[event.key];
      if (!step) return;
      event.preventDefault();
      set(share + step);
      keepSetting("split", String(share));
    },
    onpointerdown: (event) => line.setPointerCapture(event.pointerId),
    onpointermove: (event) => {
      if (!line.hasPointerCapture(event.pointerId)) return;
      const top = above.getBoundingClientRect().top;
      const bottom = below.getBoundingClientRect().bottom;
      set((100 * (event.clientY - top)) / (bottom - top));
    },
    onpointerup: () => keepSetting("split", String(share)),
  });
  set(share);
  return line;
}
