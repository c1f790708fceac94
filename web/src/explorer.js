// The attention explorer: a few words, one query in a plane, and the weights that follow it. Python does the arithmetic.

import { el, fromHtml, svg } from "./dom.js";
import { plane } from "./plane.js";
import { say } from "./texts.js";

const FEWEST = 4;
const MOST = 8;

/**
 * @param {HTMLElement} place
 * @param {{settings: Object, initial: Object, widths: number[]}} start
 * @param {function(Object): Promise<Object|null>} compute asks Python; null when it could not say
 */
export function showExplorer(place, start, compute) {
  let settings = { ...start.settings };
  let view = start.initial;
  const live = el("div.whose.quiet", { role: "status" });
  const tokens = el("div.tokens", { role: "radiogroup", "aria-label": say("x_token") });
  const row = el("div.weights");
  const all = el("div.all");
  const told = el("p.told", { "aria-live": "polite" });
  const map = plane({
    moved: (query) => change({ query }),
    free: () => change({ query: null }),
  });

  let asked = 0;
  let shown = 0;
  let waiting = false;
  const refresh = async () => {
    asked += 1;
    if (waiting) return; // the newest settings are sent once the answer to the last ones is here
    waiting = true;
    while (shown < asked) {
      const number = asked;
      const result = await compute(settings);
      shown = number;
      if (result) view = result;
      draw();
    }
    waiting = false;
  };
  const change = (changes) => {
    settings = { ...settings, ...changes };
    refresh();
  };

  const words = el("input", { type: "text", id: "x-words", value: settings.tokens.join(" "), autocomplete: "off", oninput: () => typed() });
  const complaint = el("span.complaint", { role: "status" });
  const typed = () => {
    const given = words.value.trim().split(/\s+/).filter(Boolean).map((word) => word.slice(0, 14));
    const fits = given.length >= FEWEST && given.length <= MOST;
    complaint.textContent = fits ? "" : say("x_how_many", { count: given.length });
    words.setAttribute("aria-invalid", String(!fits));
    if (fits) change({ tokens: given, token: Math.min(settings.token, given.length - 1) });
  };
  const width = el(
    "select",
    { id: "x-width", onchange: () => change({ d_k: Number(width.value) }) },
    ...start.widths.map((value) => el("option", { value, selected: value === settings.d_k }, String(value))),
  );
  const warmth = el("input", {
    type: "range", id: "x-temperature", min: -2, max: 2, step: 0.25, value: Math.log2(settings.temperature),
    oninput: () => {
      reading.textContent = (2 ** Number(warmth.value)).toFixed(2);
      change({ temperature: 2 ** Number(warmth.value) });
    },
  });
  const reading = el("output", { for: "x-temperature" }, settings.temperature.toFixed(2));
  const box = (name, label) => {
    const input = el("input", { type: "checkbox", "data-setting": name, onchange: () => change({ [name]: input.checked }) });
    input.checked = settings[name];
    return el("label.toggle", {}, input, " ", say(label));
  };

  const draw = () => {
    drawTokens(tokens, settings, (token) => change({ token, query: null }));
    map.draw(settings, view);
    drawRow(row, settings, view);
    all.replaceChildren(matrix(settings, view));
    told.textContent = say("x_told", {
      token: settings.tokens[settings.token],
      first: settings.tokens[largest(view.row)],
      weight: Math.max(...view.row).toFixed(2),
    }) + (view.gate === null || view.gate === undefined ? "" : ` ${say("x_gated", { gate: view.gate.toFixed(2) })}`);
    live.replaceChildren(view.whose === "yours" ? say("x_yours") : fromHtml(view.why_html ?? ""));
  };

  place.replaceChildren(
    el("div.field.wide", {}, el("label", { for: "x-words" }, say("x_words")), words, complaint),
    tokens,
    el("div.controls", {},
      el("div.field", {}, el("label", { for: "x-width" }, "d_k"), width),
      box("scale", "x_scale"), box("mask", "x_mask"), box("gate", "x_gate"),
      el("div.field", {}, el("label", { for: "x-temperature" }, say("x_temperature")), warmth, reading),
      el("button.small", { type: "button", onclick: () => change({ seed: settings.seed + 1, query: null }) }, say("x_seed"))),
    el("div.x-views", {}, map.element, el("div.x-row", {}, row, told)),
    el("details", {}, el("summary", {}, say("x_all")), all),
    live,
  );
  draw();
  return { refresh };
}

function largest(row) {
  return row.indexOf(Math.max(...row));
}

function drawTokens(place, settings, choose) {
  const focused = place.contains(document.activeElement);
  const buttons = settings.tokens.map((word, index) => {
    const chosen = index === settings.token;
    return el("button.token", {
      type: "button", role: "radio", "aria-checked": String(chosen), tabindex: chosen ? 0 : -1,
      onclick: () => choose(index),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        choose((index + step + settings.tokens.length) % settings.tokens.length);
      },
    }, word);
  });
  place.replaceChildren(...buttons);
  if (focused) buttons[settings.token].focus();
}

function drawRow(place, settings, view) {
  const lines = settings.tokens.map((word, index) => {
    const weight = view.row[index] ?? 0;
    const hidden = view.visible?.[index] === false;
    const bar = el("span.bar", {}, el("span.fill", { style: `width:${(100 * weight).toFixed(1)}%` }));
    if (typeof view.gate === "number") bar.append(el("span.through", { style: `width:${(100 * weight * view.gate).toFixed(1)}%` }));
    return el(`div.line${hidden ? ".hidden-key" : ""}`, {}, el("span.word", {}, word), bar, el("span.number", {}, hidden ? "−∞" : weight.toFixed(3)));
  });
  place.replaceChildren(...lines);
}

/** Draw all weights; the chosen row is outlined. */
function matrix(settings, view) {
  const side = 34;
  const left = 92;
  const n = settings.tokens.length;
  const cells = view.weights.flatMap((row, i) =>
    row.flatMap((weight, j) => [
      svg("rect", { x: left + j * side, y: 22 + i * side, width: side, height: side, class: "cell", "fill-opacity": 0.85 * weight },
        svg("title", {}, `${settings.tokens[i]} → ${settings.tokens[j]}: ${weight.toFixed(3)}`)),
      svg("text", { x: left + (j + 0.5) * side, y: 26 + (i + 0.5) * side, "text-anchor": "middle", "font-size": 10 }, weight.toFixed(2)),
    ]),
  );
  const labels = settings.tokens.flatMap((word, i) => [
    svg("text", { x: left - 6, y: 26 + (i + 0.5) * side, "text-anchor": "end", "font-size": 12 }, word),
    svg("text", { x: left + (i + 0.5) * side, y: 15, "text-anchor": "middle", "font-size": 10 }, word.slice(0, 5)),
  ]);
  const chosen = svg("rect", { x: left, y: 22 + settings.token * side, width: n * side, height: side, class: "chosen" });
  const width = left + n * side + 4;
  return svg("svg", { viewBox: `0 0 ${width} ${24 + n * side}`, width, role: "img", "aria-label": say("x_all") }, ...cells, ...labels, chosen);
}
