/** The local path that a text of user data names. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Unreadable } from "../extent/period.js";

/**
 * The absolute path of a path or a `file:` URL (RFC 8089), without `.`, `..`, empty segments and a trailing slash. Symbolic
 * links are not resolved.
 *
 * @returns undefined for text that names nothing on this machine, such as a URL of another host
 * @throws Unreadable for an invalid `file:` URL
 */
export function namedPath(text: string): string | undefined {
  if (!text.startsWith("/") && !/^file:/i.test(text)) return undefined;
  const path = text.startsWith("/") ? text : pathInAddress(text);
  // No file name contains a NUL.
  return path === undefined || path.includes("\0") ? undefined : resolve(path);
}

function pathInAddress(text: string): string | undefined {
  try {
    const url = new URL(text);
    // URL drops `localhost`; any other host is another machine.
    return url.host === "" ? fileURLToPath(url) : undefined;
  } catch (cause) {
    throw new Unreadable("is not a valid file: URL", { cause });
  }
}
