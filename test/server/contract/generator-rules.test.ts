/** openapi.yaml keeps the rules for generators of clients; test/sdk tries the generators themselves. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { brokenRules } from "../../../scripts/contract/generator-rules.js";
import type { JsonObject } from "../../../scripts/contract/schema-source.js";
import { packagePath } from "../../../src/platform/package-root.js";

const text = await readFile(packagePath("openapi.yaml"), "utf8");
const contract = parse(text) as JsonObject;

/** A small contract with schemas, or with the answers of one operation. */
const withSchemas = (schemas: object) =>
  ({ openapi: "3.1.0", components: { schemas } }) as unknown as JsonObject;
const withAnswer = (response: object, more: object = {}) =>
  ({
    openapi: "3.1.0",
    paths: {
      "/list": { get: { operationId: "getList", responses: { 200: response } } },
      ...more,
    },
  }) as unknown as JsonObject;
const schema = { type: "string" };
const object = { type: "object", properties: { name: schema } };

describe("a generator of clients", () => {
  it("finds nothing in openapi.yaml that it would name badly, mistype or not compile", () => {
    expect(brokenRules(contract)).toEqual([]);
  });

  it.each([
    ["an object in a list", { A: { type: "array", items: object } }, /^A\[items\]: needs a schema/],
    ["an object in an object", { A: { properties: { b: object } } }, /^A\.b: needs a schema/],
    ["a table of objects", { A: { additionalProperties: object } }, /^A\[additionalProperties\]/],
    [
      "a table in an object",
      { A: { properties: { b: { additionalProperties: schema } } } },
      /^A\.b/,
    ],
    ["an enumeration", { A: { properties: { b: { enum: ["x"] } } } }, /^A\.b: needs a schema/],
    ["a choice of types", { A: { anyOf: [schema, { $ref: "#/x" }] } }, /^A: anyOf is no type/],
    [
      "a text or null by reference",
      { A: { anyOf: [{ $ref: "#/components/schemas/B" }, { type: "null" }] }, B: schema },
      /^A: null or B/,
    ],
    ["the property in", { A: { properties: { in: schema } } }, /^A\.in: is a reserved word/],
    ["the property as", { A: { properties: { as: schema } } }, /^A\.as: is a reserved word/],
    ["New and a schema", { NewA: object, A: object }, /^NewA: .* schema A$/],
    ["a schema and Inner", { AInner: object, A: object }, /^AInner: .* schema A$/],
    ["two schemas but for case", { Aa: object, AA: object }, /^AA: another schema/],
    ["a number at the end", { List1: object }, /^List1: ends with a digit/],
    ["a type of every client", { File: object }, /^File: generated clients/],
    ["the same constant twice", { A: { enum: ["a-b"] }, B: { enum: ["a_b"] } }, /^B: .* A_B, as A/],
  ])("meets no %s in schemas", (_, schemas, expected) => {
    const broken = brokenRules(withSchemas(schemas));
    expect(broken).toHaveLength(1);
    expect(broken[0]).toMatch(expected);
  });

  it("meets no schemas without names in parameters and answers, and no names of an operation's types", () => {
    const inline = {
      content: { "application/json": { schema: { type: "array", items: object } } },
    };
    expect(brokenRules(withAnswer(inline))).toEqual([expect.stringContaining("schema[items]")]);
    const twin = { ...withAnswer({}), ...withSchemas({ GetListParams: object }) };
    expect(brokenRules(twin)).toEqual([expect.stringContaining("operation getList")]);
    const texts = { type: "array", items: { type: "string", minLength: 1 } };
    const several = { parameters: { A: { name: "a", in: "query", schema: texts } } };
    expect(brokenRules({ components: several } as unknown as JsonObject)).toEqual([
      "components.parameters.A.schema[items]: needs a schema of its own in components",
    ]);
    const parameter = { name: "a", in: "query", schema: { enum: ["x"] } };
    const components = { parameters: { A: parameter }, schemas: { A: object } };
    expect(brokenRules({ components } as unknown as JsonObject)).toEqual([
      "components.parameters.A.schema: needs a schema of its own in components",
      "A: generators make the same name of component parameters.A",
    ]);
  });

  it("gets one media type, and another by an operation of its own or as bytes", () => {
    const csv = { "text/csv": { schema } };
    const json = { "application/json": { schema } };
    const zip = { "application/zip": { schema: { type: "string", format: "binary" } } };
    expect(brokenRules(withAnswer({ content: { ...json, ...csv } }))).toHaveLength(1);
    const both = { content: json, "x-other-content": csv };
    expect(brokenRules(withAnswer(both))).toEqual([expect.stringContaining("text/csv needs")]);
    const own = { get: { operationId: "getCsv", responses: { 200: { content: csv } } } };
    expect(brokenRules(withAnswer(both, { "/list/csv": own }))).toEqual([]);
    expect(brokenRules(withAnswer(both, { "/other/csv": own }))).toHaveLength(1);
    expect(brokenRules(withAnswer({ content: zip, "x-other-content": csv }))).toEqual([]);
  });
});
