/** Rules of the house that no compiler checks. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { packagePath } from "../src/package-root.js";
import { FACET_NAMES, FACETS, type Facet, storedField } from "../src/vocabulary/facets.js";

const src = packagePath("src");
const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const room = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");

function importsOf(path: string): Import[] {
  const text = readFileSync(join(src, path), "utf8");
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?)from\s+"(\.[^"]+)";/gms)].map(
    ([, typeWord, names = "", target = ""]) => ({
      from: path,
      to: relative(src, join(src, dirname(path), target)),
      typeOnly:
        typeWord !== undefined ||
        (/^\{/.test(names.trim()) &&
          names
            .replace(/[{}]/g, "")
            .split(",")
            .filter((name) => name.trim() !== "")
            .every((name) => name.trim().startsWith("type "))),
    }),
  );
}

describe("the import law", () => {
  const CLOSED = ["query", "solr", "formats", "auth", "zarr", "cf", "userdata", "vocabulary"];
  const OPEN_TO_ALL = [
    ...["vocabulary", "errors.js", "package-root.js", "private-files.js"],
    ...["process-identity.js", "process-lock.js"],
  ];
  const imports = sources.flatMap(importsOf);

  it("is checked on real imports", () => {
    expect(imports.length).toBeGreaterThan(60);
    expect(imports.some(({ typeOnly }) => typeOnly)).toBe(true);
  });

  it.each(CLOSED)("%s imports no sibling, only vocabulary, errors and others' types", (name) => {
    const broken = imports.filter(
      ({ from, to, typeOnly }) =>
        room(from) === name &&
        room(to) !== name &&
        !typeOnly &&
        !OPEN_TO_ALL.some((open) => to === open || room(to) === open) &&
        !to.startsWith("../generated/"),
    );
    expect(broken).toEqual([]);
  });

  it("lets nobody import handlers, app or cli but the rooms above them", () => {
    const above: Record<string, string[]> = {
      handlers: ["handlers", ""],
      "app.js": ["cli", ""],
      cli: ["cli", ""],
    };
    const broken = imports.filter(({ from, to }) => {
      const allowed = above[room(to) || to];
      return allowed !== undefined && !allowed.includes(room(from));
    });
    expect(broken).toEqual([]);
  });
});

describe("the Solr schema", () => {
  const schema = readFileSync(packagePath("solr/configset/conf/schema.xml"), "utf8");
  const field = (name: string) =>
    new RegExp(`<field name="${name}"([^>]*)/>`).exec(schema)?.[1] ?? "";

  it.each(FACET_NAMES)("has the facet %s as the vocabulary has it", (facet: Facet) => {
    const { single, default: value } = FACETS[facet] as { single?: true; default?: string };
    expect(field(facet)).not.toBe("");
    expect(field(storedField(facet))).not.toBe("");
    expect(/multiValued="true"/.test(field(facet))).toBe(single !== true);
    expect(/default="([^"]*)"/.exec(field(facet))?.[1]).toBe(value);
  });
});

describe("what is installed", () => {
  const read = (path: string) => readFileSync(packagePath(path), "utf8");

  it("runs no program of its own, and tells nobody of it", () => {
    const { scarfSettings } = JSON.parse(read("package.json")) as { scarfSettings?: unknown };
    expect(scarfSettings).toEqual({ enabled: false });
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
    expect(read("scripts/setup.mjs")).toContain('"--ignore-scripts"');
  });

  it("would run no other programs than those that are known", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    const known = ["@scarf/scarf", "esbuild", "fsevents"];
    const running = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? path.replace(/^.*node_modules\//, "") : [],
    );
    expect(running.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("the repository", () => {
  it("names no package registry's host", () => {
    const hosts =
      /registry\.npmjs|repo1?\.maven\.(apache|org)|repo\.maven|pypi\.org|files\.pythonhosted/;
    const files = ["package-lock.json", "package.json", "solr/pom.xml", "README.md", ".ci/run"];
    for (const file of files) {
      expect(hosts.test(readFileSync(packagePath(file), "utf8")), file).toBe(false);
    }
  });

  it("documents every setting in .env.example and in the README", () => {
    const config = readFileSync(packagePath("src/config.ts"), "utf8");
    const names = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(10);
    for (const file of [".env.example", "README.md"]) {
      const text = readFileSync(packagePath(file), "utf8");
      for (const name of names) expect(text, `${file} lacks ${name}`).toContain(name);
    }
  });
});
