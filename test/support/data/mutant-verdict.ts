/** What became of a file that was damaged: whether whoever reads it could take something wrong for right. */
import { parseDocument } from "../../../src/files/zarr/metadata/json-object.js";
import {
  heapObjects,
  type Mutant,
  meets,
  occurrences,
  type Range,
  type Served,
} from "./mutants.js";

/**
 * `same`, `refused` (all of it, or chunks of it) and `values` (of those bytes themselves, of which no checksum was taken) are as
 * they must be. `content` is text or a number of the user's that was changed where it stands, or a name, in a part without
 * checksum. `untold` is what the format gives no means to notice; `wrong` what it does.
 */
export type Verdict = "same" | "refused" | "values" | "content" | "untold" | "wrong";

export interface Sound {
  readonly bytes: Uint8Array;
  readonly served: Served;
  readonly raw: ReadonlyMap<string, readonly Range[]>;
  /** Whether all its structures have checksums, but for values in global heaps. */
  readonly isChecked: boolean;
}

export interface Judged {
  readonly verdict: Verdict;
  /** What differs. */
  readonly notes: readonly string[];
}

export function judge(sound: Sound, mutant: Mutant, got: Served): Judged {
  const judged: { verdict: Verdict; note: string }[] = [];
  const add = (verdict: Verdict, note: string): void => {
    judged.push({ verdict, note });
  };
  judgeDocuments(sound, mutant, got, add);
  for (const [key, before] of sound.served.chunks) {
    const variable = key.slice(0, key.lastIndexOf("/"));
    const now = got.chunks.get(key) ?? got.chunks.get(`${variable}/*`);
    // Where there is no such key any more, the documents tell.
    if (now === undefined || before instanceof Error) continue;
    if (now instanceof Error) add("refused", key);
    else if (Buffer.compare(before, now) !== 0) {
      const isOwn = meets(mutant.touched, sound.raw.get(variable) ?? []);
      // Its address, a type of the same size, or a filter's bit stands where there is no checksum.
      add(isOwn ? "values" : "untold", `values of ${key}`);
    }
  }
  const order: readonly Verdict[] = ["wrong", "untold", "content", "values", "refused", "same"];
  const verdict = order.find((each) => judged.some((one) => one.verdict === each)) ?? "same";
  const notes = judged.filter((one) => one.verdict === verdict).map(({ note }) => note);
  // In a file with checksums there is nothing that cannot be told.
  return { verdict: verdict === "untold" && sound.isChecked ? "wrong" : verdict, notes };
}

type Add = (verdict: Verdict, note: string) => void;

function judgeDocuments(sound: Sound, { touched }: Mutant, got: Served, add: Add): void {
  const before = sound.served.documents;
  const lost = [...before.keys()].filter((key) => !got.documents.has(key));
  const found = [...got.documents.keys()].filter((key) => !before.has(key));
  const leftOut = namesLeftOut(got);
  // A name that became one which has no place in an address; a variable has two documents.
  const newlyLeftOut = leftOut.length - namesLeftOut(sound.served).length;
  /** Whether bytes of a file were touched where they stand, or what ends them. */
  const isTouched = (texts: readonly Uint8Array[]): boolean => {
    const places = texts.flatMap((text) => occurrences(sound.bytes, text));
    const heap = heapObjects(sound.bytes);
    const open = sound.isChecked ? places.filter((place) => meets([place], heap)) : places;
    return meets(
      touched,
      open.map(([from, to]) => [from, to + 8]),
    );
  };
  const isNameTouched = (path: string): boolean =>
    path.split("/").some((name) => isTouched([Buffer.from(name)]));
  for (const key of lost) {
    const path = key.slice(0, Math.max(0, key.lastIndexOf("/")));
    const isTold = leftOut.some((name) => path === name || path.startsWith(`${name}/`));
    if (isTold) add("refused", `${key} is named as left out`);
    // A name that was changed: as many are there as before.
    else if ((lost.length === found.length || newlyLeftOut > 0) && isNameTouched(path)) {
      add("content", `name of ${key}`);
    } else add("wrong", `${key} is missing`);
  }
  for (const [key, text] of before) {
    const now = got.documents.get(key);
    if (now === undefined || now === text) continue;
    const variable = key.slice(0, Math.max(0, key.lastIndexOf("/")));
    if (isUnreadable(variable, sound, got)) {
      add("refused", key);
      continue;
    }
    if (!key.endsWith(".zattrs")) {
      const fill = parseDocument(text).fill_value;
      const isFill = isTouched([...encodings(fill), Buffer.from("_FillValue")]);
      const verdict = !isOfOtherType(text, now) ? "wrong" : isFill ? "content" : "untold";
      add(verdict, `${key}: ${text} -> ${now}`);
      continue;
    }
    const [a, b] = [parseDocument(text), parseDocument(now)];
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (name === "_left_out" || JSON.stringify(a[name]) === JSON.stringify(b[name])) continue;
      const isName = !(name in a) || !(name in b);
      const isFree = isName
        ? [...Object.keys(a), "_FillValue"].some(
            (each) => !(each in b) && isTouched([Buffer.from(each)]),
          ) || isTouched([Buffer.from(name)])
        : isTouched(encodings(a[name]));
      const isPhony = /phony/.test(text) && /phony/.test(now);
      // Its type stands without a checksum too, and so does the place of a text in a heap.
      const verdict = isFree
        ? "content"
        : name !== "_ARRAY_DIMENSIONS" || isPhony
          ? "untold"
          : "wrong";
      add(verdict, `${key}: ${name} ${now}`.slice(0, 300));
    }
  }
}

/** Whether none of the chunks of a variable can be had any more: whatever its documents say, nothing is read. */
function isUnreadable(variable: string, { served }: Sound, got: Served): boolean {
  const keys = [...served.chunks.keys()].filter((key) => key.startsWith(`${variable}/`));
  return (
    keys.length > 0 &&
    keys.every((key) => (got.chunks.get(key) ?? got.chunks.get(`${variable}/*`)) instanceof Error)
  );
}

function namesLeftOut({ documents }: Served): string[] {
  const names: string[] = [];
  for (const [key, text] of documents) {
    if (!key.endsWith(".zattrs") || !text.includes("_left_out")) continue;
    const group = key.slice(0, Math.max(0, key.lastIndexOf("/") + 1));
    const told = parseDocument(text)._left_out;
    if (!Array.isArray(told)) continue;
    for (const sentence of told) names.push(group + String(sentence).replace(/: .*$/s, ""));
  }
  return names;
}

/** Whether two documents of an array differ in nothing but the type, or the fill value. */
function isOfOtherType(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => {
    const { dtype: _type, fill_value: _fill, filters: _filters, ...rest } = parseDocument(text);
    return JSON.stringify(rest);
  });
  return one === other;
}

/** The bytes that a value of an attribute may have in a file. */
function encodings(value: unknown): Uint8Array[] {
  if (Array.isArray(value)) return value.flatMap(encodings);
  if (typeof value === "string" && value !== "NaN") return [Buffer.from(value)];
  const number = Number(value);
  const found: Uint8Array[] = [];
  for (const little of [true, false]) {
    const view = (bytes: number, set: (view: DataView) => void): void => {
      const data = new DataView(new ArrayBuffer(bytes));
      set(data);
      found.push(new Uint8Array(data.buffer));
    };
    view(8, (data) => data.setFloat64(0, number, little));
    view(4, (data) => data.setFloat32(0, number, little));
    if (!Number.isSafeInteger(number)) continue;
    view(8, (data) => data.setBigInt64(0, BigInt(number), little));
    view(4, (data) => data.setInt32(0, number, little));
    view(2, (data) => data.setInt16(0, number, little));
  }
  return found;
}
