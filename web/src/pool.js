// One Python that works and one that waits warm behind it. Stopping is ending: the one behind steps forward at once.

const SILENCE = 60_000; // milliseconds without a byte or a sign of life after which a start has failed
const TICK = 100;
const BLOATED = 700 << 20; // bytes of memory after which a worker is replaced: it never gives any back
const ORDINARY = 40; // milliseconds that the worker's test loop takes on an ordinary machine
const SLOWEST = 10;

/**
 * @typedef {Object} Outcome
 * @property {"done"|"stopped"|"limit"|"died"|"failed"} kind
 * @property {*} [value]
 * @property {string} [text]
 * @property {[string, number]|null} [at] what was being judged when the worker was lost
 * @property {number} [seconds] the limit that was reached
 */

/**
 * Start a worker under the page's Content-Security-Policy: one that is loaded from an address is under that of its own
 * response, of which a static host sends none.
 */
function under(url) {
  const start = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" }));
  const worker = new Worker(start, { type: "module" });
  worker.addEventListener("message", () => URL.revokeObjectURL(start), { once: true });
  return worker;
}

/** One worker: from its download to its end. */
class Python {
  /** @param {Object} setting @param {function(Object): void} tell */
  constructor(setting, tell, spare = false) {
    this.waiting = new Map();
    this.next = 1;
    this.over = false;
    this.isReady = false;
    this.worker = under(setting.worker);
    this.worker.onmessage = ({ data }) => this.#hear(data, tell);
    this.ready = new Promise((resolve, reject) => {
      this.#watch(reject);
      this.worker.onerror = (event) => {
        event.preventDefault?.();
        this.lose(new Error(event.message || "worker.js"));
        reject(new Error(event.message || "worker.js"));
      };
      this.ask({ do: "init", python: setting.python, ...setting.attnlab, spare }).then((value) => {
        clearInterval(this.clock);
        this.slowness = Math.min(Math.max(value.speed / ORDINARY, 1), SLOWEST);
        this.isReady = true;
        resolve(this);
      }, reject);
    });
    this.ready.catch(() => this.end());
  }

  /** Give up on a start that has fallen silent. */
  #watch(reject) {
    this.heard = Date.now();
    let last = Date.now();
    this.clock = setInterval(() => {
      const now = Date.now();
      if (now - last > 10 * TICK) this.heard += now - last; // the machine slept
      last = now;
      if (now - this.heard > SILENCE) reject(new Error("time-out"));
    }, TICK);
  }

  #hear(data, tell) {
    this.heard = Date.now();
    if (data?.kind === "progress") return tell(data);
    const job = this.waiting.get(data?.id);
    if (!job) return;
    if (data.kind === "done") {
      this.waiting.delete(data.id);
      this.memory = data.memory;
      job.resolve(data.value);
    } else if (data.kind === "failed") {
      this.waiting.delete(data.id);
      job.reject(Object.assign(new Error(data.text), { fatal: data.fatal, file: data.file }));
    } else {
      job.hear?.(data);
    }
  }

  /** @param {Object} message @param {function(Object): void} [hear] */
  ask(message, hear) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, hear });
      this.worker.postMessage({ ...message, id });
    });
  }

  lose(error) {
    for (const job of this.waiting.values()) job.reject(Object.assign(error, { fatal: true }));
    this.waiting.clear();
  }

  end() {
    if (this.over) return;
    this.over = true;
    clearInterval(this.clock);
    this.worker.terminate();
  }
}

/**
 * @typedef {"away"|"download"|"start"|"ready"|"busy"|"failed"} State
 */
export class Pool {
  /**
   * @param {{worker: string, python: Object, attnlab: Object}} setting
   * @param {function(State, Object): void} show called with each change of state
   */
  constructor(setting, show) {
    Object.assign(this, { setting, show, active: null, spare: null, job: null, queue: Promise.resolve() });
    /** @type {State} */
    this.state = "away";
    this.wantsSpare = (navigator.deviceMemory ?? 8) >= 4;
  }

  #be(state, facts = {}) {
    this.state = state;
    this.show(state, facts);
  }

  /** Start, or start again after a failure. @returns {Promise<boolean>} whether Python is ready */
  async open() {
    if (this.active) return this.active.ready.then(() => true, () => false);
    this.#be("download", { loaded: 0, total: 0 });
    const python = new Python(this.setting, (progress) => {
      if (this.active === python && !python.isReady) this.#be(progress.stage, progress);
    });
    return this.#adopt(python);
  }


  async #adopt(python) {
    this.active = python;
    try {
      await python.ready;
    } catch (error) {
      if (this.active === python) {
        this.active = null;
        this.#be("failed", { why: error.message });
      }
      return false;
    }
    if (this.active === python && !this.job) this.#be("ready");
    this.#prepareSpare();
    return true;
  }

  #prepareSpare() {
    if (!this.wantsSpare || this.spare) return;
    const later = window.requestIdleCallback ?? ((task) => setTimeout(task, 300));
    later(() => {
      if (this.spare || !this.active?.isReady) return;
      const spare = new Python(this.setting, () => {}, true);
      this.spare = spare;
      spare.ready.catch(() => {
        if (this.spare === spare) this.spare = null;
      });
    }, { timeout: 3000 });
  }

  /** End the active worker; the spare one steps forward. */
  replace() {
    this.active?.end();
    this.active = null;
    const spare = this.spare;
    this.spare = null;
    if (spare) {
      if (!spare.isReady) this.#be("start");
      return this.#adopt(spare);
    }
    return this.open();
  }

  /** Stop what is going on, if anything is. */
  stop() {
    this.job?.finish({ kind: "stopped" });
  }

  /**
   * Do one thing in Python, after whatever else is going on.
   * @param {Object} request
   * @param {{limit?: function(string|null): number, hear?: function(Object): void, quiet?: boolean}} [options]
   *   `limit(at)`: seconds until the next sign of life from `at`, on an ordinary machine
   * @returns {Promise<Outcome>}
   */
  do(request, options = {}) {
    const result = this.queue.then(() => this.#do(request, options));
    this.queue = result.catch(() => {});
    return result;
  }

  async #do(request, { limit = () => 60, hear = () => {}, quiet = false }) {
    if (!(await this.open())) return { kind: "failed", text: "" };
    const python = this.active;
    let clock;
    const outcome = await new Promise((resolve) => {
      let at = null;
      let seconds = limit(null) * python.slowness;
      let end = Date.now() + seconds * 1000;
      let last = Date.now();
      this.job = { finish: (result) => resolve({ at, ...result }), quiet };
      if (!quiet) this.#be("busy");
      clock = setInterval(() => {
        const now = Date.now();
        if (now - last > 20 * TICK) end += now - last; // the machine slept, or the tab did
        last = now;
        if (now > end) resolve({ kind: "limit", at, seconds: Math.round(seconds) });
      }, TICK);
      python
        .ask(request, (message) => {
          if (message.kind === "at") {
            at = [message.part, message.number];
            seconds = limit(message.part) * python.slowness;
            end = Date.now() + seconds * 1000;
          } else {
            hear(message);
          }
        })
        .then(
          (value) => resolve({ kind: "done", value }),
          (error) => resolve({ kind: error.fatal ? "died" : "failed", text: error.message, at }),
        );
    });
    clearInterval(clock);
    this.job = null;
    const spent = outcome.kind !== "done" || outcome.value?.clean === false || python.memory > BLOATED;
    if (spent) this.replace();
    else if (!quiet) this.#be("ready");
    return outcome;
  }
}
