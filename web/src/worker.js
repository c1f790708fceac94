// Python in a worker of its own: whatever student code does there, the page can end it. Speaks the protocol of pool.js.

import { downloadAll } from "./download.js";

const IDLE = 300; // milliseconds before the rehearsal
const PAGES = 2 ** 30 / 65536; // of memory, as `Limits.memory` of sandbox/limits.py has it

let python = null;
let inside = null;
let rehearsal = 0; // a check of the reference while nobody waits, so that the first real one is as fast as the next

// Student code that asks for more memory gets a MemoryError, as under `attnlab check`, and not the browser's last word.
const { Memory } = WebAssembly;
WebAssembly.Memory = function bounded(descriptor) {
  return new Memory({ ...descriptor, maximum: Math.min(descriptor.maximum ?? PAGES, PAGES) });
};
WebAssembly.Memory.prototype = Memory.prototype;

async function init({ python: where, zip, format, lab, lang, spare }) {
  const stage = (name, loaded = 0, total = 0) => self.postMessage({ kind: "progress", stage: name, loaded, total });
  const base = new URL(where.url, self.location.href).href;
  const here = downloadAll(base, where.files, (loaded, total) => stage("download", loaded, total));
  const archive = fetch(zip).then((response) => {
    if (!response.ok) throw new Error(`attnlab: ${response.status}`);
    return response.arrayBuffer();
  });
  // A file that is missing must end the wait at once: Pyodide itself would go on waiting for it.
  await Promise.race([start(base, where.packages ?? ["numpy"], { archive, format }, lab, stage), here.then(() => new Promise(() => {}))]);
  await here;
  rehearsal = setTimeout(() => inside.rehearse(lang), spare ? 0 : IDLE);
  return { speed: speed(), memory: memory() };
}

async function start(base, packages, { archive, format }, lab, stage) {
  const { loadPyodide } = await import(/* the address is known only to the page */ `${base}pyodide.mjs`);
  python = await loadPyodide({ indexURL: base, stdout: () => {}, stderr: () => {} });
  await python.loadPackage(packages, { messageCallback: () => {}, errorCallback: () => {} });
  for (const name of packages) if (!(name in python.loadedPackages)) throw new Error(`${name} could not be loaded`);
  stage("start");
  python.unpackArchive(await archive, format, { extractDir: sitePackages() });
  inside = python.pyimport("attnlab.web.inside");
  inside.warm(lab);
}

function sitePackages() {
  return python.runPython("import site; site.getsitepackages()[0]");
}

/** Return how many milliseconds a fixed piece of Python takes: limits in seconds are stretched accordingly. */
function speed() {
  const code = "x = 0\nfor i in range(200000):\n    x += i & 3";
  const begin = performance.now();
  python.runPython(code, { globals: python.toPy({}) });
  return performance.now() - begin;
}

function memory() {
  return python._module.HEAPU8.length;
}

/** Load what a source imports beyond NumPy. Where that is not to be had, Python itself says so in the run. */
async function loadWanted(source, cell) {
  const missing = JSON.parse(inside.needs(source, cell ?? null)).filter((name) => !(name in python.loadedPackages));
  if (!missing.length) return;
  try {
    await python.loadPackage(missing, { messageCallback: () => {}, errorCallback: () => {} });
  } catch {
    // without it, then
  }
}

const COMMANDS = {
  init,
  async run({ id, source, lang, cell }) {
    await loadWanted(source, cell);
    const emit = (stream, text) => self.postMessage({ id, kind: "out", stream, text }); // bounded, and in pieces
    return JSON.parse(inside.run(source, lang, cell ?? null, emit));
  },
  async check({ id, source, lab, lang, parts, lost }) {
    await loadWanted(source, null);
    const at = (part, number) => self.postMessage({ id, kind: "at", part, number });
    const done = (text) => self.postMessage({ id, kind: "part", part: JSON.parse(text) });
    return JSON.parse(inside.check(source, lab, lang, JSON.stringify(parts ?? null), JSON.stringify(lost ?? []), at, done));
  },
  explore: ({ source, lang, settings }) => JSON.parse(inside.explore(source, lang, JSON.stringify(settings))),
  async notebook({ source, lab, lang, released }) {
    const response = await fetch(released);
    if (!response.ok) throw Object.assign(new Error(`${released}: ${response.status}`), { name: "PythonError" });
    return JSON.parse(inside.notebook(source, lab, lang, await response.text()));
  },
  source_of: ({ name, data, lab, lang }) => JSON.parse(inside.source_of(name, data, lab, lang)),
};

self.onmessage = async ({ data }) => {
  clearTimeout(rehearsal);
  try {
    const value = await COMMANDS[data.do](data);
    self.postMessage({ id: data.id, kind: "done", value, memory: memory() });
  } catch (error) {
    // A PythonError is a fault of ours. Anything else means that this Python has come to its end.
    const fatal = error?.name !== "PythonError";
    self.postMessage({ id: data.id, kind: "failed", text: String(error?.message ?? error), name: error?.name, fatal });
  }
};
