/** Rules of the source that no compiler checks. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DETAIL_NAMES, DETAILS } from "../src/domain/vocabulary/details.js";
import { FACET_NAMES, FACETS, type Facet, storedField } from "../src/domain/vocabulary/facets.js";
import { packagePath } from "../src/platform/package-root.js";
import { VIEWS } from "../web/src/shell/views.js";
import { circles, importsBelow, importsIn } from "./support/project/imports.js";

/** Who may import whom: a package may import those in its row, and itself. The rows go downwards only. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  domain: ["platform"],
  files: ["domain", "platform"],
  index: ["domain", "platform"],
  identity: ["index", "domain", "platform", "generated"],
  catalogue: ["files", "index", "domain", "platform"],
  server: ["identity", "files", "index", "domain", "platform", "generated"],
  cli: ["server", "catalogue", "identity", "files", "index", "domain", "platform", "generated"],
  // main.ts is the entry point of the command line; generated/ holds the contract's routes.
  "main.ts": ["cli", "server", "platform"],
  generated: [],
};

/** The package of a file, such as `domain` for src/domain/errors.ts; generated/ is one as well. */
const packageOf = (path: string): string => {
  const [top = "", name = ""] = path.split("/");
  return top === "src" ? name : top;
};

describe("the packages", () => {
  const direct = importsBelow("src", "generated");

  it("are checked on imports of every kind", () => {
    const text = `import { a } from "./a.js"; import type { B } from "./b.js";
      import { type C, type D } from "./c.js"; import "./d.js";
      export * from "./e.js"; export type { F } from "./f.js";
      const g = await import("./g.js"); type H = typeof import("./h.js");
      import { type I, j } from "./i.js"; import fs from "node:fs";`;
    expect(importsIn("src/x/y.ts", text).map(({ to, typeOnly }) => [to, typeOnly])).toEqual([
      ["src/x/a.ts", false],
      ["src/x/b.ts", true],
      ["src/x/c.ts", true],
      ["src/x/d.ts", false],
      ["src/x/e.ts", false],
      ["src/x/f.ts", true],
      ["src/x/g.ts", false],
      ["src/x/h.ts", true],
      ["src/x/i.ts", false],
    ]);
    expect(direct.length).toBeGreaterThan(500);
    const missing = direct.filter(({ to }) => !existsSync(packagePath(to)));
    expect(missing).toEqual([]);
  });

  it("are all of src", () => {
    const names = readdirSync(packagePath("src"));
    expect(names.filter((name) => !Object.hasOwn(PACKAGES, name))).toEqual([]);
  });

  it("import downwards only, types included", () => {
    const upwards = direct.filter(({ from, to }) => {
      const [mine, theirs] = [packageOf(from), packageOf(to)];
      return mine !== theirs && !PACKAGES[mine]?.includes(theirs);
    });
    expect(upwards).toEqual([]);
  });

  it("keep the reader of NetCDF free of imports from the rest of the project", () => {
    const ours = direct.filter(({ from }) => from.startsWith("src/files/netcdf/"));
    expect(ours.length).toBeGreaterThan(60);
    expect(ours.filter(({ to }) => !to.startsWith("src/files/netcdf/"))).toEqual([]);
  });

  it("build the searches of requests in one place, which guards the names of users", () => {
    const building = direct.filter(
      ({ from, to, typeOnly }) =>
        from.startsWith("src/server/") && to === "src/domain/search/search.ts" && !typeOnly,
    );
    // The configuration checks a search of the operator's.
    const others = building
      .map(({ from }) => from)
      .filter((from) => !from.endsWith("/settings/derived.ts"));
    expect(others).toEqual(["src/server/handlers/search/requested-search.ts"]);
  });

  it("have no circle of files, not even of types", () => {
    expect(
      circles([
        ["a", "b"],
        ["b", "c"],
        ["c", "b"],
      ]),
    ).toEqual([["b", "c", "b"]]);
    expect(circles(direct.map(({ from, to }) => [from, to]))).toEqual([]);
  });

  it("give the page only what is pure, and the types of the contract", () => {
    const page = importsBelow("web/src");
    expect(page.length).toBeGreaterThan(30);
    const pure =
      /^(web\/|generated\/prefix|src\/(platform\/trailing|domain\/|files\/(cf|netcdf|zarr\/(slice|metadata))\/))/;
    const broken = page.filter(
      ({ to, typeOnly }) => !pure.test(to) && !(typeOnly && to.startsWith("generated/")),
    );
    expect(broken).toEqual([]);
    expect(circles(page.map(({ from, to }) => [from, to]))).toEqual([]);
  });
});

describe("a view of the page", () => {
  it.each(Object.entries(VIEWS))(
    "owns each parameter that it reads: %s",
    (_, { component, own }) => {
      const folder = packagePath("web", "src", dirname(component));
      const read = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => /\.tsx?$/.test(path))
        .flatMap((path) => [
          ...readFileSync(join(folder, path), "utf8").matchAll(
            /\bquery\s*\.(?:get|getAll|has)\("([^"]+)"\)|\buseDelayedParameter\("([^"]+)"\)/g,
          ),
        ])
        .map(([, name, delayed]) => name ?? delayed ?? "");
      // Every other parameter of an address is part of the search, which links to other views take along.
      expect(read.filter((name) => name !== "flavour" && !own.includes(name))).toEqual([]);
    },
  );
});

describe("CONTRIBUTING.md and the packages' READMEs", () => {
  const packages = Object.keys(PACKAGES).filter((name) =>
    existsSync(packagePath("src", name, "README.md")),
  );
  const texts = [
    { folder: "", text: readFileSync(packagePath("CONTRIBUTING.md"), "utf8") },
    ...packages.map((name) => ({
      folder: `src/${name}`,
      text: readFileSync(packagePath("src", name, "README.md"), "utf8"),
    })),
  ];

  it("exist for each package", () => {
    expect(packages).toHaveLength(8);
  });

  it("name only files that exist", () => {
    const named = texts.flatMap(({ folder, text }) =>
      [...text.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:ts|json|yaml|xml|md)|(?:[\w-]+\/)+)`/g)].map(
        ([, path = ""]) =>
          [join(folder, path), path].find((one) => existsSync(packagePath(one))) ??
          `missing: ${folder} ${path}`,
      ),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => path.startsWith("missing"))).toEqual([]);
  });

  it("name the files of ten changes, which exist", () => {
    const [contributing] = texts;
    const [, part = ""] = contributing?.text.split("## Ten changes and the files they touch") ?? [];
    const [table = ""] = part.split("\nThe compiler asks for the rest");
    const rows = table.split("\n").filter((line) => /^\| (?!change)\w/.test(line));
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      const code = [...row.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
      const paths = code.filter((text) => /^\.?[\w-]+(?:[/.][\w.-]*)+$/.test(text));
      expect(
        paths.filter((path) => !existsSync(packagePath(path))),
        row,
      ).toEqual([]);
      expect(paths.length, row).toBeGreaterThan(0);
    }
  });

  it("say for each folder of src/ which slow tests belong to it", () => {
    const [contributing] = texts;
    const table = contributing?.text.split("### Which slow tests belong to a folder")[1] ?? "";
    const rows = [...table.matchAll(/^\| (`[^|]*) \| `([^`]*)` \|$/gm)];
    const folders = rows.flatMap(([, names = ""]) => names.match(/[\w/-]+(?=\/`)/g) ?? []);
    const all = packages.flatMap((name) => {
      const below = readdirSync(packagePath("src", name), { withFileTypes: true });
      const inner = below
        .filter((one) => one.isDirectory())
        .map((one) => `src/${name}/${one.name}`);
      return inner.length === 0 ? [`src/${name}`] : inner;
    });
    const isNamed = (folder: string) => folders.some((one) => `${folder}/`.startsWith(`${one}/`));
    expect(all.filter((folder) => !isNamed(folder))).toEqual([]);
    const slow = readdirSync(packagePath("test"), { recursive: true, encoding: "utf8" })
      .map((path) => `test/${path}`)
      .filter(
        (path) =>
          /\.(slow|alone)\.test\.ts$/.test(path) ||
          (path.endsWith(".test.ts") && /\bSEED\b/.test(readFileSync(packagePath(path), "utf8"))),
      );
    const words = rows.flatMap(([, , text = ""]) => text.split(" "));
    expect(words.filter((word) => !slow.some((path) => path.includes(word)))).toEqual([]);
  });
});

describe("Solr", () => {
  it("is reached in one way: no path of a request handler is anywhere but in one file", () => {
    const folder = packagePath("src");
    const raw = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .filter((path) =>
        /(?:\}|\bfiles|\blatest|\bstate)\/(?:update|get|select|export|stream)\b(?!\.)/.test(
          readFileSync(join(folder, path), "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, ""),
        ),
      );
    expect(raw).toEqual([]);
    expect(readFileSync(join(folder, "index", "transport", "endpoint.ts"), "utf8")).toContain(
      "`${collection}/${",
    );
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

describe("the details in the Solr schema", () => {
  const schema = readFileSync(packagePath("solr/configset/conf/schema.xml"), "utf8");

  it.each(DETAIL_NAMES)("have %s as the vocabulary has it", (detail) => {
    const field = new RegExp(`<field name="${detail}" type="(\\w+)"([^>]*)/>`).exec(schema) ?? [];
    const types = { text: "facet", bytes: "size", timestamp: "moment", flag: "flag" };
    const [, type = "", more = ""] = field;
    expect(type).toBe(types[DETAILS[detail].kind]);
    expect(/multiValued="true"/.test(more)).toBe(DETAILS[detail].several === true);
    expect(schema).toMatch(new RegExp(`<fieldType name="${type}"[^>]*docValues="true"`));
  });
});

describe("one dialect", () => {
  const src = packagePath("src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ name, text: readFileSync(join(src, name), "utf8") }));
  const filesWith = (pattern: RegExp) =>
    files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  it("has members that are private by the language, not by the compiler", () => {
    const modifiers = /^\s+(?:private|protected|public)\s+(?!constructor)/m;
    expect(modifiers.test("  private readonly x = 1;")).toBe(true);
    expect(files.length).toBeGreaterThan(200);
    expect(filesWith(modifiers)).toEqual([]);
  });

  it("calls the bounds of numbers MAX_ and MIN_", () => {
    expect(filesWith(/^(?:export )?const (?:MOST|LEAST|LONGEST|LARGEST)(?:_\w+)? =/m)).toEqual([]);
  });
});

describe("the installation", () => {
  const read = (path: string) => readFileSync(packagePath(path), "utf8");

  it("runs no program of its own, and reports to nobody", () => {
    const { scarfSettings } = JSON.parse(read("package.json")) as { scarfSettings?: unknown };
    expect(scarfSettings).toEqual({ enabled: false });
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
    expect(read("scripts/setup.mjs")).toContain('"--ignore-scripts"');
  });

  it("has no package that runs a program or reports the installation", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<
        string,
        { dev?: boolean; hasInstallScript?: boolean; dependencies?: object }
      >;
    };
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };
    expect(packages[""]?.dependencies).toEqual(dependencies);
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
    expect(installed.length).toBeGreaterThan(15);
    const wrong = installed.filter(
      ([path, one]) =>
        one.hasInstallScript ||
        [path, ...Object.keys(one.dependencies ?? {})].some((name) => name.includes("scarf")),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it("would run no unknown programs", () => {
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

describe("docs/security.md", () => {
  const text = readFileSync(packagePath("docs/security.md"), "utf8");
  const tests = new Set(
    readdirSync(packagePath("test"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .map((path) => `test/${path.replace(/(?:\.[a-z]+)?\.test\.ts$/, "")}`),
  );
  /** Of tables of rules the rule and what is named as its test. */
  const rules = [...text.matchAll(/^\| rule \| test \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/gm)].flatMap(
    ([, rows = ""]) =>
      [...rows.matchAll(/^\| (.*) \| (.*?) \|$/gm)].map(([, rule = "", test = ""]) => ({
        rule,
        test,
      })),
  );
  const named = (test: string) =>
    [...test.matchAll(/(?:\.\.\/)?(test\/[\w/-]+)(?:(?:\.[a-z]+)?\.test\.ts)?/g)].map(
      ([, path = ""]) => path,
    );

  it("names for every rule an existing test", () => {
    expect(rules.length).toBeGreaterThan(90);
    expect(rules.length).toBe(
      text.split("\n").filter((line) => /^\| .*\btest\//.test(line)).length,
    );
    const untested = rules.filter(({ test }) => {
      const paths = named(test);
      return paths.length === 0 || !paths.every((path) => tests.has(path));
    });
    expect(untested).toEqual([]);
  });

  it("names every test that attacks", () => {
    const mentioned = new Set(rules.flatMap(({ test }) => named(test)));
    const attacks = [...tests].filter((path) => path.startsWith("test/attack/"));
    expect(attacks.filter((path) => !mentioned.has(path))).toEqual([]);
  });
});

describe("the documents", () => {
  const pages = readdirSync(packagePath("docs")).filter((name) => name.endsWith(".md"));
  const paths = ["README.md", "SECURITY.md", ...pages.map((name) => join("docs", name))];
  const read = (path: string) => readFileSync(packagePath(path), "utf8");
  /** Anchors of a document, as the platforms that show it make them of headings. */
  const anchors = (path: string) =>
    [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );

  it("begin with a README of at most 250 lines", () => {
    expect(read("README.md").split("\n").length - 1).toBeLessThanOrEqual(250);
  });

  it("say who they are for, and are in the table of all documents", () => {
    const table = read("docs/README.md");
    for (const name of pages) {
      expect(read(join("docs", name)).split("\n")[2], name).toMatch(/^For /);
      if (name !== "README.md") expect(table, name).toContain(`](${name})`);
    }
  });

  it("lead to files and headings that exist", () => {
    const broken = paths.flatMap((path) =>
      [...read(path).matchAll(/\]\((?![a-z]+:)([^)#\s]*)#?([^)\s]*)\)/g)].flatMap(
        ([, file = "", anchor = ""]) => {
          const target = file === "" ? path : join(dirname(path), file);
          const exists =
            existsSync(packagePath(target)) && (anchor === "" || anchors(target).includes(anchor));
          return exists ? [] : [`${path}: ${file}#${anchor}`];
        },
      ),
    );
    expect(broken).toEqual([]);
  });
});

describe("the repository", () => {
  it("names no package registry's host", () => {
    const hosts =
      /registry\.npmjs|repo1?\.maven\.(apache|org)|repo\.maven|pypi\.org|files\.pythonhosted/;
    const files = [
      "package-lock.json",
      "package.json",
      "solr/pom.xml",
      "README.md",
      ".ci/run",
      ...["package-lock.json", "package.json", "pom.xml", "requirements.txt"].map(
        (name) => `sdk/tools/${name}`,
      ),
      "sdk/clients/go/go.sum",
      "sdk/clients/oapi-codegen/go.sum",
      ...readdirSync(packagePath("docs"))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name}`),
    ];
    for (const file of files) {
      expect(hosts.test(readFileSync(packagePath(file), "utf8")), file).toBe(false);
    }
  });

  it("makes a release of versions that are pinned by hash, and checks their known faults", () => {
    const { packages } = JSON.parse(readFileSync(packagePath("package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: boolean; integrity?: string }>;
    };
    const loose = Object.entries(packages).filter(
      ([path, { integrity }]) => path !== "" && !/^sha512-/.test(integrity ?? ""),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
    expect(readFileSync(packagePath(".ci/run"), "utf8")).toMatch(/^npm run --silent audit/m);
  });

  it("gives the size of Solr's download as the start does", () => {
    const [said, told] = (
      [
        ["README.md", /downloads Solr \((\d+ MB)\)/],
        ["src/index/embedded/download.ts", /Fetching Apache Solr with Maven \((\d+ MB)/],
      ] as const
    ).map(([file, size]) => size.exec(readFileSync(packagePath(file), "utf8"))?.[1]);
    expect(said).toMatch(/^\d+ MB$/);
    expect(said).toBe(told);
  });

  it("documents every setting in .env.example and in docs/configuration.md", () => {
    const config = readFileSync(packagePath("src/server/settings/environment.ts"), "utf8");
    const names = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(10);
    for (const [file, pattern] of [
      [".env.example", /^#?([A-Z][A-Z_]+)=/gm],
      ["docs/configuration.md", /^\| (.*?) \|/gm],
    ] as const) {
      const text = readFileSync(packagePath(file), "utf8");
      const first = [...text.matchAll(pattern)].map(([, found]) => found ?? "").join(" ");
      const found = first.match(/\b[A-Z][A-Z_]+\b/g) ?? [];
      expect([...new Set(found)].sort(), file).toEqual([...names].sort());
    }
  });
});
