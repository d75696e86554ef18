/** The text being written. It survives a reload and a sign-in, in this tab only. */
import { effect, signal } from "@preact/signals";
import { root } from "../address/address.js";
import { ifAllowed } from "../service/allowed.js";
import { lineEntry, writeEntry } from "./entries.js";

const STORAGE_KEY = `climate-nextgen-draft ${root}`;

interface Draft {
  readonly entries: string;
  readonly facets: string;
  /** The folder on the service's machine of the files that were dropped. */
  readonly folder: string;
  /** Names of the files that were dropped: a browser does not tell where they lie. */
  readonly dropped: readonly string[];
}

const EMPTY: Draft = { entries: "", facets: "", folder: "", dropped: [] };

function kept(): Draft {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as Record<
      string,
      unknown
    >;
    const text = (name: "entries" | "facets" | "folder"): string =>
      typeof found[name] === "string" ? found[name] : "";
    const dropped = Array.isArray(found.dropped) ? found.dropped.map(String) : [];
    return { entries: text("entries"), facets: text("facets"), folder: text("folder"), dropped };
  } catch {
    return EMPTY;
  }
}

export const draft = signal<Draft>(kept());

// Without storage, it lives as long as the page.
effect(() => {
  const text = JSON.stringify(draft.value);
  ifAllowed(() => sessionStorage.setItem(STORAGE_KEY, text));
});

/** Adds a line for a file that was dropped. @param entry its `file` is the name alone */
export function addDropped(entry: Readonly<Record<string, unknown>> & { readonly file: string }) {
  const { entries, folder, dropped } = draft.value;
  const before = entries.trimEnd();
  const line = writeEntry({ ...entry, file: pathIn(folder, entry.file) });
  draft.value = {
    ...draft.value,
    entries: `${before === "" ? "" : `${before}\n`}${line}\n`,
    dropped: [...new Set([...dropped, entry.file])],
  };
}

/** The draft without the lines of a text that was sent, and without the names of dropped files that have no line left. */
export function unsent(sent: string): Pick<Draft, "entries" | "dropped"> {
  const { entries, folder, dropped } = draft.value;
  const gone = new Set(sent.split("\n"));
  const left = entries.split("\n").filter((line) => !gone.has(line));
  const files = new Set<unknown>(left.map((line) => lineEntry(line)?.file));
  return {
    entries: left.join("\n"),
    dropped: dropped.filter((name) => files.has(pathIn(folder, name))),
  };
}

/** Puts all dropped files into a folder, except those that have got a path of their own by hand. */
export function setFolder(folder: string): void {
  const { entries, folder: former, dropped } = draft.value;
  const moved = new Map(dropped.map((name) => [pathIn(former, name), pathIn(folder, name)]));
  const lines = entries.split("\n").map((line) => {
    const entry = lineEntry(line);
    const file = moved.get(String(entry?.file));
    return entry === undefined || file === undefined ? line : writeEntry({ ...entry, file });
  });
  draft.value = { ...draft.value, entries: lines.join("\n"), folder };
}

/** How many entries of dropped files have no folder. */
export function withoutFolder(): number {
  const { entries, dropped } = draft.value;
  const names = new Set<unknown>(dropped);
  return entries.split("\n").filter((line) => names.has(lineEntry(line)?.file)).length;
}

const pathIn = (folder: string, name: string): string => {
  const text = folder.trim().replace(/\/+$/, "");
  return folder.trim() === "" ? name : `${text}/${name}`;
};
