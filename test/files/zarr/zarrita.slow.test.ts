/** What zarrita reads over HTTP equals what xarray reads from the file itself. */
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { engineOf, filesForClients, makeFiles, STORES } from "./files.js";
import { serveZarr, type ZarrServer } from "./server.js";
import { digestOf } from "./zarrita-digest.js";

/** An attribute as xarray has it; numbers are text, as Python writes them. */
interface Attribute {
  readonly kind: "text" | "integer" | "float" | "other";
  readonly isOne: boolean;
  readonly values: readonly string[];
}

type Attributes = Readonly<Record<string, Attribute>>;

interface Variable {
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** numpy's name, or "text". */
  readonly type: string;
  readonly attributes: Attributes;
  /** The first index, along the first dimension, of the values in the digest. */
  readonly from: number;
  readonly sha256: string;
}

interface Group {
  readonly attributes: Attributes;
  readonly variables: Readonly<Record<string, Variable>>;
}

type File = Readonly<Record<string, Group>>;

/** What zarrita, or JavaScript, cannot do with what is there, and why. */
const ALLOWED: readonly { readonly difference: RegExp; readonly why: string }[] = [
  {
    difference: /^elsewhere\.nc (external|virtual): /,
    why: "values that lie in other files are left out: they may be outside the roots",
  },
  {
    difference: /^(elsewhere|vlen)\.nc \/@_left_out undefined \[/,
    why: "what is left out is named",
  },
  {
    difference: /^types\.nc complex: .*(unknown dtype: <c16|unsupported dataType: complex128)/,
    why: "zarrita has no complex numbers",
  },
  {
    difference: /^\S+ (hole_S1|scalar_S1|text|letters): .*dataType\.match is not a function/,
    why: "zarrita has no characters in zarr v3",
  },
  {
    difference: /^awkward\.nc nothing: cannot be read: Error: Input contains an empty iterator/,
    why: "zarrita refuses to read an array without elements; its shape is there",
  },
  ...("Float16Array" in globalThis
    ? []
    : [
        {
          difference: /^types\.nc f2: .*unsupported dataType: float16/,
          why: "JavaScript has Float16Array from Node 24 on",
        },
      ]),
];

const TYPES: Readonly<Record<2 | 3, Readonly<Record<string, string>>>> = {
  2: { text: "v2:object", bytes8: "v2:S1" },
  3: { text: "string" },
};

/** What JavaScript has for a number that Python wrote; the largest integers are rounded. */
function numberOf(text: string): number {
  return Number(text.replace("inf", "Infinity"));
}

function sameAttribute({ kind, isOne, values }: Attribute, found: unknown): boolean {
  const list = isOne && !Array.isArray(found) ? [found] : found;
  if (!Array.isArray(list) || list.length !== values.length) return false;
  return values.every((text, i) => {
    const item: unknown = list[i];
    if (kind === "text") return item === text;
    // What is not finite is no number in JSON: zarrita writes it as text itself.
    const isName = item === "NaN" || item === "Infinity" || item === "-Infinity";
    const [a, b] = [Number(item), numberOf(text)];
    return (
      (typeof item === "number" || isName) && (a === b || (Number.isNaN(a) && Number.isNaN(b)))
    );
  });
}

function attributeDifferences(expected: Attributes, found: Readonly<Record<string, unknown>>) {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].flatMap((name) => {
    const attribute = expected[name];
    return attribute !== undefined && sameAttribute(attribute, found[name])
      ? []
      : [`@${name} ${JSON.stringify(attribute)} ${JSON.stringify(found[name])}`];
  });
}

/** Attributes as xarray shows them: zarr's fill value is one, the names of dimensions are none. */
function attributesOf(array: zarr.Array<zarr.DataType>, version: 2 | 3): Record<string, unknown> {
  const { _ARRAY_DIMENSIONS, _FillValue, ...others } = array.attrs;
  const { fillValue } = array;
  const attributes = _FillValue === undefined ? others : { ...others, _FillValue };
  if (fillValue === null) return attributes;
  // In v3 xarray writes it as the number's bytes in base64, for itself.
  if (version === 3)
    return _FillValue === undefined
      ? others
      : { ...others, _FillValue: array.is("bigint") ? Number(fillValue) : fillValue };
  const value = array.is("bigint")
    ? Number(fillValue)
    : array.dtype === "v2:S1"
      ? Buffer.from(String(fillValue), "base64").toString("latin1")
      : fillValue;
  return { ...attributes, _FillValue: value };
}

async function variableDifferences(
  store: zarr.Readable,
  path: string,
  expected: Variable,
  version: 2 | 3,
): Promise<string[]> {
  try {
    const open = version === 2 ? zarr.open.v2 : zarr.open.v3;
    const array = await open(zarr.root(store).resolve(path), { kind: "array" });
    const type = TYPES[version][expected.type] ?? expected.type;
    const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
    return [
      ...(array.dtype === type ? [] : [`type ${type} ${array.dtype}`]),
      ...(same(array.shape, expected.shape) ? [] : [`shape ${expected.shape} ${array.shape}`]),
      ...(same(array.dimensionNames ?? [], expected.dimensions) ? [] : ["dimensions"]),
      ...attributeDifferences(expected.attributes, attributesOf(array, version)),
      ...((await digestOf(array, expected.from)) === expected.sha256 ? [] : ["values"]),
    ];
  } catch (error) {
    if (zarr.isZarritaError(error, "NotFoundError")) return ["missing"];
    const cause = error instanceof Error ? (error.cause ?? "") : "";
    return [`cannot be read: ${error} ${cause}`];
  }
}

const within = (group: string, name: string): string => (group === "" ? name : `${group}/${name}`);

/** All differences of a data set, and how many variables were compared. */
async function differences(store: zarr.Readable, file: File, version: 2 | 3) {
  const found: string[] = [];
  let compared = 0;
  for (const [group, { attributes, variables }] of Object.entries(file)) {
    const open = version === 2 ? zarr.open.v2 : zarr.open.v3;
    const opened = await open(zarr.root(store).resolve(group), { kind: "group" });
    found.push(...attributeDifferences(attributes, opened.attrs).map((text) => `/${group}${text}`));
    for (const [name, variable] of Object.entries(variables)) {
      compared += 1;
      const path = within(group, name);
      const different = await variableDifferences(store, path, variable, version);
      found.push(...different.map((text) => `${path}: ${text}`));
    }
  }
  return { found, compared };
}

let server: ZarrServer;
const files = use(() => makeFiles());
const folder = freshFolder();

beforeAll(async () => {
  server = await serveZarr();
});

afterAll(() => server.close());

interface Source {
  readonly file: string;
  readonly engine: string;
}

/** What xarray reads from each of the files. */
async function reference(sources: readonly Source[]): Promise<File[]> {
  const list = join(folder, "files.json");
  await writeFile(list, JSON.stringify(sources));
  const text = await runPython([packagePath("test", "files", "zarr", "values.py"), list]);
  return JSON.parse(text) as File[];
}

/** Differences that are not allowed, with and without consolidated metadata. */
async function compare(sources: readonly Source[], version: 2 | 3) {
  const expected = await reference(sources);
  const unexpected: string[] = [];
  let compared = 0;
  for (const [i, { file }] of sources.entries()) {
    const plain = new zarr.FetchStore(server.address(file, version));
    const listed = await zarr.withConsolidatedMetadata(plain, { format: `v${version}` });
    for (const store of [plain, listed]) {
      const result = await differences(store, expected[i] ?? {}, version);
      compared += result.compared;
      unexpected.push(...result.found.map((text) => `${basename(file)} ${text}`));
    }
    const more = listed.contents().filter(({ path, kind }) => {
      const at = path.lastIndexOf("/");
      const group = expected[i]?.[path.slice(1, Math.max(1, at))];
      return kind === "array" && group !== undefined && !(path.slice(at + 1) in group.variables);
    });
    unexpected.push(...more.map(({ path }) => `${basename(file)} ${path}: only in the stream`));
  }
  const isAllowed = (text: string): boolean =>
    ALLOWED.some(({ difference }) => difference.test(text));
  return { unexpected: unexpected.filter((text) => !isAllowed(text)), compared };
}

describe("zarrita", () => {
  it.each([2, 3] as const)(
    "reads the values that xarray reads from the kinds of make_files.py, as zarr v%i",
    { timeout: 300_000 },
    async (version) => {
      const sources = filesForClients(files).map((file) => ({ file, engine: engineOf(file) }));
      const { unexpected, compared } = await compare(sources, version);
      expect(unexpected).toEqual([]);
      expect(compared).toBeGreaterThan(attempts(30, 1400));
      expect(server.failures).toEqual([]);
    },
  );

  it.each([2, 3] as const)(
    "reads the values that xarray reads from stores of zarr v%i, with and without consolidated metadata",
    { timeout: 60_000 },
    async (version) => {
      const sources = STORES[version].map((name) => ({ file: files.path(name), engine: "zarr" }));
      const { unexpected, compared } = await compare(sources, version);
      expect(unexpected).toEqual([]);
      expect(compared).toBeGreaterThan(5 * sources.length);
      expect(server.failures).toEqual([]);
    },
  );
});
