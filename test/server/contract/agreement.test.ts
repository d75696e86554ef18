/** The document that people read and the validators that requests meet say the same. */
import { readFile } from "node:fs/promises";
import { z } from "@hono/zod-openapi";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PREFIX } from "../../../generated/prefix.js";
import { routes } from "../../../generated/routes.js";
import * as schemas from "../../../generated/schemas.js";
import { generate } from "../../../scripts/contract/generate.js";
import { FLAVOUR_NAMES } from "../../../src/domain/vocabulary/flavours.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { queryOf } from "../../../src/server/contract/input/decode-query.js";

/** Any part of the document; leaves are cast where they are used. */
interface Json {
  [key: string]: Json;
}

const text = await readFile(packagePath("openapi.yaml"), "utf8");
const document = parse(text) as Json;

/** Puts referred parts in place. */
function resolve(value: unknown): Json {
  if (Array.isArray(value)) return value.map(resolve) as unknown as Json;
  if (typeof value !== "object" || value === null) return value as Json;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) {
    const path = $ref.slice(2).split("/");
    return resolve(path.reduce((part, key) => part[key] as Json, document));
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
}

/** A schema with what the door takes beside it: one element that stands for an array. */
function atTheDoor(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(atTheDoor) as unknown as Json;
  if (typeof schema !== "object" || schema === null) return schema as Json;
  const inner = Object.entries(schema).map(([key, part]) => [key, atTheDoor(part)] as const);
  const { "x-or-one": orOne, "x-or-text": orText, ...array } = Object.fromEntries(inner) as Json;
  if (orText) return { anyOf: [array, { type: "string", maxLength: 50_000 }] } as unknown as Json;
  return orOne ? ({ anyOf: [array, array.items] } as unknown as Json) : (array as Json);
}

const operations = Object.entries(document.paths as Json).flatMap(([path, value]) => {
  const { servers, ...item } = value as Json;
  const root = servers === undefined ? PREFIX : "";
  return Object.entries(item).map(([method, operation]) => ({
    path: root + path,
    method,
    operation: resolve(operation as Json),
  }));
});

/** A value and every way to spoil it that this test knows. */
function* variants(value: unknown): Generator<unknown> {
  yield value;
  for (const other of [null, 0, -1, 1.5, "", "x", true, [], {}, [1], { x: 1 }]) yield other;
  if (Array.isArray(value)) {
    yield [...value, ...value];
    for (const [index, element] of value.entries()) {
      for (const spoilt of variants(element)) yield value.with(index, spoilt);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, unheard_of: 1 };
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const spoilt of variants(member)) yield { ...value, [key]: spoilt };
    }
  }
}

/** A value that a schema of the document accepts, with every property that it names. */
function sampleOf(schema: Json): unknown {
  const { type, properties, additionalProperties: more, items } = schema;
  const known = [schema.const, ...listOf(schema.enum)];
  if (properties === undefined) known.push(schema.example, ...listOf(schema.examples));
  const given = known.find((one) => one !== undefined);
  if (given !== undefined) return given;
  const [either] = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (either !== undefined) return sampleOf(either);
  switch (String(listOf(type)[0] ?? type)) {
    case "object": {
      const named = Object.entries(properties ?? {}).map(([key, one]) => [key, sampleOf(one)]);
      const free = typeof more === "object" ? { anything: sampleOf(more) } : {};
      return { ...free, ...Object.fromEntries(named) };
    }
    case "array":
      return Array.from({ length: Number(schema.minItems ?? 1) || 1 }, () => sampleOf(items ?? {}));
    case "string":
      return schema.pattern === undefined ? "x" : "x=x";
    case "integer":
    case "number":
      return Number(schema.minimum ?? 1);
    case "boolean":
      return true;
    default:
      return null;
  }
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

describe("a validator", () => {
  const names = Object.keys((document.components as Json).schemas as Json);

  it.each(names)("accepts and refuses what the schema in the document does: %s", (name) => {
    const schema = resolve({ $ref: `#/components/schemas/${name}` });
    const sample = sampleOf(schema);
    const written = z.fromJSONSchema(atTheDoor(schema));
    const made = (schemas as unknown as Record<string, z.ZodType>)[name] as z.ZodType;
    expect(made.safeParse(sample).success).toBe(true);
    let refused = 0;
    for (const value of variants(sample)) {
      const verdict = made.safeParse(value).success;
      expect(verdict, JSON.stringify(value)).toBe(written.safeParse(value).success);
      if (!verdict) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe("an operation", () => {
  it.each(operations.map((one) => [String(one.operation.operationId), one] as const))(
    "is mounted as it is written: %s",
    (id, { path, method, operation }) => {
      const route = routes[id as keyof typeof routes];
      expect(route.path.replace("{.+}}", "}")).toBe(path);
      expect(route.method).toBe(method);
      expect(Object.keys(route.responses).sort()).toEqual(
        Object.keys(operation.responses as Json).sort(),
      );
    },
  );

  it.each(operations.map((one) => [String(one.operation.operationId), one.operation] as const))(
    "is documented with summary, description, a known tag, security, an example of each body: %s",
    (_, operation) => {
      expect(operation.summary).toBeTruthy();
      expect(operation.description).toBeTruthy();
      const tags = (document.tags as unknown as { name: string }[]).map(({ name }) => name);
      expect(tags).toEqual(expect.arrayContaining(operation.tags as unknown as string[]));
      expect(Array.isArray(operation.security)).toBe(true);
      for (const [status, response] of Object.entries(operation.responses as Json)) {
        expect((response as Json).description, status).toBeTruthy();
        const { content = {}, "x-other-content": others = {} } = response as Json;
        for (const media of Object.values({ ...content, ...others } as Json)) {
          const { example, examples, schema } = media as Json;
          const all = example ? [example] : Object.values(examples ?? {}).map(({ value }) => value);
          expect(all.length, status).toBeGreaterThan(0);
          for (const one of all) {
            expect(z.fromJSONSchema(schema as Json).safeParse(one).success, status).toBe(true);
          }
        }
      }
    },
  );

  it("has an operationId of its own", () => {
    const ids = operations.map(({ operation }) => String(operation.operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(routes).sort()).toEqual(ids.sort());
  });
});

describe("the query of an operation", () => {
  const query = queryOf("searchData");
  const decode = (parameters: Record<string, string | string[]>) => query.safeParse(parameters);

  it("has the defaults of the document", () => {
    for (const { operation } of operations) {
      const inQuery = ((operation.parameters ?? []) as unknown as Json[]).filter(
        (parameter) => String(parameter.in) === "query",
      );
      const needed = inQuery.filter(({ required }) => Boolean(required));
      const given = Object.fromEntries(needed.map(({ name, example }) => [String(name), example]));
      for (const parameter of inQuery) {
        const value = (parameter.schema as Json).default;
        if (value === undefined) continue;
        const id = operation.operationId as unknown as "searchMetadata";
        expect(queryOf(id).parse(given)).toHaveProperty(String(parameter.name), value);
      }
    }
  });

  it.each([
    ["true", true],
    ["TRUE", true],
    ["t", true],
    ["1", true],
    ["Yes", true],
    ["on", true],
    ["false", false],
    ["F", false],
    ["0", false],
    ["no", false],
    ["OFF", false],
  ])("accepts %s as the boolean %s", (value, expected) => {
    expect(decode({ "multi-version": value }).data?.["multi-version"]).toBe(expected);
    expect(decode({ multi_version: value }).data?.["multi-version"]).toBe(expected);
  });

  it.each(["", "2", "yes please", "null", "tru"])("refuses %j as a boolean", (value) => {
    expect(decode({ "multi-version": value }).success).toBe(false);
  });

  it.each([
    ["0", 0],
    ["7", 7],
    ["+7", 7],
    ["2147483647", 2147483647],
  ])("accepts %s as the integer %d", (value, expected) => {
    expect(decode({ start: value }).data?.start).toBe(expected);
  });

  it.each(["", " ", "1.5", "1e3", "0x10", "-1", "NaN", "2147483648", "99999999999999999999"])(
    "refuses %j as an integer",
    (value) => {
      expect(decode({ start: value }).success).toBe(false);
    },
  );

  it("accepts one value or several of an array, and any other key as a filter", () => {
    expect(decode({ time: "2000" }).data?.time).toEqual(["2000"]);
    expect(decode({ time: ["2000", "2001"] }).data?.time).toEqual(["2000", "2001"]);
    expect(decode({ model: "a", "b-c": ["d", "e"] }).data?.filters).toEqual({
      model: ["a"],
      "b-c": ["d", "e"],
    });
    expect(decode({ "time-select": "file" }).data?.time_select).toBe("file");
  });
});

describe("the contract", () => {
  it("accepts the flavours of the vocabulary, and other names", () => {
    const flavour = (document.components as { schemas: Record<string, Json> }).schemas.Flavour;
    expect(flavour?.examples).toEqual([...FLAVOUR_NAMES]);
    for (const name of [...FLAVOUR_NAMES, "My-own_1"]) {
      expect(schemas.Flavour.safeParse(name).success, name).toBe(true);
    }
    for (const name of ["", "__proto__", "1", "a b", "a/b", "ä", "a.b", "a".repeat(65)]) {
      expect(schemas.Flavour.safeParse(name).success, name).toBe(false);
    }
  });

  let made: Map<string, string>;
  beforeAll(async () => {
    made = await generate(text);
  });

  it("is the source of generated/", async () => {
    for (const [name, expected] of made) {
      const present = await readFile(packagePath("generated", name), "utf8");
      expect(present === expected, `generated/${name} is stale: npm run generate`).toBe(true);
    }
  });

  it.each([
    ["keyword", ["components", "schemas", "Status"], { not: {} }],
    ["type", ["components", "schemas", "Status"], { type: "tuple" }],
    [
      "format",
      ["components", "schemas", "Status", "properties"],
      { x: { type: "string", format: "iban" } },
    ],
    ["key of an operation", ["paths", "/ping", "get"], { callbacks: {} }],
    [
      "key of a response",
      ["paths", "/ping", "get", "responses"],
      { 200: { description: "x", links: {} } },
    ],
    ["security scheme", ["components", "securitySchemes"], { bearer: { type: "mutualTLS" } }],
    ["name of a security scheme", ["paths", "/auth/v2/status", "get"], { security: [{ x: [] }] }],
    [
      "name of a schema",
      ["components", "schemas", "Status"],
      { properties: { x: { $ref: "#/components/schemas/Nothing" } } },
    ],
  ])("stops the generator on an unknown %s", async (_, path, change) => {
    const changed = structuredClone(document);
    Object.assign(
      path.reduce((part, key) => part[key] as Json, changed),
      change,
    );
    await expect(generate(JSON.stringify(changed))).rejects.toThrow();
  });
});
