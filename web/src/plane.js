// The plane in which a query is dragged among keys: the first two components of each.

import { el, svg } from "./dom.js";
import { say } from "./texts.js";

const SIDE = 280;
const STEP = 0.1; // of an arrow key
const EDGE = 14;

/**
 * @param {{moved: function([number, number]): void, free: function(): void}} tell
 */
export function plane({ moved, free }) {
  const drawing = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "plane", role: "group", "aria-label": say("x_plane") });
  const back = el("button.small", { type: "button", hidden: true, onclick: () => free() }, say("x_free"));
  const caption = el("span");
  const element = el("figure.x-plane", {}, drawing, el("figcaption.quiet", {}, caption, " ", back));
  let reach = 2;
  let query = [0, 0];
  let dragging = false;

  const toScreen = ([x, y]) => [SIDE / 2 + (x / reach) * (SIDE / 2 - EDGE), SIDE / 2 - (y / reach) * (SIDE / 2 - EDGE)];
  const fromEvent = (event) => {
    const frame = drawing.getBoundingClientRect();
    const unit = frame.width / SIDE;
    const x = (((event.clientX - frame.left) / unit - SIDE / 2) / (SIDE / 2 - EDGE)) * reach;
    const y = -(((event.clientY - frame.top) / unit - SIDE / 2) / (SIDE / 2 - EDGE)) * reach;
    const within = (value) => Math.max(-reach, Math.min(reach, value));
    return [within(x), within(y)];
  };
  const place = (at) => {
    query = at;
    handle.setAttribute("transform", `translate(${toScreen(at)})`);
    const [x, y] = toScreen(at);
    arrow.setAttribute("x2", x);
    arrow.setAttribute("y2", y);
    moved(at);
  };

  const keys = svg("g");
  const arrow = svg("line", { x1: SIDE / 2, y1: SIDE / 2, x2: SIDE / 2, y2: SIDE / 2, class: "arrow" });
  const name = svg("text", { y: -12, "text-anchor": "middle", "font-size": 12 });
  const handle = svg(
    "g",
    {
      class: "query", tabindex: 0, role: "slider", "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": 0,
      onkeydown: (event) => {
        const step = { ArrowRight: [STEP, 0], ArrowLeft: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[event.key];
        if (!step) return;
        event.preventDefault();
        const bounded = (value) => Math.max(-reach, Math.min(reach, value));
        place([bounded(query[0] + step[0] * reach), bounded(query[1] + step[1] * reach)]);
      },
    },
    svg("circle", { r: 18, class: "grip" }), svg("circle", { r: 7 }), name,
  );
  drawing.append(
    svg("line", { x1: 0, y1: SIDE / 2, x2: SIDE, y2: SIDE / 2, class: "axis" }),
    svg("line", { x1: SIDE / 2, y1: 0, x2: SIDE / 2, y2: SIDE, class: "axis" }),
    keys, arrow, handle,
  );
  drawing.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    dragging = true;
    drawing.setPointerCapture(event.pointerId);
    place(fromEvent(event));
    handle.focus();
  });
  drawing.addEventListener("pointermove", (event) => {
    if (dragging) place(fromEvent(event));
  });
  for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => (dragging = false));

  return {
    element,
    /** @param {Object} settings @param {Object} view */
    draw(settings, view) {
      if (!dragging) {
        const far = Math.max(0.5, ...[...view.keys, view.query].flat().map(Math.abs));
        if (settings.query === null || far > reach) reach = Math.ceil(2.2 * far) / 2;
        query = view.query;
      }
      back.hidden = settings.query === null;
      caption.textContent = say(settings.d_k > 2 ? "x_drag_part" : "x_drag", { d_k: settings.d_k });
      const strength = (index) => 5 + 9 * (view.row[index] ?? 0);
      keys.replaceChildren(
        ...view.keys.map((key, index) => {
          const [x, y] = toScreen(key);
          const hidden = view.visible?.[index] === false;
          return svg("g", { class: hidden ? "key hidden-key" : "key", transform: `translate(${x} ${y})` },
            svg("circle", { r: strength(index) }),
            svg("text", { x: x > SIDE - 70 ? -strength(index) - 3 : strength(index) + 3, y: 4, "font-size": 11, "text-anchor": x > SIDE - 70 ? "end" : "start" }, settings.tokens[index] ?? ""));
        }),
      );
      const [x, y] = toScreen(query);
      arrow.setAttribute("x2", x);
      arrow.setAttribute("y2", y);
      handle.setAttribute("transform", `translate(${x} ${y})`);
      const word = settings.tokens[settings.token];
      name.textContent = `q: ${word}`;
      handle.setAttribute("aria-label", say("x_query", { token: word }));
      handle.setAttribute("aria-valuetext", query.map((value) => value.toFixed(1)).join(", "));
    },
  };
}
