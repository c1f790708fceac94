// Keeps the site for the time without network. The build writes `self.ATTNLAB = {version, files}` before this text.

const { files } = self.ATTNLAB;
const root = new URL("./", self.location.href).href;
const store = `attnlab ${root}`;
const listed = new Map(files.map((file) => [root + file.name, file]));
const PATIENCE = 4000; // milliseconds for a page over a poor network before the kept one is shown

/** A file is kept under its address and its hash, so that what has not changed survives an update. */
const key = (file) => `${root + file.name}?kept=${file.hash}`;

async function keep(file) {
  const cache = await caches.open(store);
  if (await cache.match(key(file))) return;
  const response = await fetch(root + file.name + (file.name.startsWith("assets/") ? `?v=${file.hash}` : ""));
  if (!response.ok) throw new Error(`${file.name}: ${response.status}`);
  await cache.put(key(file), response);
}

async function keepAll(chosen) {
  const results = await Promise.allSettled(chosen.map(keep));
  return results.every((result) => result.status === "fulfilled");
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll(files.filter((file) => /^assets\/[\w.]+\.(?:js|css)$/.test(file.name))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(store);
      const wanted = new Set(files.map(key));
      for (const request of await cache.keys()) {
        if (request.url.includes("?kept=") && !wanted.has(request.url)) await cache.delete(request);
      }
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  if (event.data?.do !== "keep") return;
  event.waitUntil(
    (async () => {
      const others = event.data.others.flatMap((lab) => [
        `en/${lab}/`, `ru/${lab}/`, `assets/attnlab-${lab}-`, `assets/notebook-${lab}-`, `assets/pictures/${lab}-`,
      ]);
      const wanted = (file) => !file.lazy && !others.some((start) => file.name.startsWith(start));
      const all = await keepAll(files.filter(wanted));
      event.source?.postMessage({ kind: "kept", all });
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(root)) return;
  const address = url.origin + url.pathname;
  const file = listed.get(address.endsWith("/") ? `${address}index.html` : address);
  if (!file) return;
  const version = url.searchParams.get("v");
  if (request.mode === "navigate") event.respondWith(page(request, file));
  else if (version === null || version === file.hash) event.respondWith(kept(request, file));
});

/** Pages come from the network where there is one: they name the assets that go with them. */
async function page(request, file) {
  const cache = await caches.open(store);
  const before = await cache.match(key(file));
  const late = new Promise((resolve) => before && setTimeout(resolve, PATIENCE, before.clone()));
  try {
    return await Promise.race([fetch(request), late]);
  } catch {
    return before ?? Response.error();
  }
}

async function kept(request, file) {
  const cache = await caches.open(store);
  const before = await cache.match(key(file));
  if (before) return before;
  const response = await fetch(request);
  if (response.ok) await cache.put(key(file), response.clone());
  return response;
}
