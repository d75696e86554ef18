/** A download as a shell script: the program of web/download, and the list of files as a here-document. */
import { readFileSync } from "node:fs";
import type { DocumentBatches } from "../../../index/export/export.js";
import { packagePath } from "../../../platform/package-root.js";
import { segment } from "./addresses.js";
import { type DownloadEntry, entryTexts, noTotals } from "./entries.js";
import { escaped, type Layout } from "./targets.js";

let program: string | undefined;
const programText = (): string => {
  program ??= readFileSync(packagePath("web", "download", "download.sh"), "utf8");
  return program;
};

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const line = ({ size, checksum, id, name, target }: DownloadEntry): string =>
  `${size ?? "-"} ${checksum ?? "-"} ${id} ${segment(name)} ${escaped(target.join("/"))}\n`;

/** Every line of the list begins with a digit or a dash, and has blanks; so none ends the here-document. */
const END = "END-OF-LIST";

/** The script. It runs only if it is complete: its last line begins the work. */
export async function* downloadScript(
  batches: DocumentBatches,
  api: string,
  layout: Layout,
): AsyncGenerator<string, void, undefined> {
  const totals = noTotals();
  yield `${programText()}\nSERVICE=${quoted(api)}\n\nentries() {\n  cat <<'${END}'\n`;
  yield* entryTexts(batches, layout, totals, line);
  const { files, bytes, unsized, stores, elsewhere } = totals;
  yield `${END}\n}\n\nFILES=${files} BYTES=${bytes} UNSIZED=${unsized} STORES=${stores} ELSEWHERE=${elsewhere}\nmain "$@"\n`;
}
