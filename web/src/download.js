// Downloads of a worker: all at once, counted, verified, and kept for the time without network.

/**
 * @typedef {Object} PythonFile
 * @property {string} name
 * @property {number} bytes
 * @property {string} [sha256] in hexadecimal
 */

/** Says which file could not be had. */
export class DownloadFailed extends Error {
  /** @param {string} file @param {string} why */
  constructor(file, why) {
    super(`${file}: ${why}`);
    this.name = "DownloadFailed";
    this.file = file;
  }
}

/**
 * Start all downloads, and let `fetch` hand them out from then on.
 * @param {string} base address of the folder, ending in a slash
 * @param {PythonFile[]} files
 * @param {function(number, number): void} tell (bytes so far, bytes in all)
 * @returns {Promise<void>} fulfilled when every file is here; rejected with DownloadFailed
 */
export function downloadAll(base, files, tell) {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  const expected = new Map(files.map((file) => [new URL(file.name, base).href, file]));
  const under = new Map();
  const loaded = new Map();
  const progress = (name, bytes) => {
    loaded.set(name, bytes);
    tell(Math.min([...loaded.values()].reduce((a, b) => a + b, 0), total), total);
  };
  const network = self.fetch.bind(self);
  for (const [url, file] of expected) under.set(url, download(network, url, file, progress));
  self.fetch = async (request, options) => {
    const url = new URL(request instanceof Request ? request.url : request, base).href;
    const ours = under.get(url);
    under.delete(url); // a body can be read once
    return ours ? (await ours).response : network(request, options);
  };
  return Promise.all([...under.values()].map(async (started) => (await started).complete)).then(() => {});
}

async function download(network, url, file, progress) {
  const integrity = file.sha256 ? { integrity: `sha256-${base64(file.sha256)}` } : {};
  let response;
  try {
    response = await network(url, { credentials: "same-origin", ...integrity });
  } catch (error) {
    throw new DownloadFailed(file.name, error.message);
  }
  if (!response.ok) throw new DownloadFailed(file.name, String(response.status));
  return { response, complete: counted(response.clone(), file, progress) };
}

async function counted(response, file, progress) {
  const reader = response.body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      progress(file.name, Math.min(bytes, file.bytes));
    }
  } catch (error) {
    throw new DownloadFailed(file.name, error.message);
  }
  progress(file.name, file.bytes);
}

/** Turn hexadecimal into base64. */
function base64(hex) {
  return btoa(String.fromCharCode(...hex.match(/../g).map((pair) => parseInt(pair, 16))));
}
