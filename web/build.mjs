// Bundles the front end into src/attnlab/web/bundle, where the Python side finds it: `npm ci && npm run build`.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { minify } from "terser";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(here, process.argv[2] ?? "../src/attnlab/web/bundle");
const common = { bundle: true, minify: true, target: ["es2022"], legalComments: "none", logLevel: "warning", charset: "utf8" };
const entry = (name) => join(here, "src", name);

await build({ ...common, entryPoints: [entry("page.js"), entry("worker.js")], format: "esm", outdir: out });
await build({ ...common, entryPoints: [entry("theme.js"), entry("sw.js")], format: "iife", outdir: out });
await build({ ...common, entryPoints: [entry("page.css")], outdir: out });

// esbuild's own minifier is fast; terser takes another three kilobytes off what every reader downloads.
for (const name of ["page.js", "worker.js"]) {
  const options = { module: true, ecma: 2020, compress: { passes: 2 } };
  writeFileSync(join(out, name), `${(await minify(readFileSync(join(out, name), "utf8"), options)).code}\n`);
}

/** One hash over everything that the output is made of; tests/test_web_bundle.py computes the same one. */
function hashOfSources() {
  const names = [...readdirSync(join(here, "src")).map((name) => `src/${name}`), "build.mjs", "package.json", "package-lock.json"];
  const hash = createHash("sha256");
  for (const name of names.sort()) {
    const text = readFileSync(join(here, name), "utf8").replaceAll("\r\n", "\n");
    hash.update(`${name}\n${createHash("sha256").update(text).digest("hex")}\n`);
  }
  return hash.digest("hex");
}

const wanted = JSON.parse(readFileSync(join(here, "package.json"), "utf8")).devDependencies;
writeFileSync(join(out, "bundle.json"), `${JSON.stringify({ sources: hashOfSources(), versions: wanted }, null, 1)}\n`);
