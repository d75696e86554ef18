/** Serves the web page that scripts/build-web.mjs builds from web/. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import { UserError } from "../../../platform/errors.js";
import { packagePath } from "../../../platform/package-root.js";
import { policyOf } from "../../formats/pages/page.js";
import { leaving } from "../mount.js";
import { fixedFile, fixedText } from "./document.js";

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
