/**
 * openapi.yaml -> the contract in OpenAPI 3.0.3, for tools that do not support 3.1: the same operations.
 *
 * Source: OpenAPI 3.0.3, 4.7.24 (the schema object); 3.1 has JSON Schema 2020-12 instead. A schema that 3.0 cannot express
 * stops the conversion: a copy that says less would be another contract.
 */
import { isObject, type Json, type JsonObject } from "./schema-source.js";

/** openapi.yaml uses something that OpenAPI 3.0 cannot express. */
export class NotInOpenApi30 extends Error {
  override readonly name = "NotInOpenApi30";
}

/** Keywords with the same meaning in both versions, and without schemas in their values. */
const SAME = [
  "title",
  "description",
  "default",
  "enum",
  "format",
  "deprecated",
  "example",
  "required",
  "minimum",
  "maximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "readOnly",
  "writeOnly",
  "nullable",
];

const mapped = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** @throws NotInOpenApi30 */
function schema30(value: Json, where: string): Json {
  if (!isObject(value))
    throw new NotInOpenApi30(`${where}: ${value} is not a schema of OpenAPI 3.0`);
  // OpenAPI 3.0 ignores everything beside a reference.
  if (value.$ref !== undefined) return { $ref: value.$ref };
  const result: Record<string, Json> = {};
  for (const [key, part] of Object.entries(nullable(value))) {
    const place = `${where}.${key}`;
    if (key.startsWith("x-") || SAME.includes(key)) result[key] = part;
    else if (key === "type") Object.assign(result, type30(part, place));
    else if (key === "const") result.enum = [part];
    else if (key === "examples" && Array.isArray(part)) result.example = part[0] ?? null;
    else if (key === "exclusiveMinimum" || key === "exclusiveMaximum") {
      result[key === "exclusiveMinimum" ? "minimum" : "maximum"] = part;
      result[key] = true;
    } else if (key === "items" || key === "not") result[key] = schema30(part, place);
    else if (key === "additionalProperties") {
      result[key] = typeof part === "boolean" ? part : schema30(part, place);
    } else if (key === "properties" && isObject(part)) {
      result[key] = mapped(part, (one, name) => schema30(one, `${place}.${name}`));
    } else if (["allOf", "anyOf", "oneOf"].includes(key) && Array.isArray(part)) {
      result[key] = part.map((one: Json) => schema30(one, place));
    } else throw new NotInOpenApi30(`${place} cannot be expressed in OpenAPI 3.0`);
  }
  return result;
}

/**
 * `anyOf` of a reference to an object and null. 3.0 has no type null; `nullable` needs a type beside it, and nothing may stand
 * beside a reference.
 */
function nullable(value: JsonObject): JsonObject {
  const { anyOf, ...rest } = value;
  const [one, other, ...more] = Array.isArray(anyOf) ? anyOf : [];
  if (!isObject(one) || !isObject(other) || more.length > 0) return value;
  if (one.$ref === undefined || other.type !== "null") return value;
  return { ...rest, type: "object", nullable: true, allOf: [one] };
}

/** Converts a type; 3.0 allows one, which may be nullable. */
function type30(type: Json, where: string): JsonObject {
  const types: readonly Json[] = Array.isArray(type) ? type : [type];
  const [one = null, ...more] = types.filter((name) => name !== "null");
  if (one === null || more.length > 0) throw new NotInOpenApi30(`${where}: ${types.join(", ")}`);
  return types.includes("null") ? { type: one, nullable: true } : { type: one };
}

/** Converts the schemas at any depth, except those in examples. Everything else is the same in both versions. */
function rest30(value: Json, where: string): Json {
  if (Array.isArray(value)) return value.map((one: Json) => rest30(one, where));
  if (!isObject(value)) return value;
  return mapped(value, (part, key) => {
    const place = `${where}.${key}`;
    if (key === "example" || key === "examples") return part;
    if (key === "schema") return schema30(part, place);
    if (key === "schemas" && isObject(part)) {
      return mapped(part, (one, name) => schema30(one, `${place}.${name}`));
    }
    return rest30(part, place);
  });
}

/**
 * @param document openapi.yaml, parsed
 * @throws NotInOpenApi30
 */
export function toOpenApi30(document: JsonObject): JsonObject {
  const { info, webhooks, jsonSchemaDialect, ...rest } = document;
  if (webhooks !== undefined || jsonSchemaDialect !== undefined || !isObject(info)) {
    throw new NotInOpenApi30("webhooks and dialects cannot be expressed in OpenAPI 3.0");
  }
  const { summary: _, license, ...same } = info;
  return {
    ...(rest30(rest, "") as JsonObject),
    openapi: "3.0.3",
    info: { ...same, ...(isObject(license) && { license: license30(license) }) },
  };
}

/** In 3.0 a licence has an address instead of an SPDX identifier. */
function license30({ identifier, ...named }: JsonObject): JsonObject {
  if (identifier === undefined) return named;
  return { ...named, url: `https://spdx.org/licenses/${identifier}.html` };
}
