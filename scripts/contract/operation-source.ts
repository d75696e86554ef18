/** Turns an operation of openapi.yaml into the source of its route: path, request and responses. */
import { FREE_FILTER } from "../../src/server/contract/input/query-forms.js";
import {
  asObject,
  ContractError,
  type Json,
  type JsonObject,
  onlyKeys,
  referenced,
  schemaSource,
} from "./schema-source.js";
import { accessOf } from "./security-source.js";

/** Resolves a reference to a component; other values are returned as they are. */
export function resolve(
  document: JsonObject,
  value: Json,
  section: string,
  where: string,
): JsonObject {
  const object = asObject(value, where);
  const name = referenced(object, section, where);
  if (name === undefined) return object;
  const components = asObject(document.components, "components");
  return asObject(asObject(components[section], section)[name], `${section}.${name}`);
}

interface Parameter {
  readonly name: string;
  readonly source: string;
  readonly kind: string;
}

function parameterOf(raw: JsonObject, document: JsonObject, where: string): Parameter {
  onlyKeys(
    raw,
    [
      "name",
      "in",
      "description",
      "required",
      "schema",
      "example",
      "examples",
      "style",
      "explode",
      "x-rest-of-path",
      "x-filter",
      "x-facets",
      "x-may-be-empty",
    ],
    where,
  );
  const schema = asObject(raw.schema, where);
  const resolved = resolve(document, schema, "schemas", where);
  const optional = raw.required === true || resolved.default !== undefined ? "" : ".optional()";
  if (raw.in === "query" && resolved.type === "array") {
    if (raw.style !== "form" || raw.explode !== true) {
      throw new ContractError(`${where}: an array needs style form, exploded`);
    }
  } else if (resolved.type === "object" || resolved.type === "array") {
    throw new ContractError(`${where}: a parameter of type ${resolved.type} cannot be read`);
  }
  const name = String(raw.name);
  const kind = raw["x-may-be-empty"] === true ? "text" : String(resolved.type);
  return { name, source: schemaSource(schema, where) + optional, kind };
}

/** Filters are named or free parameters; a handler gets one table of them. */
const FILTERS: Parameter = {
  name: "filters",
  source: "z.record(z.string(), z.array(FilterValue))",
  kind: "filters",
};

/** Whether a parameter is a filter: `named` after a facet, or `free`, with the name in its items. */
export function isFilter(raw: JsonObject, where: string): boolean {
  const kind = raw["x-filter"];
  if (kind === undefined) return false;
  const known = kind === "named" || (kind === "free" && raw.name === FREE_FILTER);
  if (!known || raw.in !== "query") throw new ContractError(`${where}: x-filter ${kind}`);
  return true;
}

/**
 * The path of a route. A parameter with `x-rest-of-path` matches the rest of the path including slashes, which OpenAPI
 * cannot express.
 */
export function routedPath(path: string, operation: JsonObject, document: JsonObject): string {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  const rest = parameters
    .map((value) => resolve(document, value, "parameters", path))
    .find((parameter) => parameter["x-rest-of-path"] === true);
  return rest === undefined ? path : path.replace(`{${rest.name}}`, `{${rest.name}{.+}}`);
}

/** The status of requests that do not match the contract: 422, or 400 where `x-invalid-status` says so. */
function invalidStatus(operation: JsonObject, where: string): 400 | 422 {
  const status = operation["x-invalid-status"];
  if (status === undefined) return 422;
  if (status !== 400) throw new ContractError(`${where}: x-invalid-status ${status}`);
  return status;
}

type Groups = Readonly<Record<"path" | "query" | "header", Parameter[]>>;

/** The parameters of an operation by their place. */
function parametersOf(operation: JsonObject, document: JsonObject, where: string): Groups {
  const groups: Groups = { path: [], query: [], header: [] };
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  for (const value of parameters) {
    const raw = resolve(document, value, "parameters", where);
    const group = groups[raw.in as keyof Groups] as Parameter[] | undefined;
    if (group === undefined) throw new ContractError(`${where}: parameters in ${raw.in}`);
    const parameter = parameterOf(raw, document, `${where} ${raw.name}`);
    if (!isFilter(raw, where)) group.push(parameter);
    else if (raw["x-filter"] === "free") group.push(FILTERS);
  }
  return groups;
}

/** How an operation's query text is read; undefined without a query. */
export function queryTextOf(
  operation: JsonObject,
  document: JsonObject,
  where: string,
): JsonObject | undefined {
  const { query } = parametersOf(operation, document, where);
  if (query.length === 0) return undefined;
  const parameters = query.map(({ name, kind }) => ({ name, kind }));
  return { parameters, ignoresUnknown: operation["x-unknown-parameters"] !== undefined };
}

/** The source of a route's request: validators of its parameters and bodies. */
export function requestSource(operation: JsonObject, document: JsonObject, where: string): string {
  const groups = parametersOf(operation, document, where);
  const members = (group: readonly Parameter[]): string =>
    group.map(({ name, source }) => `${JSON.stringify(name)}: ${source}`).join(", ");
  const invalid = String(invalidStatus(operation, where));
  const hasParameters = Array.isArray(operation.parameters) && operation.parameters.length > 0;
  const needed = [
    ...(hasParameters ? [invalid] : []),
    ...(operation.requestBody === undefined ? [] : ["400", "413", "415", invalid]),
  ];
  for (const status of needed) {
    if (asObject(operation.responses, where)[status] === undefined) {
      throw new ContractError(`${where}: an operation with such a request can answer ${status}`);
    }
  }
  const parts = [`params: z.strictObject({ ${members(groups.path)} })`];
  if (groups.query.length > 0) parts.push(`query: z.strictObject({ ${members(groups.query)} })`);
  if (groups.header.length > 0) parts.push(`headers: z.object({ ${members(groups.header)} })`);
  if (operation.requestBody !== undefined) {
    const body = resolve(document, operation.requestBody, "requestBodies", where);
    onlyKeys(body, ["description", "required", "content", "x-body-limit"], where);
    parts.push(
      `body: { required: ${body.required === true}, content: ${contentSource(body, where)} }`,
    );
  }
  return `{ ${parts.join(", ")} }`;
}

function contentSource(holder: JsonObject, where: string): string {
  const media = Object.entries(asObject(holder.content, `${where} content`)).map(
    ([type, value]) => {
      const content = asObject(value, `${where} ${type}`);
      onlyKeys(content, ["schema", "example", "examples"], `${where} ${type}`);
      const source = schemaSource(asObject(content.schema, where), `${where} ${type}`);
      return `${JSON.stringify(type)}: { schema: ${source} }`;
    },
  );
  return `{ ${media.join(", ")} }`;
}

/** The source of a route's responses, by status. */
export function responsesSource(
  operation: JsonObject,
  document: JsonObject,
  where: string,
): string {
  const responses = Object.entries(asObject(operation.responses, `${where} responses`));
  const sources = responses.map(([status, value]) => {
    const place = `${where} ${status}`;
    const response = resolve(document, value, "responses", place);
    onlyKeys(response, ["description", "headers", "content"], place);
    const content =
      response.content === undefined ? "" : `, content: ${contentSource(response, place)}`;
    return `${status}: { description: ${JSON.stringify(response.description)}${content} }`;
  });
  return `{ ${sources.join(", ")} }`;
}

/** The limit of a request's body, which each body has; undefined without a body. */
function bodyLimit(
  operation: JsonObject,
  document: JsonObject,
  where: string,
): JsonObject | undefined {
  if (operation.requestBody === undefined) return undefined;
  const body = resolve(document, operation.requestBody, "requestBodies", where);
  const limit = asObject(body["x-body-limit"], `${where} x-body-limit`);
  onlyKeys(limit, ["bytes", "entries", "depth"], `${where} x-body-limit`);
  for (const value of [limit.bytes, limit.entries ?? 0, limit.depth ?? 0]) {
    if (!Number.isSafeInteger(value)) throw new ContractError(`${where}: x-body-limit ${value}`);
  }
  return limit;
}

/** Kinds of answers (`x-kind`). */
export const KINDS = ["answer", "list", "catalogue", "file", "zarr", "preview"];

/** The row of an operation: what it is, beside its request and its answers. */
export function traitsOf(
  operation: JsonObject,
  document: JsonObject,
  path: string,
  where: string,
): JsonObject {
  const { "x-kind": kind, "x-audit": audit, parameters = [] } = operation;
  if (typeof kind !== "string" || !KINDS.includes(kind))
    throw new ContractError(`${where}: x-kind ${kind}`);
  const names = (Array.isArray(parameters) ? parameters : []).map(
    (value) => resolve(document, value, "parameters", where).name,
  );
  const body = bodyLimit(operation, document, where);
  return {
    ...{ access: accessOf(operation, document, where), kind, path },
    ...(names.includes("need") && { groups: true }),
    ...(audit !== undefined && { audit }),
    ...(body !== undefined && { body }),
    ...(invalidStatus(operation, where) === 400 && { invalid: 400 }),
  };
}
