/**
 * Generates generated/ from openapi.yaml: types, validators, one route per operation, and the contract in OpenAPI 3.0.
 *
 * `npm run generate` writes them; with `--check` nothing is written, and stale files are an error.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import openapiTypes, { astToString } from "openapi-typescript";
import { parse } from "yaml";
import { packagePath } from "../../src/platform/package-root.js";
import { TABLES } from "../../src/server/contract/input/query-forms.js";
import { toOpenApi30 } from "./openapi-3.0.js";
import {
  isFilter,
  KINDS,
  queryTextOf,
  requestSource,
  resolve,
  responsesSource,
  routedPath,
  traitsOf,
} from "./operation-source.js";
import { withOtherContent } from "./other-content.js";
import {
  asObject,
  ContractError,
  isObject,
  type JsonObject,
  onlyKeys,
  references,
  schemaSource,
} from "./schema-source.js";

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
    `import { alsoNamed, orOne, orText } from "./input-aliases.js";\n\n${sources.join("\n")}`
  );
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

function routesFiles(document: JsonObject): { routes: string; operations: string } {
  const prefix = prefixOf(document);
  const components = asObject(document.components, "components");
  const names = Object.keys(asObject(components.schemas, "schemas"));
  const routes: string[] = [];
  const rows: string[] = [];
  const queries: string[] = [];
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
          "x-invalid-status",
          "x-kind",
          "x-audit",
        ],
        where,
      );
      const query = queryTextOf(operation, document, where);
      if (query) queries.push(`  ${operation.operationId}: ${JSON.stringify(query)},\n`);
      const row = traitsOf(operation, document, path, where);
      rows.push(`  ${operation.operationId}: ${JSON.stringify(row)},\n`);
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
  const routesText =
    `${BANNER}import { createRoute, z } from "@hono/zod-openapi";\n` +
    `import { ${used.join(", ")} } from "./schemas.js";\n\n` +
    `export const routes = {\n${routes.join("")}} as const;\n\n` +
    `${QUERIES_HEAD}${queries.join("")}};\n`;
  return {
    routes: routesText,
    operations: `${BANNER}${OPERATIONS_HEAD}${rows.join("")}${OPERATIONS_TAIL}`,
  };
}

/** How query text is read, before `routes` validates it. */
const QUERIES_HEAD = `export interface QueryText {
  /** The JSON type of each parameter, \`text\` if it may be empty, or \`filters\` for the table of all other keys. */
  readonly parameters: readonly { readonly name: string; readonly kind: string }[];
  /** Whether unknown keys are ignored and empty ones omitted (RFC 6749, 3.1). */
  readonly ignoresUnknown: boolean;
}

export const queryTexts: Readonly<Partial<Record<keyof typeof routes, QueryText>>> = {
`;

/** The table of operations. */
const OPERATIONS_HEAD = `/** What an operation is, beside its request and its answers. */
export interface OperationTraits {
  /** Whether it needs an access token, or takes one beside other ways in. */
  readonly access: "public" | "optional" | "required";
  /** How large its answer may be: an answer of bounded size, or data of some kind. */
  readonly kind: ${KINDS.map((kind) => JSON.stringify(kind)).join(" | ")};
  /** Below the prefix, or at the root of the host. */
  readonly path: string;
  /** Whether it searches by groups of files. */
  readonly groups?: true;
  /** The event of the audit. */
  readonly audit?: string;
  /** The maximum of its body: its bytes, the elements of each array in it, and its nesting. */
  readonly body?: { readonly bytes: number; readonly entries?: number; readonly depth?: number };
  /** The status of invalid requests, if it is not 422. */
  readonly invalid?: 400;
}

const table = {
`;
const OPERATIONS_TAIL = `} as const satisfies Record<string, OperationTraits>;

export type OperationName = keyof typeof table;
export type AccessOf<Name extends OperationName> = (typeof table)[Name]["access"];

export const OPERATIONS: Readonly<Record<OperationName, OperationTraits>> = table;
`;

/** Query parameters of searches that are no facets: reserved names. */
function wordsFile(document: JsonObject): string {
  const words = new Set<string>(TABLES);
  const operations = new Map<string, string[]>();
  for (const [path, item] of Object.entries(asObject(document.paths, "paths"))) {
    for (const operation of Object.values(asObject(item, path))) {
      const { parameters = [] } = isObject(operation) ? operation : {};
      const all = (Array.isArray(parameters) ? parameters : []).map((value) =>
        resolve(document, value, "parameters", path),
      );
      if (!all.some((parameter) => isFilter(parameter, path))) continue;
      for (const parameter of all) {
        const isFacet = parameter["x-facets"] !== undefined;
        if (parameter.in !== "query" || isFacet) continue;
        const name = String(parameter.name);
        words.add(name);
        if (parameter["x-filter"] !== undefined) continue;
        const operation = path.replace(/^\/databrowser\/|\/\{.*$/g, "");
        operations.set(name, [...new Set([...(operations.get(name) ?? []), operation])]);
      }
    }
  }
  const list = [...words].map((word) => `  ${JSON.stringify(word)},\n`).join("");
  return (
    `${BANNER}/** Names that a search understands in every flavour, and that are no facets. */\n` +
    `export const QUERY_WORDS: readonly string[] = [\n${list}];\n\n` +
    `/** The parameters of searches that are no filters, each with the operations that take it. */\n` +
    `export const TAKEN_BY: ReadonlyMap<string, readonly string[]> = new Map(${JSON.stringify([...operations], null, 2)});\n`
  );
}

/** The files of generated/ for a contract, as file name -> text. */
export async function generate(contract: string): Promise<Map<string, string>> {
  const document = asObject(parse(contract), "openapi.yaml");
  onlyKeys(document, ["openapi", "info", "servers", "tags", "paths", "components"], "openapi.yaml");
  const all = asObject(withOtherContent(document), "openapi.yaml");
  const types = astToString(await openapiTypes(JSON.stringify(all)));
  const { routes, operations } = routesFiles(all);
  const aliases = await readFile(packagePath("scripts/contract/input-aliases.ts"), "utf8");
  return new Map([
    ["openapi.ts", BANNER + types],
    ["schemas.ts", schemasFile(all)],
    ["input-aliases.ts", BANNER + aliases],
    ["prefix.ts", prefixFile(all)],
    ["words.ts", wordsFile(all)],
    ["routes.ts", routes],
    ["operations.ts", operations],
    // Served as it is, so without a newline at the end.
    ["openapi.json", JSON.stringify(document, null, 2)],
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
