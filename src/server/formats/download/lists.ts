/** Downloads as a shell script, and as lists for other programs: aria2, Metalink clients, sha256sum, Globus. */
import { readFileSync } from "node:fs";
import type { FormatOf } from "../../../domain/vocabulary/list-formats.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import { packagePath } from "../../../platform/package-root.js";
import { withoutTrailing } from "../../../platform/trailing-characters.js";
import { fileAddress, segment } from "./addresses.js";
import {
  type DownloadEntry,
  entryTexts,
  escaped,
  type Layout,
  noTotals,
  type Totals,
} from "./entries.js";

interface ListText {
  readonly head?: string;
  entry(entry: DownloadEntry): string;
  tail?(totals: Totals): string;
}

const addressOf = (api: string, { id, name }: DownloadEntry): string => fileAddress(api, id, name);

/** Names of hash functions in aria2 and Metalink (RFC 5854, 4.2.4), by those of the index. */
const HASHES: Readonly<Record<string, string>> = {
  md5: "md5",
  sha1: "sha-1",
  sha224: "sha-224",
  sha256: "sha-256",
  sha384: "sha-384",
  sha512: "sha-512",
};

/** The hash function and the digits of a checksum. */
function hashOf({
  checksum = "",
}: DownloadEntry): readonly [type: string, digits: string] | undefined {
  const [algorithm = "", digits = ""] = checksum.split(":");
  const type = HASHES[algorithm];
  return type === undefined ? undefined : [type, digits];
}

/** A path on one line: control characters, and blanks at its ends, which readers drop, are percent-encoded. */
const onOneLine = (path: string): string =>
  withEncodedEnd(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
    path.replace(/[\u0000-\u001f\u007f]|^ +/g, encodeURIComponent),
  );

/** A regular expression for blanks at the end would take quadratic time. */
function withEncodedEnd(path: string): string {
  const bare = withoutTrailing(path, " ");
  return bare + "%20".repeat(path.length - bare.length);
}

/** aria2's input file (aria2c manual, "Input File"). */
const aria2 = (api: string): ListText => ({
  entry(one) {
    const hash = hashOf(one);
    const checksum = hash === undefined ? "" : `  checksum=${hash.join("=")}\n`;
    const path = onOneLine(one.target.join("/"));
    return `${addressOf(api, one)}\n  out=${path}\n  continue=true\n${checksum}`;
  },
});

const xml = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** XML 1.0 has no control characters, nor U+FFFE and U+FFFF. */
const xmlName = (path: string): string =>
  xml(onOneLine(path).replace(/[\ufffe\uffff]/g, encodeURIComponent));

/** A sentence for each kind of file that a list leaves out. */
const leftOut = ({ stores, elsewhere }: Totals): string[] => [
  ...(stores > 0 ? [`Zarr stores, which are read as streams, are left out: ${stores}`] : []),
  ...(elsewhere > 0
    ? [`Data that are not on the service's machine are left out: ${elsewhere}`]
    : []),
];

/** Metalink 4 (RFC 5854). */
const metalink = (api: string): ListText => ({
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<metalink xmlns="urn:ietf:params:xml:ns:metalink">\n',
  entry(one) {
    const hash = hashOf(one);
    const url = xml(addressOf(api, one));
    const size = one.size === undefined ? "" : `<size>${one.size}</size>`;
    const sum = hash === undefined ? "" : `<hash type="${hash[0]}">${hash[1]}</hash>`;
    return `<file name="${xmlName(one.target.join("/"))}">${size}${sum}<url>${url}</url></file>\n`;
  },
  tail: (totals) =>
    `${leftOut(totals)
      .map((text) => `<!-- ${text} -->\n`)
      .join("")}</metalink>\n`,
});

const urls = (api: string): ListText => ({ entry: (one) => `${addressOf(api, one)}\n` });

/** As sha256sum of GNU writes and checks it: a name with a backslash or a line break is escaped, and its line marked. */
function sha256Line({ checksum, target }: DownloadEntry): string {
  if (!checksum?.startsWith("sha256:")) return "";
  // A dash alone would be the standard input.
  const path = target.join("/").replace(/^-$/, "./-");
  const name = path.replace(/[\\\n\r]/g, (one) => `\\${{ "\n": "n", "\r": "r" }[one] ?? one}`);
  return `${name === path ? "" : "\\"}${checksum.slice(7)}  ${name}\n`;
}

function sha256Sums(): ListText {
  let missing = 0;
  return {
    entry(one) {
      const line = sha256Line(one);
      if (line === "") missing += 1;
      return line;
    },
    tail: () => (missing === 0 ? "" : `# files without SHA-256 in the index: ${missing}\n`),
  };
}

/** Line breaks of Python's splitlines, by which the Globus CLI splits a batch. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const LINE_BREAK = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/;

/** Lines for `globus transfer --batch`: paths in quotes for a shell. A line break cannot be written. */
function globusBatch(): ListText {
  let leftOut = 0;
  const quoted = (path: string): string => `'${path.replaceAll("'", "'\"'\"'")}'`;
  // A dash would begin an option.
  const below = (path: string): string => (path.startsWith("-") ? `./${path}` : path);
  return {
    entry({ path, target }) {
      const line = `${quoted(path)} ${quoted(below(target.join("/")))}`;
      if (!LINE_BREAK.test(line)) return `${line}\n`;
      leftOut += 1;
      return "";
    },
    tail: () => (leftOut === 0 ? "" : `# files with a line break in their name: ${leftOut}\n`),
  };
}

let program: string | undefined;
const programText = (): string => {
  program ??= readFileSync(packagePath("web", "download", "download.sh"), "utf8");
  return program;
};

/** A text as one word of a shell. */
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Every line of the list begins with a digit or a dash, and has blanks; so none ends the here-document. */
const END = "END-OF-LIST";

/**
 * A shell script: the program of web/download, and the list of files as a here-document. It runs only if it is complete: its last
 * line begins the work.
 */
const script = (api: string): ListText => ({
  head: `${programText()}\nSERVICE=${word(api)}\n\nentries() {\n  cat <<'${END}'\n`,
  entry: ({ size, checksum, id, name, target }) =>
    `${size ?? "-"} ${checksum ?? "-"} ${id} ${segment(name)} ${escaped(target.join("/"))}\n`,
  tail: ({ files, bytes, unsized, stores, elsewhere }) =>
    `${END}\n}\n\nFILES=${files} BYTES=${bytes} UNSIZED=${unsized} STORES=${stores} ELSEWHERE=${elsewhere}\nmain "$@"\n`,
});

type ListName = FormatOf<"downloadData">;

const TEXTS: Readonly<Record<ListName, (api: string) => ListText>> = {
  sh: script,
  aria2,
  metalink,
  urls,
  sha256sum: sha256Sums,
  globus: globusBatch,
};

/** @param api the address of the API */
export async function* downloadList(
  batches: DocumentBatches,
  form: ListName,
  layout: Layout,
  api: string,
): AsyncGenerator<string, void, undefined> {
  const totals = noTotals();
  const { head = "", entry, tail } = TEXTS[form](api);
  yield head;
  yield* entryTexts(batches, layout, totals, entry);
  yield tail?.(totals) ?? "";
}
