/** Redacts paths for logs: share addresses contain a ticket, and other paths may contain anything. */
import { routes } from "../../../generated/routes.js";
import { FLAVOUR_NAMES } from "../../domain/vocabulary/flavours.js";

/** The segments of the contract's paths and of the pages. */
const WORDS = new Set([
  ...Object.values(routes).flatMap(({ path }) =>
    path.split("/").filter((part) => !/[{}]/.test(part)),
  ),
  ...FLAVOUR_NAMES,
  "file",
  "uri",
  "docs",
  "openapi.yaml",
  "openapi.json",
  "start.js",
  "favicon.ico",
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "favicon-32x32.png",
]);

/** The identifier of a data set. Users' flavours are private. */
const HARMLESS = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.zarr3?$/;
const KEY = /^[\w.]{1,24}$/;

const MAX_SEGMENTS = 24;

/**
 * A path for the log. Segments that are not known to be harmless become `...`.
 */
export function loggedPath(path: string): string {
  const segments = path.split("/");
  const shown = segments.slice(0, MAX_SEGMENTS).map((segment, index) => {
    if (segment === "" || WORDS.has(segment) || HARMLESS.test(segment)) return segment;
    const inStore = segments.slice(0, index).some((before) => /\.zarr3?$/.test(before));
    return inStore && KEY.test(segment) ? segment : "...";
  });
  return shown.join("/") + (segments.length > MAX_SEGMENTS ? "/..." : "");
}
