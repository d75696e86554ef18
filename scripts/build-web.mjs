/**
 * Builds dist/page from web/src: index.html and assets, whose names contain a hash of their content, so that browsers may
 * cache them for ever. Needs the installed dependencies only.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "dist", "page");
const assets = join(folder, "assets");

/**
 * The web workers, by name. `new Worker(new URL(WORKER_FILES.name, import.meta.url), { type: "module" })` starts one from
 * any file of the page, because all files are in one folder.
 */
const WORKERS = {
  header: "web/src/userdata/header/worker.ts",
  look: "web/src/look/worker.ts",
};

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  sourcemap: false,
  target: ["es2022", "chrome111", "firefox115", "safari16.4"],
  format: "esm",
  outdir: assets,
  metafile: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  // Relative URLs, so that the page works below any path of a proxy.
  loader: { ".svg": "file", ".bin": "file", ".geojson": "json" },
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  legalComments: "none",
};

/** Maps each entry point to its output file. */
function outputsOf({ metafile }) {
  const pairs = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint, basename(path)]],
  );
  return new Map(pairs);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });

const beside = await build({
  ...common,
  entryPoints: Object.values(WORKERS),
  splitting: true,
  // The NetCDF and HDF5 reader runs in Node as well.
  alias: { "node:zlib": "./web/src/userdata/header/zlib.ts" },
});
const workers = outputsOf(beside);
const addresses = Object.entries(WORKERS).map(([name, source]) => [name, workers.get(source)]);
const page = await build({
  ...common,
  entryPoints: ["web/src/main.tsx"],
  splitting: true,
  define: { WORKER_FILES: JSON.stringify(Object.fromEntries(addresses)) },
});
const styles = await build({ ...common, entryPoints: ["web/src/style/main.css"] });

const main = outputsOf(page).get("web/src/main.tsx");
const style = outputsOf(styles).get("web/src/style/main.css");
// Static imports of the first script are preloaded, so that they are fetched in parallel.
const first = page.metafile.outputs[relative(root, join(assets, main))].imports
  .filter(({ kind }) => kind === "import-statement")
  .map(({ path }) => `<link rel="modulepreload" href="assets/${basename(path)}">`);
const html = readFileSync(join(root, "web", "index.html"), "utf8")
  .replace("MAIN_SCRIPT", `assets/${main}`)
  .replace("MAIN_STYLE", `assets/${style}`)
  .replace("<!-- PRELOADS -->", first.join("\n"));
writeFileSync(join(folder, "index.html"), html);

// Third-party packages in the bundles, for the SBOM, and their licence texts.
const inputs = [page, beside].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const packages = [
  ...new Set(inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
].sort();
writeFileSync(join(folder, "packages.json"), JSON.stringify(packages));
const licences = packages.map((name) => {
  const place = join(root, "node_modules", name);
  const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? "" : readFileSync(join(place, file), "utf8").trim();
  const { version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${text}\n`;
});
// Third-party data in our own files; the first comment of the file names the source.
const outlines = readFileSync(join(root, "web", "src", "place", "ar6-outlines.ts"), "utf8");
const [, notice = ""] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(outlines) ?? [];
licences.push(`${notice.replaceAll(/^ \* ?/gm, "")}\n`);
writeFileSync(join(folder, "licences.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));

// Compressed once with the highest level, not for each request.
for (const name of readdirSync(assets)) {
  const content = readFileSync(join(assets, name));
  writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
}

// The service answers all of these paths with the page.
copyFileSync(join(root, "web", "src", "shell", "paths.json"), join(folder, "paths.json"));
