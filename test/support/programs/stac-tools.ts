/** STAC's programs that are packages of npm: a validator, and STAC Browser. */
import { execFile } from "node:child_process";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { madeFolder, makeFolder, type Recipe } from "./made-folder.js";
import { type NpmPackages, npmFolder } from "./npm-folder.js";
import { binOf } from "./python.js";

/** The newest one that runs on Node 20. */
export const STAC_NODE: NpmPackages = {
  what: "stac-node-validator",
  dependencies: { "stac-node-validator": "2.0.0-rc.1" },
};

export interface Finding {
  readonly keyword?: string;
  readonly instancePath: string;
}

interface Report {
  readonly valid: boolean | null;
  readonly id: string;
  readonly results: { readonly core: readonly Finding[]; readonly extensions: object };
}

/** What stac-node-validator says of documents. @param schemas a folder with STAC's schemas by their names */
export async function stacNodeValidator(
  schemas: readonly string[],
): Promise<(documents: readonly object[]) => Promise<readonly Report[]>> {
  const require = createRequire(join(npmFolder(STAC_NODE), "package.json"));
  const validate = require("stac-node-validator") as (
    documents: readonly object[],
    config: { readonly loader: (uri: string) => Promise<object> },
  ) => Promise<{ readonly children: readonly Report[] }>;
  const files = new Map<string, string>();
  for (const folder of schemas) {
    for (const name of await readdir(folder)) files.set(name, join(folder, name));
  }
  const loader = async (uri: string): Promise<object> => {
    // No package has the schemas of extensions; test/python/stac_clients.py checks what they demand.
    if (uri.startsWith("https://stac-extensions.github.io/")) return { $id: uri };
    const path = files.get(new URL(uri).pathname.split("/").at(-1) ?? "");
    if (path === undefined) throw new Error(`no schema for ${uri}`);
    return JSON.parse(await readFile(path, "utf8")) as object;
  };
  return async (documents) => (await validate(documents, { loader })).children;
}

/** Folders of the schemas that pystac carries. */
export async function stacSchemas(): Promise<string[]> {
  const library = join(binOf("stac"), "..", "lib");
  const [python = ""] = await readdir(library);
  const root = join(library, python, "site-packages", "pystac", "validation", "jsonschemas");
  return [join(root, "stac-spec", "v1.1.0"), join(root, "geojson")];
}

/** Its package has no built page, and its newest dependencies no longer build with the others. */
const STAC_BROWSER = { version: "4.0.1", pinned: { "ol-stac": "1.1.0" } } as const;
export const BROWSER_RECIPE: Recipe = {
  what: "STAC Browser",
  text: JSON.stringify(STAC_BROWSER),
  proof: "index.html",
};

/** The folder of STAC Browser's built page. @throws if it is not made */
export const stacBrowser = (): string => madeFolder(BROWSER_RECIPE);

/** Builds STAC Browser from its package; only the page is kept. */
export async function makeStacBrowser(): Promise<void> {
  await makeFolder(BROWSER_RECIPE, async (draft) => {
    // vitest sets NODE_ENV, with which the build is one for tests.
    const options = {
      cwd: draft,
      maxBuffer: 64 << 20,
      env: { ...process.env, NODE_ENV: undefined },
    };
    const run = (command: string, ...args: readonly string[]) =>
      promisify(execFile)(command, args, options);
    const name = `@radiantearth/stac-browser@${STAC_BROWSER.version}`;
    const { stdout } = await run("npm", "pack", name, "--silent");
    await run("tar", "xzf", stdout.trim());
    const source = join(draft, "package");
    const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    Object.assign(manifest.dependencies, STAC_BROWSER.pinned);
    await writeFile(join(source, "package.json"), JSON.stringify(manifest));
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", "install", "--prefix", source, ...quiet);
    await run("npm", "run", "build:minimal", "--prefix", source, "--", "--historyMode=hash");
    for (const entry of await readdir(join(source, "dist"))) {
      await rename(join(source, "dist", entry), join(draft, entry));
    }
    await rm(source, { recursive: true });
    await rm(join(draft, stdout.trim()));
  });
}
