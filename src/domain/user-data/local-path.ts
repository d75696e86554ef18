/** The place on this machine that a text of user data names, in the one way to write it. Pure. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Unreadable } from "../extent/period.js";

/**
 * The absolute path that a path or a `file:` address (RFC 8089) names, without `.`, `..`, empty segments and a
 * slash at its end; links are not looked at.
 *
 * @returns undefined for what is no place of this machine, such as an address on another one
 * @throws Unreadable when it looks like one, but cannot be any
 */
export function namedPath(text: string): string | undefined {
  if (!text.startsWith("/") && !/^file:/i.test(text)) return undefined;
  const path = text.startsWith("/") ? text : pathInAddress(text);
  // No file can have such a name.
  return path === undefined || path.includes("\0") ? undefined : resolve(path);
}

function pathInAddress(text: string): string | undefined {
  try {
    const url = new URL(text);
    // The parser leaves out `localhost`; any other host is another machine.
    return url.host === "" ? fileURLToPath(url) : undefined;
  } catch (cause) {
    throw new Unreadable("is not a valid file address", { cause });
  }
}
