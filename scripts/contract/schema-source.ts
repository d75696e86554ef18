/**
 * Turns the JSON Schema keywords that openapi.yaml uses into the source of a zod schema.
 *
 * An unknown keyword stops the generator, so that no constraint is silently lost.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export class ContractError extends Error {
  override readonly name = "ContractError";
}

const DOCUMENTATION = ["description", "example", "examples", "title", "deprecated"];
/** Input aliases beside the documented name (input-aliases.ts). */
const OTHER_SPELLING = "x-also";
const KNOWN: Record<string, readonly string[]> = {
  string: ["enum", "x-enum-varnames", "const", "minLength", "maxLength", "pattern", "format"],
  integer: ["minimum", "maximum", "not"],
  number: ["minimum", "maximum"],
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems", "x-or-one"],
  object: ["properties", "required", "additionalProperties", "maxProperties", "x-or-text"],
};
/** Formats add no constraint; these two describe how a string is sent and how a form shows it. */
const STRING_FORMATS: Record<string, string> = {
  binary: "z.instanceof(Uint8Array)",
  password: "z.string()",
};

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: Json | undefined, where: string): JsonObject => {
  if (isObject(value)) return value;
  throw new ContractError(`${where}: an object is expected`);
};

/** Refuses keys that the generator would ignore. */
export function onlyKeys(value: JsonObject, known: readonly string[], where: string): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new ContractError(`${where}: the generator does not know ${unknown.join(", ")}`);
  }
}

/** The name behind a reference to a component, `#/components/<section>/<name>`. */
export function referenced(value: JsonObject, section: string, where: string): string | undefined {
  if (value.$ref === undefined) return undefined;
  onlyKeys(value, ["$ref"], where);
  const prefix = `#/components/${section}/`;
  if (typeof value.$ref !== "string" || !value.$ref.startsWith(prefix)) {
    throw new ContractError(`${where}: ${value.$ref} is not in ${prefix}`);
  }
  return value.$ref.slice(prefix.length);
}

const literal = (value: Json | undefined): string => JSON.stringify(value);

function bounds(schema: JsonObject, calls: Record<string, string>): string {
  return Object.entries(calls)
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, call]) => `.${call}(${literal(schema[keyword])})`)
    .join("");
}

/** `not: { const: x }`, the only supported form of `not`. */
function excluded(schema: JsonObject, where: string): string {
  if (schema.not === undefined) return "";
  const not = asObject(schema.not, where);
  onlyKeys(not, ["const"], `${where}.not`);
  const value = literal(not.const);
  return `.refine((value) => value !== ${value}, "must not be ${value}")`;
}

function stringSource(schema: JsonObject, where: string): string {
  if (schema.const !== undefined) return `z.literal(${literal(schema.const)})`;
  if (schema.enum !== undefined) return `z.enum(${literal(schema.enum)})`;
  const base = schema.format === undefined ? "z.string()" : STRING_FORMATS[`${schema.format}`];
  if (base === undefined) throw new ContractError(`${where}: format ${schema.format} is not known`);
  const pattern =
    schema.pattern === undefined ? "" : `.regex(new RegExp(${literal(schema.pattern)}, "u"))`;
  return `${base}${bounds(schema, { minLength: "min", maxLength: "max" })}${pattern}`;
}

function objectSource(schema: JsonObject, where: string): string {
  const additional = schema.additionalProperties;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : undefined;
  const limit =
    schema.maxProperties === undefined
      ? ""
      : `.refine((value) => Object.keys(value).length <= ${literal(schema.maxProperties)}, "has too many properties")`;
  if (properties === undefined && isObject(additional)) {
    return `z.record(z.string(), ${schemaSource(additional, `${where}.*`)})${limit}`;
  }
  const spellings: Record<string, string> = {};
  const members = Object.entries(properties ?? {}).map(([name, property]) => {
    const { [OTHER_SPELLING]: other, ...child } = asObject(property, `${where}.${name}`);
    if (typeof other === "string") spellings[other] = name;
    const source = schemaSource(child, `${where}.${name}`);
    const optional = required.includes(name) || child.default !== undefined ? "" : ".optional()";
    return `${literal(name)}: ${source}${optional}`;
  });
  const shape = `{ ${members.join(", ")} }`;
  const free = isObject(additional) ? schemaSource(additional, `${where}.*`) : undefined;
  const kind = additional === false ? "strictObject" : "looseObject";
  const source =
    free === undefined
      ? `z.${kind}(${shape})${limit}`
      : `z.object(${shape}).catchall(${free})${limit}`;
  return Object.keys(spellings).length > 0 ? `alsoNamed(${literal(spellings)}, ${source})` : source;
}

function typedSource(type: string, schema: JsonObject, where: string): string {
  const known = KNOWN[type];
  if (known === undefined) throw new ContractError(`${where}: type ${type} is not known`);
  onlyKeys(schema, ["type", "default", ...DOCUMENTATION, ...known], where);
  switch (type) {
    case "string":
      return stringSource(schema, where);
    case "integer":
      return `z.int()${bounds(schema, { minimum: "min", maximum: "max" })}${excluded(schema, where)}`;
    case "number":
      return `z.number()${bounds(schema, { minimum: "min", maximum: "max" })}`;
    case "array": {
      const items = schemaSource(asObject(schema.items, `${where}.items`), `${where}[]`);
      const source = `z.array(${items})${bounds(schema, { minItems: "min", maxItems: "max" })}`;
      return schema["x-or-one"] === true ? `orOne(${source})` : source;
    }
    case "object": {
      const source = objectSource(schema, where);
      // As x-or-one: validators take a text beside the documented object.
      return schema["x-or-text"] === true ? `orText(${source})` : source;
    }
    default:
      return `z.${type}()`;
  }
}

/**
 * The source of the zod schema that accepts what a JSON schema accepts.
 *
 * @param where the schema's place in the document, for errors
 * @throws ContractError for an unknown keyword, type or format
 */
export function schemaSource(schema: JsonObject, where: string): string {
  const reference = referenced(schema, "schemas", where);
  if (reference !== undefined) return reference;
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema[keyword];
    if (!Array.isArray(choices)) continue;
    onlyKeys(schema, [keyword, ...DOCUMENTATION], where);
    const sources = choices.map((choice) => schemaSource(asObject(choice, where), where));
    return `z.union([${sources.join(", ")}])`;
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const sources = types.map((type) => {
    if (typeof type !== "string") throw new ContractError(`${where}: a type is missing`);
    const own = types.length > 1 ? pickFor(type, schema) : schema;
    return typedSource(type, { ...own, type }, where);
  });
  const source = sources.length === 1 ? sources[0] : `z.union([${sources.join(", ")}])`;
  return schema.default === undefined
    ? `${source}`
    : `${source}.default(${literal(schema.default)})`;
}

/** Picks the keywords for one type from a schema with several types. */
function pickFor(type: string, schema: JsonObject): JsonObject {
  const others = Object.entries(KNOWN)
    .filter(([name]) => name !== type)
    .flatMap(([, keywords]) => keywords);
  const keep = KNOWN[type] ?? [];
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => keep.includes(key) || !others.includes(key)),
  );
}

/** The component schemas that a schema refers to, at any depth. */
export function references(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  const prefix = "#/components/schemas/";
  if (typeof value.$ref === "string" && value.$ref.startsWith(prefix)) {
    return [value.$ref.slice(prefix.length)];
  }
  return Object.values(value).flatMap(references);
}
