/** Serves the contract: openapi.yaml, its JSON forms, and Swagger UI; and the web page that scripts/build-web.mjs builds from web/. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { isScalar, parseDocument, visit } from "yaml";
import { PREFIX } from "../../../../generated/prefix.js";
import { UserError } from "../../../platform/errors.js";
import { packagePath } from "../../../platform/package-root.js";
import { sha256 } from "../../../platform/sha256.js";
import { markup, policyOf, wholePage } from "../../formats/pages/page.js";
import { accepts, withKeptGzip } from "../../http/compress.js";
import { matches } from "../../http/entity-tag.js";
import type { ReadCaller } from "../caller.js";
import { type Answering, leaving } from "../mount.js";

/** openapi.yaml as text, as JSON, and converted to OpenAPI 3.0. */
export interface ContractDocument {
  readonly yaml: string;
  readonly json: string;
  readonly json30: string;
}

/** Reads the contract, as YAML and as the generated JSON. Its addresses begin with the path of the public address. */
export async function readDocument(path = ""): Promise<ContractDocument> {
  const yaml = yamlBelow(path, await readFile(packagePath("openapi.yaml"), "utf8"));
  const readJson = async (name: string): Promise<string> =>
    jsonBelow(path, await readFile(packagePath("generated", name), "utf8"));
  const [json, json30] = [await readJson("openapi.json"), await readJson("openapi-3.0.json")];
  return { yaml, json, json30 };
}

/** The fields of an OpenAPI document that hold addresses (OpenAPI 3.1, 4.8.5 and 4.8.29). */
const ADDRESSES = ["url", "tokenUrl", "refreshUrl"];

function yamlBelow(path: string, yaml: string): string {
  if (path === "") return yaml;
  const document = parseDocument(yaml);
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || !ADDRESSES.includes(String(key.value))) return;
      if (String(value.value).startsWith("/")) value.value = path + value.value;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function jsonBelow(path: string, json: string): string {
  if (path === "") return json;
  const document: unknown = JSON.parse(json, (key, value) =>
    ADDRESSES.includes(key) && String(value).startsWith("/") ? path + value : value,
  );
  return JSON.stringify(document, null, 2);
}

/** Swagger UI's script writes styles into the page; everything else comes from the service. */
const PAGE_POLICY = policyOf(
  [
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
  ],
  "'self'",
);

/** The files of Swagger UI, which scripts/build-web.mjs copies. */
const ASSETS = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
const OWN_ASSETS = [
  "document.js",
  "page.css",
  "r.js",
  "request.js",
  "sign-in.js",
  "snippets.js",
  "start.js",
];

/** Crawlers may index the documents, but not lists and streams. */
const ROBOTS = `User-agent: *
Disallow: ${PREFIX}/
Disallow: /*${PREFIX}/
`;

/** Serves the document at /openapi.yaml, /openapi.json and /openapi-3.0.json, and Swagger UI at /docs. */
export function mountDocument(app: Hono, document: ContractDocument): void {
  const html = { "Content-Security-Policy": PAGE_POLICY };
  const texts: Readonly<Record<string, Answering>> = {
    "/robots.txt": fixedText("text/plain; charset=utf-8", ROBOTS),
    "/openapi.yaml": fixedText("application/yaml; charset=utf-8", document.yaml),
    "/openapi.json": fixedText("application/json", document.json),
    "/openapi-3.0.json": fixedText("application/json", document.json30),
    "/docs": fixedText("text/html; charset=utf-8", swaggerPage(), html),
  };
  for (const [path, answer] of Object.entries(texts)) app.get(path, leaving(answer));
  for (const [folder, names] of [
    [packagePath("dist", "page", "docs"), ASSETS],
    [packagePath("web", "docs"), OWN_ASSETS],
  ] as const) {
    for (const name of names) app.get(`/docs/${name}`, leaving(fixedFile(join(folder, name))));
  }
}

/** The page with Swagger UI. Its links are relative, for proxies with a path. Its scripts are in web/docs. */
function swaggerPage(): string {
  return wholePage(
    "climate-nextgen API",
    markup`<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
<link rel="icon" href="docs/favicon-32x32.png">`,
    markup`<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script type="module" src="docs/start.js"></script>`,
  );
}

/** Answers at the API's base address with links to the documents. Not part of the contract. */
export function mountApiIndex(app: Hono, readCaller: ReadCaller): void {
  const answer = leaving((c) => {
    const { base } = readCaller(c);
    const links = {
      title: "climate-nextgen",
      documentation: `${base}/docs`,
      contract: `${base}/openapi.json`,
      overview: `${base}${PREFIX}/databrowser/overview`,
    };
    const headers = { "Content-Type": "application/json" };
    return { status: 200, headers, body: JSON.stringify(links) };
  });
  app.get(PREFIX, answer);
}

type Headers = Readonly<Record<string, string>>;

/** Answers with a text or bytes, or with 304 if the client has it. */
export function fixedText(
  type: string,
  body: string | Uint8Array,
  headers: Headers = {},
): Answering {
  const etag = `"${sha256(body).slice(0, 22)}"`;
  const all = { "Content-Type": type, ETag: etag, "Cache-Control": "no-cache", ...headers };
  const answer = withKeptGzip({ status: 200, headers: all, body });
  const unchanged = { status: 304, headers: all };
  return ({ req }) => (matches(req.header("If-None-Match"), etag) ? unchanged : answer);
}

/** The codings of files that are compressed beside the original, by the ending of their names; the smallest first. */
const CODINGS = { br: ".br", gzip: ".gz" };

/** Answers with a file, which is read now, in the smallest form that the client accepts. */
export function fixedFile(path: string, headers: Headers = {}): Answering {
  const type = getMimeType(path) ?? "application/octet-stream";
  const plain = fixedText(type, readFileSync(path), headers);
  const coded = Object.entries(CODINGS).flatMap(([coding, ending]) => {
    if (!existsSync(path + ending)) return [];
    const own = { ...headers, "Content-Encoding": coding };
    return [{ coding, answer: fixedText(type, readFileSync(path + ending), own) }];
  });
  return (c) => {
    const accepted = c.req.header("Accept-Encoding");
    return (coded.find(({ coding }) => accepts(accepted, coding))?.answer ?? plain)(c);
  };
}

/** The page loads only its own files and calls only the service. Chunk decoders are WebAssembly. */
const POLICY = policyOf(
  [
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
  ],
  "'self'",
);

/** For files whose names contain a hash of their content. */
const FOR_GOOD = "public, max-age=31536000, immutable";

function built(name: string): string {
  try {
    return readFileSync(packagePath("dist", "page", name), "utf8");
  } catch (cause) {
    throw new UserError("The page is not built: run npm run build.", { cause });
  }
}

/** Serves the page at the address of each of its views, and its files at /assets. */
export function mountSite(app: Hono): void {
  const page = fixedText("text/html; charset=utf-8", built("index.html"), {
    "Content-Security-Policy": POLICY,
  });
  for (const view of JSON.parse(built("paths.json")) as string[])
    app.get(`/${view}`, leaving(page));
  // The licences of bundled packages require their texts.
  const licences = fixedText("text/plain; charset=utf-8", built("licences.txt"));
  app.get("/licences.txt", leaving(licences));
  const folder = packagePath("dist", "page", "assets");
  for (const name of readdirSync(folder)) {
    if (/\.(?:br|gz)$/.test(name)) continue;
    const file = fixedFile(join(folder, name), { "Cache-Control": FOR_GOOD });
    app.get(`/assets/${name}`, leaving(file));
  }
}
