/**
 * Rules of openapi.yaml for the generators of clients (docs/sdk.md): what they would name themselves, mistype, or make into
 * source that does not compile.
 */
import { OTHER_CONTENT } from "./other-content.js";
import { isObject, type Json, type JsonObject } from "./schema-source.js";

/**
 * Words that may not name a property: reserved in at least two of Python, TypeScript, Java, Go and Rust, so that many
 * generators rename it, each in its own way.
 */
const RESERVED = new Set(
  (
    "abstract as async await break case catch class const continue default do else enum extends final finally for if " +
    "implements import in interface is match new package private protected public return self static struct super switch " +
    "this throw try type typeof use var while with yield"
  ).split(" "),
);
/** Properties that a published standard names so. */
const BY_STANDARD: Readonly<Record<string, string>> = {
  "Problem.type": "RFC 9457, 3.1.1",
  "JsonWebKey.use": "RFC 7517, 4.2",
  "CslItem.type": "CSL-JSON 1.0, csl-data.json",
  "IntakeAggregation.type": "ESM collection specification 0.1.0",
  "StacLink.type": "STAC 1.1.0, link object",
  "StacCatalog.type": "STAC 1.1.0, catalog specification",
  "StacCollection.type": "STAC 1.1.0, collection specification",
  "StacItem.type": "RFC 7946, 3.2",
  "StacItems.type": "RFC 7946, 3.3",
  "StacSchema.type": "JSON Schema 2020-12, validation, 6.1.1",
  "StacAggregations.type": "STAC API aggregation extension 0.3.0",
};

/** Names of types that generated clients have besides those of the contract. */
const CLIENT_TYPES = new Set(
  (
    "any apiclient apierror apiexception apikey apiresponse array auth authenticatedclient baseapi boolean bytes client " +
    "configuration context date dict error exception file float httpvalidationerror int integer json list map model none " +
    "null number object option options request response result set string type unset vec void"
  ).split(" "),
);
/** What generators put behind the id of an operation, or `Api` before it, to name its types. */
const OF_OPERATIONS = [
  "",
  "Body",
  "Data",
  "Error",
  "Errors",
  "JSONBody",
  "JSONRequestBody",
  "Param",
]
  .concat(["Params", "Query", "Request", "RequestBody", "Response", "Responses", "Result"])
  .concat(["FormdataBody", "FormdataRequestBody", "200Response", "Variables"]);
/** Prefixes and suffixes with which generators make types, or functions beside types, of the name of a schema. */
const MADE_BEFORE = ["New", "Nullable"];
const MADE_BEHIND = [
  "AllOf",
  "AnyOf",
  "Enum",
  "FromJSON",
  "FromValue",
  "Inner",
  "Item",
  "OneOf",
  "ToJSON",
];

const METHODS = ["get", "post", "put", "patch", "delete"];

interface Media {
  readonly operation: string;
  readonly path: string;
  readonly status: string;
  readonly response: JsonObject;
}

/** What breaks a rule, one line each; empty if all hold. @param document openapi.yaml, parsed */
export function brokenRules(document: JsonObject): string[] {
  const components = part(document, "components");
  const schemas = part(components, "schemas");
  const answers = mediaOf(document);
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => inline(schema, name, true)),
    ...inlineElsewhere({ ...document, components: { ...components, schemas: {} } }, ""),
    ...Object.entries(schemas).flatMap(([name, schema]) => choices(schema, name)),
    ...nullables(schemas, schemas, ""),
    ...properties(schemas),
    ...names(document),
    ...enumerators(schemas),
    ...answers.flatMap((one) => oneMediaType(one, answers)),
  ];
}

const part = (value: Json | undefined, key: string): JsonObject => {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
};
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const CHOICES = ["anyOf", "oneOf", "allOf"];

/** Whether a schema is a reference or null. Its type is the referred one. */
function isNullable(schema: JsonObject): boolean {
  const [one, other, ...more] = CHOICES.flatMap((key) => list(schema[key]));
  if (!isObject(one) || !isObject(other) || more.length > 0) return false;
  return one.$ref !== undefined && other.type === "null";
}

/** Whether generators make a type of a schema. */
const isTyped = (schema: JsonObject): boolean =>
  isObject(schema.properties) ||
  schema.enum !== undefined ||
  isObject(schema.additionalProperties) ||
  (CHOICES.some((key) => schema[key] !== undefined) && !isNullable(schema));

/** Whether a schema is the item of a parameter and more than a type: `progenitor` makes a type of it for each operation. */
const isConstrainedItem = (schema: JsonObject, where: string): boolean =>
  /^components\.parameters\..*\[items\]$/.test(where) &&
  ["minLength", "maxLength", "pattern"].some((key) => schema[key] !== undefined);

/** Schemas within a schema that need a name: generators invent `...Inner`, `...AnyOf`, or one for each use. */
function inline(schema: Json, where: string, isNamed: boolean): string[] {
  if (!isObject(schema)) return [];
  const own =
    !isNamed && (isTyped(schema) || isConstrainedItem(schema, where))
      ? [`${where}: needs a schema of its own in components`]
      : [];
  const inner = [
    ...Object.entries(part(schema, "properties")).map(
      ([key, one]) => [`${where}.${key}`, one] as const,
    ),
    ...["items", "additionalProperties", "not"].map(
      (key) => [`${where}[${key}]`, schema[key]] as const,
    ),
    ...CHOICES.flatMap((key) =>
      list(schema[key]).map((one, index) => [`${where}[${key} ${index}]`, one] as const),
    ),
  ];
  return [...own, ...inner.flatMap(([place, one]) => inline(one ?? null, place, false))];
}

/** The same for the schemas of parameters, bodies and answers. */
function inlineElsewhere(value: Json, where: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: Json, index) => inlineElsewhere(one, `${where}[${index}]`));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (key === "example" || key === "examples") return [];
    const place = `${where}.${key}`.replace(/^\./, "");
    return key === "schema" ? inline(one, place, false) : inlineElsewhere(one, place);
  });
}

/** Choices of types; `rust` of openapi-generator takes the last object among them for all. A reference or null is no choice. */
function choices(value: Json, where: string): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (key === "example" || key === "examples") return [];
    const isChoice = (key === "anyOf" || key === "oneOf") && !isNullable(value);
    const own = isChoice ? [`${where}: ${key} is no type in some languages`] : [];
    return [...own, ...choices(one, `${where}.${key}`)];
  });
}

/** What may be null is an object: OpenAPI 3.0 has no other way to say it of a reference. */
function nullables(value: Json, schemas: JsonObject, where: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => nullables(one, schemas, where));
  if (!isObject(value)) return [];
  const [one] = isNullable(value) ? CHOICES.flatMap((key) => list(value[key])) : [];
  const name = isObject(one) ? String(one.$ref).replace(/.*\//, "") : undefined;
  const isObjectOrNone = name === undefined || part(schemas, name).type === "object";
  const own = isObjectOrNone ? [] : [`${where}: null or ${name}, which is no object`];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    nullables(each, schemas, `${where}.${key}`.replace(/^\./, "")),
  );
  return [...own, ...inner];
}

const properties = (schemas: JsonObject): string[] =>
  Object.entries(schemas).flatMap(([name, schema]) =>
    Object.keys(part(schema, "properties"))
      .map((key) => `${name}.${key}`)
      .filter(
        (place) => RESERVED.has(place.replace(/.*\./, "")) && BY_STANDARD[place] === undefined,
      )
      .map((place) => `${place}: is a reserved word of several languages`),
  );

/** Names of schemas that meet each other, a component of another kind, or what generators make of the other names. */
function names(document: JsonObject): string[] {
  const components = part(document, "components");
  const own = Object.keys(part(components, "schemas"));
  const made = new Map<string, string>();
  const add = (name: string, from: string) => made.set(name.toLowerCase(), from);
  for (const section of ["parameters", "requestBodies", "responses", "headers"]) {
    for (const name of Object.keys(part(components, section)))
      add(name, `component ${section}.${name}`);
  }
  for (const id of operationsOf(document).map(({ operation }) => String(operation.operationId))) {
    for (const end of OF_OPERATIONS) {
      for (const start of ["", "Api"]) {
        if (start !== "" || end !== "") add(`${start}${id}${end}`, `operation ${id}`);
      }
    }
  }
  for (const name of own) {
    for (const start of MADE_BEFORE) add(start + name, `schema ${name}`);
    for (const end of MADE_BEHIND) add(name + end, `schema ${name}`);
  }
  const seen = new Set<string>();
  return own.flatMap((name) => {
    const key = name.toLowerCase();
    const from = made.get(key);
    const isTwin = seen.has(key);
    seen.add(key);
    return [
      ...(from === undefined ? [] : [`${name}: generators make the same name of ${from}`]),
      ...(isTwin ? [`${name}: another schema differs in case alone`] : []),
      ...(/\d$/.test(name)
        ? [`${name}: ends with a digit, as the twins that generators make`]
        : []),
      ...(CLIENT_TYPES.has(key) ? [`${name}: generated clients have a type of that name`] : []),
    ];
  });
}

/** Constants of enumerations share one namespace in Go. */
function enumerators(schemas: JsonObject): string[] {
  const owners = new Map<string, string>();
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const values = isObject(schema) ? list(schema["x-enum-varnames"] ?? schema.enum) : [];
    const constants = values.map((value) => String(value).toUpperCase().replaceAll(/\W/g, "_"));
    return constants.flatMap((constant) => {
      const owner = owners.get(constant);
      owners.set(constant, name);
      return owner === undefined ? [] : [`${name}: has the constant ${constant}, as ${owner} has`];
    });
  });
}

interface Operation {
  readonly path: string;
  readonly operation: JsonObject;
}

const operationsOf = (document: JsonObject): Operation[] =>
  Object.entries(part(document, "paths")).flatMap(([path, item]) =>
    METHODS.map((method) => part(item, method))
      .filter(({ operationId }) => operationId !== undefined)
      .map((operation) => ({ path, operation })),
  );

const mediaOf = (document: JsonObject): Media[] =>
  operationsOf(document).flatMap(({ path, operation }) =>
    Object.entries(part(operation, "responses")).map(([status, response]) => {
      const { $ref } = isObject(response) ? response : {};
      const name = String($ref ?? "").replace(/.*\//, "");
      const named = part(part(part(document, "components"), "responses"), name);
      const own = isObject(response) && $ref === undefined ? response : named;
      return { operation: String(operation.operationId), path, status, response: own };
    }),
  );

/**
 * One media type is the default. Another one is the answer of an operation below the same path, or is held by the bytes of the
 * default, or is for people with a browser, or is a problem.
 */
function oneMediaType(
  { operation, path, status, response }: Media,
  all: readonly Media[],
): string[] {
  const where = `${operation} ${status}`;
  const types = Object.keys(part(response, "content"));
  const [type] = types;
  if (types.length > 1) return [`${where}: one media type is the default, not ${types.join(", ")}`];
  const others = Object.keys(part(response, OTHER_CONTENT));
  if (type === undefined) return others.length > 0 ? [`${where}: has no default media type`] : [];
  const schema = part(part(part(response, "content"), type), "schema");
  return others.flatMap((other) => {
    const isTyped = all.some(
      (one) =>
        one.path.startsWith(`${path}/`) &&
        one.status === status &&
        Object.keys(part(one.response, "content"))[0] === other,
    );
    const isForPeople = other === "text/html";
    const isProblem = other === "application/problem+json" && !status.startsWith("2");
    if (isTyped || schema.format === "binary" || isForPeople || isProblem) return [];
    return [`${where}: ${other} needs an operation of its own below ${path}`];
  });
}
