/** Selects the entries of a path that a command names. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { exactly, startsWith } from "../../domain/search/lucene.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";

/** Matches a path and everything below it, as written and with links resolved. */
export async function clausesBelow(path: string): Promise<string[]> {
  const named = withoutTrailing(resolve(path), "/");
  const real = await realpath(named || "/").catch(() => named);
  return [...new Set([named, withoutTrailing(real, "/")])].flatMap((one) => [
    exactly("file", one),
    startsWith("file", `${one}/`),
  ]);
}
