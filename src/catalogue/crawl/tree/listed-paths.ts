/** Reads lists of paths, as written by `lfs find`, Robinhood and GPFS policies. */
import { normalize } from "node:path";
import type { Input } from "../../../index/loading/read-documents.js";
import { NOT_UTF8, readText } from "../../../index/loading/read-text.js";

interface ListedPath {
  /** Absolute. A trailing slash means the whole folder. */
  readonly path: string;
  /** Whether the list marks it as removed. */
  readonly isRemoved: boolean;
}

type ListedLine = ListedPath | { readonly line: string; readonly reason: string };

const MAX_LINE = 100_000;
/** The prefix of a GPFS policy list: inode, generation, snapshot and SHOW's output. */
const POLICY = /^\d+ +\d+ +\d+ .*?-- (?=\/)/;

/**
 * Reads paths separated by line feeds or NULs, whichever comes first. `+/path` exists, `-/path` was removed.
 *
 * @param isRemoved what a path without a sign means
 */
export async function* readPaths(
  input: Input,
  isRemoved: boolean,
): AsyncGenerator<ListedLine, void, undefined> {
  let rest = "";
  let separator: "\n" | "\0" | undefined;
  for await (const piece of readText(input.open(), () => {})) {
    rest += piece;
    separator ??= /[\n\0]/.exec(rest)?.[0] as "\n" | "\0" | undefined;
    if (separator === undefined) {
      if (rest.length > MAX_LINE) break;
      continue;
    }
    const lines = rest.split(separator);
    rest = lines.pop() ?? "";
    for (const line of lines) yield* listed(line, isRemoved);
    if (rest.length > MAX_LINE) break;
  }
  yield* listed(rest, isRemoved);
}

function* listed(text: string, byDefault: boolean): Generator<ListedLine> {
  const line = text.replace(/\r$/, "");
  if (line.trim() === "") return;
  if (line.length > MAX_LINE) {
    yield { line: `${line.slice(0, 100)}...`, reason: "is no path; nothing from here on was read" };
    return;
  }
  if (line.includes(NOT_UTF8)) {
    yield { line: line.replaceAll(NOT_UTF8, "?"), reason: "the name is not UTF-8" };
    return;
  }
  const path = line.replace(POLICY, "");
  const sign = /^[+-]/.exec(path)?.[0];
  const named = sign === undefined ? path : path.slice(1);
  if (!named.startsWith("/")) yield { line, reason: "is no absolute path" };
  else yield { path: normalize(named), isRemoved: sign === undefined ? byDefault : sign === "-" };
}
