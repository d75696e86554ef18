/** The lines that the documentation has for every operation. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { readDocument } from "../../../src/server/contract/documents/document.js";
// @ts-expect-error they are for browsers, and written without types of their own
import { forReading } from "../../../web/docs/document.js";
// @ts-expect-error as above
import { rText } from "../../../web/docs/r.js";
// @ts-expect-error as above
import { requestOf } from "../../../web/docs/request.js";
// @ts-expect-error as above
import { LANGUAGES } from "../../../web/docs/snippets.js";
import { RUNNABLE, runLines } from "../../support/project/lines.js";
import { chance, SEED } from "../../support/run/trials.js";

/** A text of R as its parser takes it (R Language Definition, 10.3.1), of ASCII alone. */
const OF_R = /^"(?:[ !#-[\]-~]|\\(?:[nrt"\\]|u[0-9a-f]{4}|U[0-9a-f]{8}))*"$/;

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
  ["get", "post", "put", "delete"].flatMap((method) =>
    item[method] === undefined ? [] : [{ path, method, operation: resolved(item[method]) }],
  ),
);
const linesOf = (language: string, values = {}, body?: unknown, id = "searchData"): string => {
  const one = operations.find(({ operation }) => String(operation.operationId) === id);
  return LANGUAGES[language](requestOf({ ...one, server, values, body }));
};

describe("the documentation's lines", () => {
  it.each(operations.map((one) => [String(one.operation.operationId), one] as const))(
    "are a script in each language for %s, with nothing left open",
    (_, one) => {
      const sent = requestOf({ ...one, server, values: {} });
      const [shell, python, r, typescript] = Object.values<(sent: unknown) => string>(
        LANGUAGES,
      ).map((make) => make(sent)) as [string, string, string, string];
      for (const text of [shell, python, r, typescript]) {
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

  it("send with curl the method, query and body of each operation", async () => {
    const seen: unknown[] = [];
    const service = createServer(async (incoming, outgoing) => {
      const { pathname, searchParams } = new URL(incoming.url ?? "", server);
      const body = await text(incoming);
      seen.push([incoming.method, pathname, [...searchParams], body]);
      outgoing.end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void service.close());
    await once(service, "listening");
    const { port } = service.address() as AddressInfo;
    const global = { values: { "query.is_global": true } };
    for (const one of [...operations, ...operations.map((each) => ({ ...each, ...global }))]) {
      const sent = requestOf({ values: {}, ...one, server: `http://127.0.0.1:${port}` });
      await runLines("curl", LANGUAGES.curl(sent));
      const { pathname } = new URL(sent.address);
      const body = sent.form ? new URLSearchParams(sent.form) : JSON.stringify(sent.json);
      expect(seen.pop()).toEqual([sent.method, pathname, sent.query, String(body ?? "")]);
    }
    expect(seen).toEqual([]);
  });

  it.skipIf(!RUNNABLE.includes("R"))("are valid R for every operation", async () => {
    const texts = operations.map((one) => LANGUAGES.R(requestOf({ ...one, server, values: {} })));
    const parse = (text: string): string => `length(parse(text = ${rText(text)}))`;
    const lines = await runLines("R", `cat(${texts.map(parse).join(", ")})`);
    expect(lines.split(" ")).toHaveLength(texts.length);
    for (const expressions of lines.split(" ")) expect(Number(expressions)).toBeGreaterThan(1);
  });

  it("have texts that R reads unchanged, in every locale", async () => {
    const random = chance(SEED);
    const signs = [..."\"\\'`%#&+/<>é€ßあ\u{1f600}\u2028\u007f\u0001\n\r\tnux0f9{}"];
    const texts = Array.from({ length: 300 }, () =>
      Array.from({ length: 12 }, () => signs[Math.floor(random() * signs.length)]).join(""),
    );
    for (const text of texts) expect(rText(text)).toMatch(OF_R);
    // What no text of R can hold.
    expect(rText("a\0b\ud800c")).toBe('"a\\ufffdb\\ufffdc"');
    if (!RUNNABLE.includes("R")) return;
    const all = `texts <- c(${texts.map(rText).join(",\n")})`;
    const bytes = await runLines(
      "R",
      `${all}\ncat(sapply(texts, function(one) paste(charToRaw(enc2utf8(one)), collapse = "")))`,
    );
    expect(bytes.trim().split(/\s+/)).toEqual(
      texts.map((text) => Buffer.from(text).toString("hex")),
    );
  });

  it("have a body as R writes it: nothing, lists without members, names that are none", async () => {
    const json = {
      a: [],
      b: {},
      c: null,
      d: ["x", 1, true],
      if: { "e f": 'q"\\é', g: [[], {}] },
      n: 604800,
    };
    const text: string = LANGUAGES.R({
      method: "POST",
      address: server,
      query: [],
      headers: [],
      signed: false,
      json,
      answer: "json",
    });
    expect(text).toContain("setNames(list(), character())");
    if (!RUNNABLE.includes("R")) return;
    const body = /req_body_json\((.*)\) \|>/s.exec(text)?.[1];
    const made = await runLines(
      "R",
      `cat(jsonlite::toJSON(${body}, auto_unbox = TRUE, digits = 22, null = "null"))`,
    );
    expect(JSON.parse(made)).toEqual(json);
  });

  it("quote the filled-in values", () => {
    const hostile = `'"\\$(x)\`\${y}\n`;
    const values = { "query.model": [hostile, "b"], "path.flavour": "a/b c" };
    expect(linesOf("curl", values)).toContain(`'model='\\''"\\$(x)`);
    expect(linesOf("Python", values)).toContain(JSON.stringify(hostile));
    expect(linesOf("TypeScript", values)).toContain(JSON.stringify(hostile));
    expect(linesOf("R", values)).toContain(`model = ${rText(hostile)},\n    model = "b"`);
    for (const language of Object.keys(LANGUAGES)) {
      expect(linesOf(language, values)).toContain("/data-search/a%2Fb%20c/file");
    }
  });

  it("use the filled-in values, and samples only without any", () => {
    expect(linesOf("curl")).toContain("variable_id=tas");
    expect(linesOf("curl", { "path.flavour": "native" })).toContain("'variable=tas'");
    expect(linesOf("curl", { "query.start": "0" })).toContain("variable_id=tas");
    expect(linesOf("curl", { "query.start": "5" })).not.toContain("variable_id");
    expect(linesOf("curl", { "query.source_id": [] })).toContain("variable_id=tas");
  });

  it("have a form or a body unchanged, or the example without one", () => {
    const form = { username: "ada", password: "x", client_id: "" };
    expect(linesOf("curl", {}, form, "issueToken")).toMatch(/'username=ada' \\\n.*'password=x'$/);
    expect(linesOf("Python", {}, '{"url": true}', "unshareZarr")).toContain('json={"url": True}');
    expect(linesOf("TypeScript", {}, "{", "unshareZarr")).toContain("https://data.example.org");
    expect(linesOf("R", {}, '{"url": true}', "unshareZarr")).toMatch(
      /req_method\("DELETE"\).*req_auth_bearer_token\(Sys\.getenv\("TOKEN"\)\).*req_body_json\(list\(url = TRUE\)\)/s,
    );
    expect(linesOf("R", {}, form, "issueToken")).toContain('req_body_form(\n    username = "ada"');
    expect(linesOf("Python", {}, undefined, "createStacCatalogue")).toContain('"catalogue.zip"');
    expect(linesOf("R", {}, undefined, "createStacCatalogue")).toMatch(/path = "catalogue.zip"\)$/);
  });
});
