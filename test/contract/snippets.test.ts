/** The lines that the documentation has for every operation. */
import { spawnSync } from "node:child_process";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/contract/document.js";
// @ts-expect-error they are for browsers, and written without types of their own
import { forReading } from "../../web/docs/document.js";
// @ts-expect-error as above
import { requestOf } from "../../web/docs/request.js";
// @ts-expect-error as above
import { LANGUAGES } from "../../web/docs/snippets.js";

/** Any part of the document; leaves are cast where they are used. */
interface Part {
  [key: string]: Part;
}

const { json } = await readDocument();
const contract: Part = forReading(JSON.parse(json), "/prefix");

/** Puts referred parts in place. */
function resolved(value: unknown): Part {
  if (Array.isArray(value)) return value.map(resolved) as unknown as Part;
  if (typeof value !== "object" || value === null) return value as Part;
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part)]));
  }
  return resolved(
    $ref
      .slice(2)
      .split("/")
      .reduce((part, key) => part[key] as Part, contract),
  );
}

const server = "https://data.example.org/prefix/api/climate-nextgen";
const operations = Object.entries(contract.paths as Part).flatMap(([path, item]) =>
  ["get", "post", "delete"].flatMap((method) =>
    item[method] === undefined ? [] : [{ path, method, operation: resolved(item[method]) }],
  ),
);
const linesOf = (language: string, values = {}, body?: unknown, id = "searchData"): string => {
  const one = operations.find(({ operation }) => String(operation.operationId) === id);
  return LANGUAGES[language](requestOf({ ...one, server, values, body }));
};

describe("the documentation's lines", () => {
  it.each(operations.map((one) => [String(one.operation.operationId), one] as const))(
    "for %s are a script in each language, with nothing left open",
    (_, one) => {
      const sent = requestOf({ ...one, server, values: {} });
      const [shell, python, typescript] = Object.values<(sent: unknown) => string>(LANGUAGES).map(
        (make) => make(sent),
      ) as [string, string, string];
      for (const text of [shell, python, typescript]) {
        expect(text).toContain("https://data.example.org/prefix/api/climate-nextgen/");
        expect(text).not.toMatch(/undefined|\[object|\{\w+\}(?!`)/);
        expect(text.includes("TOKEN")).toBe(sent.signed);
      }
      const options = { input: shell, encoding: "utf8" } as const;
      expect(spawnSync("sh", ["-n"], options).stderr).toBe("");
      const compile = "import ast, sys; ast.parse(sys.stdin.read())";
      expect(spawnSync("python3", ["-c", compile], { ...options, input: python }).stderr).toBe("");
      const { diagnostics } = ts.transpileModule(typescript, { reportDiagnostics: true });
      expect(diagnostics).toEqual([]);
    },
  );

  it("quote what is filled in", () => {
    const hostile = `'"\\$(x)\`\${y}\n`;
    const values = { "query.model": [hostile, "b"], "path.flavour": "a/b c" };
    expect(linesOf("curl", values)).toContain(`'model='\\''"\\$(x)`);
    expect(linesOf("Python", values)).toContain(JSON.stringify(hostile));
    expect(linesOf("TypeScript", values)).toContain(JSON.stringify(hostile));
    for (const language of Object.keys(LANGUAGES)) {
      expect(linesOf(language, values)).toContain("/data-search/a%2Fb%20c/file");
    }
  });

  it("take what is filled in, and samples only where nothing is", () => {
    expect(linesOf("curl")).toContain("variable_id=tas");
    expect(linesOf("curl", { "path.flavour": "native" })).toContain("'variable=tas'");
    expect(linesOf("curl", { "query.start": "0" })).toContain("variable_id=tas");
    expect(linesOf("curl", { "query.start": "5" })).not.toContain("variable_id");
    expect(linesOf("curl", { "query.source_id": [] })).toContain("variable_id=tas");
  });

  it("have a form or a body as it stands, or the example where it is none", () => {
    const form = { username: "ada", password: "x", client_id: "" };
    expect(linesOf("curl", {}, form, "issueToken")).toMatch(/'username=ada' \\\n.*'password=x'$/);
    expect(linesOf("Python", {}, '{"url": true}', "unshareZarr")).toContain('json={"url": True}');
    expect(linesOf("TypeScript", {}, "{", "unshareZarr")).toContain("https://data.example.org");
    expect(linesOf("Python", {}, undefined, "createStacCatalogue")).toContain('"catalogue.zip"');
  });
});
