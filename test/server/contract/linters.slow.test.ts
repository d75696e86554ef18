/** The contract as its readers' tools see it, in both versions of OpenAPI. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { NotInOpenApi30, toOpenApi30 } from "../../../scripts/contract/openapi-3.0.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { readDocument } from "../../../src/server/contract/documents/document.js";
import { findings } from "../../support/project/contract-tools.js";
import { freshFolder } from "../../support/run/folders.js";

const yaml = await readFile(packagePath("openapi.yaml"), "utf8");
const folder = freshFolder();

describe.each(["redocly", "spectral"] as const)("%s, with its recommended rules,", (tool) => {
  it("finds nothing in the contract", async () => {
    expect(await findings(tool, packagePath("openapi.yaml"))).toBe("");
  });

  it("finds nothing in its copy for OpenAPI 3.0", async () => {
    const { json30 } = await readDocument();
    await writeFile(join(folder, "3.0.json"), json30);
    expect(await findings(tool, join(folder, "3.0.json"))).toBe("");
  });

  it("finds an invalid example, a misspelled key, and what only a warning reports", async () => {
    const spoilt = yaml
      .replace("status: alive }", "state: alive }")
      .replace("operationId: ping", "operationID: ping")
      .replace(/^ {2}contact:\n.*\n/m, "")
      .replace(/^ {2}license:\n.*\n.*\n/m, "");
    await writeFile(join(folder, "spoilt.yaml"), spoilt);
    const found = await findings(tool, join(folder, "spoilt.yaml"));
    expect(found).toMatch(/media(-type)?-example/);
    expect(found).toMatch(/operationID|unevaluated/);
    expect(found).toMatch(tool === "redocly" ? /info-license/ : /info-contact/);
  });
});

describe("the copy for OpenAPI 3.0", () => {
  const document = (schema: unknown) =>
    ({
      openapi: "3.1.0",
      info: {},
      paths: { $ref: "#/components/schemas/X" },
      components: { schemas: { X: schema } },
    }) as never;
  const converted = (schema: unknown) =>
    (toOpenApi30(document(schema)).components as { schemas: { X: unknown } }).schemas.X;

  it.each([
    ["a constant", { type: "string", const: "x" }, { type: "string", enum: ["x"] }],
    ["null", { type: ["integer", "null"] }, { type: "integer", nullable: true }],
    [
      "an object or null",
      { description: "y", anyOf: [{ $ref: "#/x" }, { type: "null" }] },
      { description: "y", type: "object", nullable: true, allOf: [{ $ref: "#/x" }] },
    ],
    ["an open bound", { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
    ["examples", { type: "string", examples: ["a", "b"] }, { type: "string", example: "a" }],
    [
      "what is inside",
      {
        type: "object",
        properties: { const: { items: { const: 1 } } },
        additionalProperties: true,
      },
      {
        type: "object",
        properties: { const: { items: { enum: [1] } } },
        additionalProperties: true,
      },
    ],
    ["a reference", { $ref: "#/x", description: "y" }, { $ref: "#/x" }],
    [
      "an example",
      { example: { const: 1, schema: true } },
      { example: { const: 1, schema: true } },
    ],
  ])("has %s in its own words", (_, schema, expected) => {
    expect(converted(schema)).toEqual(expected);
  });

  it.each([
    { prefixItems: [] },
    { patternProperties: {} },
    { type: ["string", "integer"] },
    { type: "null" },
    { items: true },
    { contentEncoding: "base64" },
    { if: {} },
  ])("is not made if it would say less: %j", (schema) => {
    expect(() => converted(schema)).toThrow(NotInOpenApi30);
  });

  it("has one media type for each answer", () => {
    const { paths } = toOpenApi30(parse(yaml)) as { paths: never };
    const contents = Object.values<
      Record<string, { responses: Record<string, { content?: object }> }>
    >(paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }) =>
        Object.values(responses ?? {}).flatMap(({ content }) => (content ? [content] : [])),
      ),
    );
    expect(contents.length).toBeGreaterThan(20);
    for (const content of contents) expect(Object.keys(content)).toHaveLength(1);
    const types = contents.flatMap((content) => Object.keys(content));
    expect(types.filter((type) => type === "application/octet-stream")).toHaveLength(9);
    expect(types.filter((type) => type === "text/plain")).toHaveLength(6);
  });

  it("has the paths, operations and components of the contract", () => {
    const contract = parse(yaml);
    const copy = toOpenApi30(contract) as typeof contract;
    expect(copy.openapi).toBe("3.0.3");
    expect(Object.keys(copy.paths)).toEqual(Object.keys(contract.paths));
    for (const [path, item] of Object.entries(contract.paths)) {
      expect(Object.keys(copy.paths[path])).toEqual(Object.keys(item as object));
    }
    for (const [section, members] of Object.entries(contract.components)) {
      expect(Object.keys(copy.components[section])).toEqual(Object.keys(members as object));
    }
  });
});
