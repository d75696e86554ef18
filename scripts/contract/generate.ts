/**
 * Generates generated/ from openapi.yaml: types, validators, one route per operation, and the contract in OpenAPI 3.0.
 *
 * `npm run generate` writes them; with `--check` nothing is written, and stale files are an error.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import openapiTypes, { astToString } from "openapi-typescript";
import { parse } from "yaml";
import { packagePath } from "../../src/platform/package-root.js";
import { FREE_FILTER } from "../../src/server/contract/input/decode-query.js";
import { TABLES } from "../../src/server/contract/input/query-forms.js";
import { toOpenApi30 } from "./openapi-3.0.js";
import {
  asObject,
  ContractError,
  isObject,
  type Json,
  type JsonObject,
  onlyKeys,
  referenced,
  references,
  schemaSource,
} from "./schema-source.js";
import { accessOf } from "./security-source.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const BANNER = "// Made from openapi.yaml by `npm run generate`; never edited.\n";

/** Component schemas in dependency order. */
function inOrder(schemas: JsonObject): string[] {
  const done: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new ContractError(`schema ${name} refers to itself`);
    if (done.includes(name)) return;
    if (schemas[name] === undefined) throw new ContractError(`schema ${name} is missing`);
    for (const other of references(schemas[name])) visit(other, [...path, name]);
    done.push(name);
  };
  for (const name of Object.keys(schemas)) visit(name, []);
  return done;
}

function schemasFile(document: JsonObject): string {
  const components = asObject(document.components, "components");
  const schemas = asObject(components.schemas, "components.schemas");
  const sources = inOrder(schemas).map((name) => {
    const source = schemaSource(asObject(schemas[name], name), name);
    return `export const ${name} = ${source};\nexport type ${name} = z.infer<typeof ${name}>;\n`;
  });
  return (
    `${BANNER}import { z } from "@hono/zod-openapi";\n` +
    `import { alsoNamed, orOne } from "../src/server/contract/input/input-aliases.js";\n\n${sources.join("\n")}`
  );
}

/** Resolves a reference to a component; other values are returned as they are. */
function resolve(document: JsonObject, value: Json, section: string, where: string): JsonObject {
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
    throw new ContractError(`${where}: such a parameter cannot be read`);
  }
  const name = String(raw.name);
  return { name, source: schemaSource(schema, where) + optional, kind: String(resolved.type) };
}

/** Filters are named or free parameters; a handler gets one table of them. */
const FILTERS: Parameter = {
  name: "filters",
  source: "z.record(z.string(), z.array(FilterValue))",
  kind: "filters",
};

/** Whether a parameter is a filter: `named` after a facet, or `free`, with the name in its items. */
function isFilter(raw: JsonObject, where: string): boolean {
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
function routedPath(path: string, operation: JsonObject, document: JsonObject): string {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  const rest = parameters
    .map((value) => resolve(document, value, "parameters", path))
    .find((parameter) => parameter["x-rest-of-path"] === true);
  return rest === undefined ? path : path.replace(`{${rest.name}}`, `{${rest.name}{.+}}`);
}

function requestSource(operation: JsonObject, document: JsonObject, where: string): string {
  const groups: Record<string, Parameter[]> = { path: [], query: [], header: [] };
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  for (const value of parameters) {
    const raw = resolve(document, value, "parameters", where);
    const group = groups[String(raw.in)];
    if (group === undefined) throw new ContractError(`${where}: parameters in ${raw.in}`);
    const parameter = parameterOf(raw, document, `${where} ${raw.name}`);
    if (!isFilter(raw, where)) group.push(parameter);
    else if (raw["x-filter"] === "free") group.push(FILTERS);
  }
  const members = (group: Parameter[] = []): string =>
    group.map(({ name, source }) => `${JSON.stringify(name)}: ${source}`).join(", ");
  const needed = [
    ...(parameters.length > 0 ? ["422"] : []),
    ...(operation.requestBody === undefined ? [] : ["400", "413", "415", "422"]),
  ];
  for (const status of needed) {
    if (asObject(operation.responses, where)[status] === undefined) {
      throw new ContractError(`${where}: an operation with such a request can answer ${status}`);
    }
  }
  const parts = [`params: z.strictObject({ ${members(groups.path)} })`];
  if (groups.query?.length) {
    const kinds = JSON.stringify(groups.query.map(({ name, kind }) => ({ name, kind })));
    const shape = `z.strictObject({ ${members(groups.query)} })`;
    const unknown = operation["x-unknown-parameters"] === undefined ? "" : `, "ignored"`;
    parts.push(`query: z.unknown().transform(decodeQuery(${kinds}${unknown})).pipe(${shape})`);
  }
  if (groups.header?.length) parts.push(`headers: z.object({ ${members(groups.header)} })`);
  if (operation.requestBody !== undefined) {
    const body = resolve(document, operation.requestBody, "requestBodies", where);
    onlyKeys(body, ["description", "required", "content"], where);
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

function responsesSource(operation: JsonObject, document: JsonObject, where: string): string {
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

/** The path prefix: from the single server of the document, or of a path with its own server. */
function prefixOf(holder: JsonObject): string {
  const [server, ...more] = Array.isArray(holder.servers) ? holder.servers : [];
  if (!isObject(server) || more.length > 0) throw new ContractError("one server is expected");
  return String(server.url).replace(/\/$/, "");
}

/** A separate file, so that the prefix can be used without loading the routes. */
function prefixFile(document: JsonObject): string {
  return `${BANNER}/** What the path of each operation begins with. */\nexport const PREFIX = ${JSON.stringify(prefixOf(document))};\n`;
}

function routesFile(document: JsonObject): string {
  const prefix = prefixOf(document);
  const components = asObject(document.components, "components");
  const names = Object.keys(asObject(components.schemas, "schemas"));
  const routes: string[] = [];
  const access: string[] = [];
  for (const [path, value] of Object.entries(asObject(document.paths, "paths"))) {
    const { servers, ...item } = asObject(value, path);
    const root = servers === undefined ? prefix : prefixOf({ servers });
    onlyKeys(item, METHODS, path);
    for (const [method, value] of Object.entries(item)) {
      const where = `${method} ${path}`;
      const operation = asObject(value, where);
      onlyKeys(
        operation,
        [
          "operationId",
          "tags",
          "summary",
          "description",
          "security",
          "parameters",
          "requestBody",
          "responses",
          "x-samples",
          "x-unknown-parameters",
        ],
        where,
      );
      const way = accessOf(operation, document, where);
      access.push(`  ${operation.operationId}: ${JSON.stringify(way)},\n`);
      routes.push(
        `  ${operation.operationId}: createRoute({\n` +
          `    operationId: ${JSON.stringify(operation.operationId)},\n` +
          `    method: ${JSON.stringify(method)},\n` +
          `    path: ${JSON.stringify(root + routedPath(path, operation, document))},\n` +
          `    security: ${JSON.stringify(operation.security)},\n` +
          `    request: ${requestSource(operation, document, where)},\n` +
          `    responses: ${responsesSource(operation, document, where)},\n` +
          "  }),\n",
      );
    }
  }
  const used = names.filter((name) =>
    routes.some((route) => new RegExp(`\\b${name}\\b`).test(route)),
  );
  return (
    `${BANNER}import { createRoute, z } from "@hono/zod-openapi";\n` +
    `import { decodeQuery } from "../src/server/contract/input/decode-query.js";\n` +
    `import { ${used.join(", ")} } from "./schemas.js";\n\n` +
    `export const routes = {\n${routes.join("")}} as const;\n\n` +
    `/** Whether an operation needs an access token, or takes one beside other ways in. */\n` +
    `export const ACCESS = {\n${access.join("")}} as const;\n`
  );
}

/** Query parameters of searches that are no facets: reserved names. */
function wordsFile(document: JsonObject): string {
  const words = new Set<string>(TABLES);
  for (const [path, item] of Object.entries(asObject(document.paths, "paths"))) {
    for (const operation of Object.values(asObject(item, path))) {
      const { parameters = [] } = isObject(operation) ? operation : {};
      const all = (Array.isArray(parameters) ? parameters : []).map((value) =>
        resolve(document, value, "parameters", path),
      );
      if (!all.some((parameter) => isFilter(parameter, path))) continue;
      for (const parameter of all) {
        const isFacet = parameter["x-facets"] !== undefined;
        if (parameter.in === "query" && !isFacet) words.add(String(parameter.name));
      }
    }
  }
  const list = [...words].map((word) => `  ${JSON.stringify(word)},\n`).join("");
  return (
    `${BANNER}/** Names that a search understands in every flavour, and that are no facets. */\n` +
    `export const QUERY_WORDS: readonly string[] = [\n${list}];\n`
  );
}

/** The files of generated/ for a contract, as file name -> text. */
export async function generate(contract: string): Promise<Map<string, string>> {
  const document = asObject(parse(contract), "openapi.yaml");
  onlyKeys(document, ["openapi", "info", "servers", "tags", "paths", "components"], "openapi.yaml");
  const types = astToString(await openapiTypes(contract));
  return new Map([
    ["openapi.ts", BANNER + types],
    ["schemas.ts", schemasFile(document)],
    ["prefix.ts", prefixFile(document)],
    ["words.ts", wordsFile(document)],
    ["routes.ts", routesFile(document)],
    // Served as it is, so without a newline at the end.
    ["openapi-3.0.json", JSON.stringify(toOpenApi30(document), null, 2)],
  ]);
}

/** Writes generated/, or with `check` returns its stale files. */
export async function run(check: boolean): Promise<string[]> {
  const files = await generate(await readFile(packagePath("openapi.yaml"), "utf8"));
  const stale: string[] = [];
  await mkdir(packagePath("generated"), { recursive: true });
  for (const [name, text] of files) {
    const path = packagePath("generated", name);
    const present = await readFile(path, "utf8").catch(() => undefined);
    if (present === text) continue;
    stale.push(name);
    if (!check) await writeFile(path, text);
  }
  return stale;
}
