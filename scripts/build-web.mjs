/**
 * Builds the page: web/src -> dist/page with index.html and assets, and the files of Swagger UI in dist/page/docs. Asset names contain a hash of the content, so browsers
 * can cache them forever. Needs the development dependencies only.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "dist", "page");
const assets = join(folder, "assets");

/**
 * Web workers by name. Any file of the page can start one, since all are built into one folder:
 * `new Worker(new URL(WORKER_FILES.name, import.meta.url), { type: "module" })`.
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
  // Relative addresses, so that the page works below any proxy path.
  loader: { ".svg": "file", ".bin": "file", ".geojson": "json", ".woff2": "file" },
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  legalComments: "none",
};

/**
 * Puts all modules of the first view into one file. esbuild makes a chunk of the modules that the same entry points
 * reach, and each lazily loaded module is an entry point. When all of those import the first view, they all reach the
 * same of its modules: one chunk instead of some forty, which together are a fifth larger.
 */
const oneFirstFile = {
  name: "one-first-file",
  setup({ onLoad, onResolve }) {
    const FIRST = JSON.stringify(join(root, "web/src/shell/frame.tsx"));
    const namespace = "lazy";
    onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      return { path: join(resolveDir, path.replace(/\.js$/, "")), namespace };
    });
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `import ${FIRST}; export * from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
  },
};

const views = readFileSync(join(root, "web", "src", "shell", "views.ts"), "utf8");
const { code } = await transform(views, { loader: "ts" });
const { VIEWS } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

/** Makes the module `views:loaders` of the table of views. */
const viewLoaders = {
  name: "view-loaders",
  setup({ onLoad, onResolve }) {
    const loaders = Object.entries(VIEWS).map(([name, { component }]) => {
      const [file, exported] = component.split("#");
      return `${JSON.stringify(name)}: async () => (await import("./${file}")).${exported}`;
    });
    onResolve({ filter: /^views:loaders$/ }, ({ path }) => ({ path, namespace: "views" }));
    onLoad({ filter: /./, namespace: "views" }, () => ({
      contents: `export const LOADERS = { ${loaders.join(", ")} };`,
      resolveDir: join(root, "web", "src"),
    }));
  },
};

/** Built file name by source path. */
function outputsOf({ metafile }) {
  const pairs = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint, basename(path)]],
  );
  return new Map(pairs);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });

const workerBuild = await build({
  ...common,
  entryPoints: Object.values(WORKERS),
  splitting: true,
  // The reader of NetCDF and HDF5 is shared with the service, where it uses node:zlib.
  alias: { "node:zlib": "./web/src/userdata/header/zlib.ts" },
});
const workers = outputsOf(workerBuild);
const addresses = Object.entries(WORKERS).map(([name, source]) => [name, workers.get(source)]);
const styles = await build({
  ...common,
  entryPoints: ["web/src/style/main.css", "web/src/style/views.css"],
});
const page = await build({
  ...common,
  entryPoints: ["web/src/main.tsx"],
  splitting: true,
  plugins: [viewLoaders, oneFirstFile],
  define: {
    WORKER_FILES: JSON.stringify(Object.fromEntries(addresses)),
    VIEWS_STYLE: JSON.stringify(outputsOf(styles).get("web/src/style/views.css")),
  },
});

const main = outputsOf(page).get("web/src/main.tsx");
const style = outputsOf(styles).get("web/src/style/main.css");
// Preloads the chunks that the first script imports, in parallel with it.
const first = page.metafile.outputs[relative(root, join(assets, main))].imports
  .filter(({ kind }) => kind === "import-statement")
  .map(({ path }) => `<link rel="modulepreload" href="assets/${basename(path)}">`);
// The type face, as soon as the style that names it.
const font = readdirSync(assets).find((name) => name.endsWith(".woff2"));
first.push(`<link rel="preload" href="assets/${font}" as="font" type="font/woff2" crossorigin>`);
const html = readFileSync(join(root, "web", "index.html"), "utf8")
  .replace("MAIN_SCRIPT", `assets/${main}`)
  .replace("MAIN_STYLE", `assets/${style}`)
  .replace("<!-- PRELOADS -->", first.join("\n"));
writeFileSync(join(folder, "index.html"), html);

// Copied, because who installs the package would install Swagger UI's dependencies, which report installations.
const SWAGGER = "swagger-ui-dist";
mkdirSync(join(folder, "docs"));
for (const name of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]) {
  copyFileSync(join(root, "node_modules", SWAGGER, name), join(folder, "docs", name));
}

// Third-party packages in the page, for the software bill of materials, and their licences.
const inputs = [page, workerBuild].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const bundled = inputs.flatMap(
  (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
);
const packages = [...new Set([...bundled, SWAGGER])].sort();
writeFileSync(join(folder, "packages.json"), JSON.stringify(packages));
const licences = packages.map((name) => {
  const place = join(root, "node_modules", name);
  const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
  const notices = ["NOTICE", "swagger-ui-bundle.js.LICENSE.txt"].filter(
    (one) => name === SWAGGER && readdirSync(place).includes(one),
  );
  const text = [file ?? [], notices]
    .flat()
    .map((one) => readFileSync(join(place, one), "utf8").trim())
    .join("\n\n");
  const { version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${text}\n`;
});
// Third-party data in our own files; the first comment names the source.
const outlines = readFileSync(join(root, "src", "domain", "extent", "ar6-outlines.ts"), "utf8");
const [, notice = ""] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(outlines) ?? [];
licences.push(`${notice.replaceAll(/^ \* ?/gm, "")}\n`);
licences.push(readFileSync(join(root, "web", "src", "style", "fonts", "LICENSE.txt"), "utf8"));
writeFileSync(join(folder, "licences.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));

// Compressed once here with the best ratio, instead of on each request.
for (const name of readdirSync(assets)) {
  const content = readFileSync(join(assets, name));
  writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
}

// The service serves the page at these paths.
writeFileSync(join(folder, "paths.json"), JSON.stringify(Object.keys(VIEWS)));
