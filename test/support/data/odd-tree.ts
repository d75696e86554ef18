/** A tree of files as no standard has it: whatever a file system takes, and what people and crashes leave in it. */
import { execFileSync } from "node:child_process";
import { link, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../programs/python.js";

/** What of a document is held against what was written; null where it must not have the field. */
export type Fields = Readonly<Record<string, string | readonly string[] | null>>;

export interface OddTree {
  readonly folder: string;
  /** The files and stores that must be in the index, by their paths. */
  readonly files: ReadonlyMap<string, Fields>;
  /** Lines of the report: of each path that is left out one, with its reason. */
  readonly refused: ReadonlyMap<string, RegExp>;
}

/** Names that a file may have, odd as they are. */
const NAMES = [
  "Case.nc",
  "case.nc",
  "CASE.nc",
  "upper.NC",
  "two.dots.nc",
  "-leading-dash.nc",
  "--drs.nc",
  "with space.nc",
  " leading space.nc",
  "trailing space .nc",
  "quote's.nc",
  'double"quote.nc',
  "back\\slash.nc",
  "$HOME.nc",
  "${HOME}.nc",
  "$(id).nc",
  "`id`.nc",
  "100%.nc",
  "%2e%2e.nc",
  "%.nc",
  "star*.nc",
  "question?.nc",
  "[a TO z].nc",
  "a,b.nc",
  "a;b.nc",
  "a&b=c.nc",
  "#hash.nc",
  "user@host:1.nc",
  "{!func}1.nc",
  "x AND y.nc",
  "_v_.nc",
  "null.nc",
  "__proto__.nc",
  "constructor.nc",
  "C:.nc",
  // The same for a reader: composed, decomposed, and Cyrillic.
  "caf\u00e9.nc",
  "cafe\u0301.nc",
  "\u0441\u0430\u0444\u0435.nc",
  "\u6c17\u6e29.nc",
  "\u{1f30d}.nc",
  // Written from right to left, and separators of lines that no list of lines has.
  "\u202ecn.sat",
  "\u202ereversed.nc",
  "line\u2028separator.nc",
  "zero\u200bwidth.nc",
  "\ufeffmark.nc",
  `${"n".repeat(252)}.nc`,
  `${"\u6c17".repeat(84)}.nc`,
];

/** Names that would be two lines, or would change a terminal. */
const CONTROLS = ["line\nbreak.nc", "forged\n: refused: nothing.nc", "return\r.nc", "tab\t.nc"];
const ESCAPES = [
  "\u001b[31mred\u001b[0m.nc",
  "\u001b]0;title\u0007.nc",
  "bell\u0007.nc",
  "\u009b2J.nc",
  "\u007f.nc",
];

/** Names that are no UTF-8: Latin-1, cut off, overlong, half a surrogate. */
const BYTES = ["6d65737365e9.nc", "e6b0.nc", "c080.nc", "eda080.nc", "ff.nc", "0aff.nc"];

export async function makeOddTree(folder: string, isDenied: boolean): Promise<OddTree> {
  const files = new Map<string, Fields>();
  const refused = new Map<string, RegExp>();
  const at = (...parts: string[]): string => join(folder, ...parts);
  const lines = await runPython([
    packagePath("test", "catalogue", "crawl", "make_odd_tree.py"),
    folder,
  ]);
  for (const line of lines.trim().split("\n")) {
    const { file, fields } = JSON.parse(line) as { readonly file: string; readonly fields: Fields };
    files.set(at(file), fields);
  }
  for (const [name, reason] of BROKEN) refused.set(at(name), reason);
  const template = at("times", "one.nc");
  const content = await readFile(template);
  const fields = files.get(template) as Fields;
  const put = async (path: string): Promise<string> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  };
  for (const name of NAMES) {
    const path = await put(at("names", name));
    if (/\.nc$/i.test(name)) files.set(path, fields);
  }
  await put(at("names", ".hidden.nc"));
  await put(at("names", ".hidden", "a.nc"));
  for (const name of [...CONTROLS, ...ESCAPES]) {
    refused.set(await put(at("controls", name)), /^has a control character in its name$/);
  }
  await put(at("controls", "folder\nwith a line break", "a.nc"));
  refused.set(at("controls", "folder\nwith a line break"), /^has a control character in its name$/);
  await mkdir(at("bytes"));
  for (const name of BYTES) {
    const [hex = "", ending = ""] = name.split(".");
    const bytes = Buffer.concat([Buffer.from(`${at("bytes")}/`), Buffer.from(hex, "hex")]);
    await writeFile(Buffer.concat([bytes, Buffer.from(`.${ending}`)]), content);
    refused.set(`${at("bytes")}/${bytesShown(hex)}.${ending}`, /^the name is not UTF-8$/);
  }
  await mkdir(Buffer.concat([Buffer.from(`${at("bytes")}/`), Buffer.from([0xfe])]));
  await writeFile(
    Buffer.concat([Buffer.from(`${at("bytes")}/`), Buffer.from([0xfe]), Buffer.from("/a.nc")]),
    content,
  );
  refused.set(`${at("bytes")}/\\xfe`, /^the name is not UTF-8$/);
  await makeLinks(at, put, files, refused, fields);
  await makeDeep(at("deep"), content, files, refused, fields);
  if (isDenied) await makeDenied(at, put, refused);
  return { folder, files, refused };
}

const bytesShown = (hex: string): string =>
  [...Buffer.from(hex, "hex")]
    .map((byte) =>
      byte >= 32 && byte <= 126
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, "0")}`,
    )
    .join("");

const BROKEN: readonly (readonly [string, RegExp])[] = [
  ...["1", "zeros", "terabytes"].map(
    (name) =>
      [
        name === "1" ? "broken/cut_off_1.nc" : `broken/${name}.nc`,
        /format that is not known/,
      ] as const,
  ),
  ["broken/cut_off_8.nc", /longer than the space it has/],
  ...[100, 1000].map(
    (length) => [`broken/cut_off_${length}.nc`, /bytes of the .* it should have/] as const,
  ),
  ["broken/cut_off_half.nc", /bytes of the .* it should have/],
  ["broken/classic_cut_off.nc", /longer than the space it has/],
  ["broken/empty.nc", /is empty/],
  ["broken/text.nc", /is a text file/],
  ["broken/page.nc", /is a text file/],
  ["broken/grib.nc", /is a GRIB file/],
  ["broken/zipped.nc", /compressed with gzip/],
  ["stores/damaged.zarr", /\.zgroup is not JSON/],
  ["stores/without_times.zarr", /values of time cannot be read/],
  ...["pipe", "socket", "device"].map(
    (name) => [`no_files/${name}.nc`, /^is a pipe, a socket or a device$/] as const,
  ),
];

type At = (...parts: string[]) => string;
type Put = (path: string) => Promise<string>;

async function makeLinks(
  at: At,
  put: Put,
  files: Map<string, Fields>,
  refused: Map<string, RegExp>,
  fields: Fields,
): Promise<void> {
  const outside = `${at()}-outside`;
  await mkdir(at("links", "folders"), { recursive: true });
  await symlink("nowhere.nc", at("links", "broken.nc"));
  refused.set(at("links", "broken.nc"), /^is a link that leads nowhere$/);
  await symlink("itself.nc", at("links", "itself.nc"));
  refused.set(at("links", "itself.nc"), /^is a link that leads back to itself$/);
  await symlink("b.nc", at("links", "a.nc"));
  await symlink("a.nc", at("links", "b.nc"));
  for (const name of ["a.nc", "b.nc"])
    refused.set(at("links", name), /^is a link that leads back to itself$/);
  await symlink(".", at("links", "folders", "here"));
  await symlink("..", at("links", "folders", "above"));
  await symlink("../../..", at("links", "folders", "far_above"));
  refused.set(at("links", "folders", "far_above"), /in which the crawled folder itself lies/);
  await symlink("../no_files/pipe.nc", at("links", "to_pipe.nc"));
  refused.set(at("links", "to_pipe.nc"), /^is a pipe, a socket or a device$/);
  // Data that lie elsewhere are found where links lead to them, once.
  await put(join(outside, "file.nc"));
  await put(join(outside, "folder", "in_it.nc"));
  await symlink(join(outside, "folder", ".."), join(outside, "folder", "round"));
  await symlink(join(outside, "file.nc"), at("links", "to_outside.nc"));
  files.set(at("links", "to_outside.nc"), fields);
  await symlink(join(outside, "folder"), at("links", "to_outside_folder"));
  files.set(at("links", "to_outside_folder", "in_it.nc"), fields);
  // Versions, and the link that leads to the newest.
  files.set(await put(at("versions", "v20200101", "data.nc")), fields);
  files.set(await put(at("versions", "v20210101", "data.nc")), fields);
  await symlink("v20210101", at("versions", "latest"));
  // Names of one file: both are there, as both are given to whoever asks.
  files.set(await put(at("hard", "one.nc")), fields);
  await link(at("hard", "one.nc"), at("hard", "other.nc"));
  files.set(at("hard", "other.nc"), fields);
}

/** Deeper than the system takes a path: it is made step by step, and told where it ends. */
async function makeDeep(
  top: string,
  content: Buffer,
  files: Map<string, Fields>,
  refused: Map<string, RegExp>,
  fields: Fields,
): Promise<void> {
  await mkdir(top, { recursive: true });
  const step = "d".repeat(200);
  let path = top;
  // A path that is just taken: the folder, and a name in it.
  while (path.length + step.length < 4090) path = join(path, step);
  await mkdir(path, { recursive: true });
  const file = join(path, "a.nc");
  if (file.length < 4096) {
    await writeFile(file, content);
    files.set(file, fields);
  }
  execFileSync("sh", ["-c", `mkdir ${step} && cd -P ${step} && cat > below.nc`], {
    cwd: path,
    input: content,
  });
  refused.set(join(path, step), /^the folder cannot be read \(ENAMETOOLONG\)$/);
}

async function makeDenied(at: At, put: Put, refused: Map<string, RegExp>): Promise<void> {
  await put(at("denied", "folder", "a.nc"));
  refused.set(at("denied", "folder"), /^the folder cannot be read \(no permission\)$/);
  await put(at("denied", "names_only", "a.nc"));
  refused.set(at("denied", "names_only", "a.nc"), /no permission/);
  await put(at("denied", "file.nc"));
  refused.set(at("denied", "file.nc"), /cannot be read \(no permission\)/);
  await mkdir(at("denied", "store.zarr"));
  await writeFile(at("denied", "store.zarr", ".zgroup"), '{"zarr_format":2}');
  await mkdir(at("denied", "store.zarr", "tas"));
  refused.set(at("denied", "store.zarr"), /no permission/);
  const modes = [
    ["000", at("denied", "folder")],
    ["444", at("denied", "names_only")],
    ["000", at("denied", "file.nc")],
    ["000", at("denied", "store.zarr", "tas")],
  ];
  for (const [mode = "", path = ""] of modes) execFileSync("chmod", [mode, path]);
}
