/** The validator of STAC that is a package of npm. */
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
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
