/** The parts of a plan: which steps of which file make a joined store, and where the values of its arrays come from. */
import type { Attribute, ElementType, LeftOut, Variable } from "../../../netcdf/model.js";
import { type ArrayPlan, decoded, type ServedFill } from "../../metadata/array-plan.js";
import type { Conversion } from "../convert.js";
import type { FileFacts, VariableForm } from "../file-facts.js";
import type { JoinFile, Recipe } from "../recipe.js";
import type { Attributed } from "./attributes.js";

/** A file with what was read of it. */
export interface KnownFile {
  /** Its index in the recipe. */
  readonly index: number;
  /** For messages: without its folder. */
  readonly name: string;
  readonly place: JoinFile;
  readonly facts: FileFacts;
}

/** A file on the joining axis. */
export interface FileOnAxis extends KnownFile {
  /** In milliseconds of its calendar. */
  readonly times: Float64Array;
}

/** Steps of a file on the joined axis. */
export interface FileRun {
  readonly file: FileOnAxis;
  /** Index of the first step on the axis, and in the file. */
  readonly start: number;
  readonly from: number;
  readonly length: number;
}

/** The files of one member or dataset, in order. */
export interface FileGroup {
  readonly label: string;
  readonly runs: readonly FileRun[];
  readonly steps: number;
}

/** The source of an array's values. */
type ValueOrigin =
  /** An array of one file, which all others share. */
  | { readonly kind: "fixed"; readonly file: number }
  /** Row-major values of the whole array. */
  | { readonly kind: "held"; readonly bytes: Uint8Array }
  | DataOrigin;

export interface DataOrigin {
  readonly kind: "data";
  /** Groups along the axis of members, or the only one. */
  readonly groups: readonly number[];
  readonly hasMembers: boolean;
  /** The dimension of the joining axis, without that of members. */
  readonly axis: number;
  /** Whether each chunk lies in one file, at a multiple of its length. */
  readonly isAligned: boolean;
  /** How the values of a form are converted; undefined to leave them as they are. */
  conversionOf(form: VariableForm): Conversion | undefined;
  /** Whether stored chunks of a form are chunks of the array. */
  isStored(form: VariableForm): boolean;
}

export interface PlannedArray {
  readonly plan: ArrayPlan;
  readonly origin: ValueOrigin;
}

export interface PlannedVariable {
  readonly array: PlannedArray;
  readonly report: ArrayReport;
}

export interface JoinPlan {
  readonly recipe: Recipe;
  readonly groups: readonly FileGroup[];
  /** By name. */
  readonly arrays: ReadonlyMap<string, PlannedArray>;
  readonly attributes: readonly Attribute[];
  readonly leftOut: readonly LeftOut[];
  readonly report: JoinReport;
}

/** The sources of an array's chunks, and the words for them in reports. */
export const MODES = {
  passed: "stored bytes, as they are",
  decoded: "decoded by the service",
  mixed: "partly stored bytes, partly decoded",
  computed: "written by the service",
  shared: "the same in all files",
} as const;

/** How the chunks of one array are made, and the reason. */
export interface ArrayReport {
  readonly name: string;
  readonly mode: keyof typeof MODES;
  readonly chunks: number;
  /** Chunks that are stored bytes of a file. */
  readonly passed: number;
  /** Sentences. */
  readonly reasons: readonly string[];
}

export interface FileReport {
  readonly file: string;
  readonly group: string;
  /** Steps on the joined axis: the first, and the number. */
  readonly start: number;
  readonly steps: number;
  /** First and last date, in the file's calendar. */
  readonly first: string;
  readonly last: string;
}

export interface JoinReport {
  readonly axis: {
    readonly name: string;
    readonly steps: number;
    readonly units: string;
    readonly calendar: string;
  };
  readonly members: readonly string[];
  readonly files: readonly FileReport[];
  readonly arrays: readonly ArrayReport[];
  /** Sentences. */
  readonly gaps: readonly string[];
  readonly overlaps: readonly string[];
  readonly notes: readonly string[];
}

/** The files of which steps are used, in order. */
export const usedFiles = (groups: readonly FileGroup[]): FileOnAxis[] =>
  groups.flatMap(({ runs }) => runs.map(({ file }) => file));

/** The forms of a list by the names of their variables. Most files share their list. */
const BY_NAME = new WeakMap<readonly VariableForm[], ReadonlyMap<string, VariableForm>>();

/** The form of a variable in a file. */
export function formIn({ facts: { forms } }: KnownFile, name: string): VariableForm | undefined {
  let byName = BY_NAME.get(forms);
  if (byName === undefined) {
    byName = new Map(forms.map((form) => [form.name, form]));
    BY_NAME.set(forms, byName);
  }
  return byName.get(name);
}

/** The attributes of a variable in files that have it. */
export const attributed = (files: readonly KnownFile[], name: string): Attributed[] =>
  files.flatMap((file) => {
    const form = formIn(file, name);
    return form === undefined ? [] : [{ file: file.name, attributes: form.attributes }];
  });

/** The times of a group, in milliseconds of their calendar. */
export function timesIn({ runs, steps }: FileGroup): Float64Array {
  const times = new Float64Array(steps);
  for (const { file, start, from, length } of runs)
    times.set(file.times.subarray(from, from + length), start);
  return times;
}

/** The dimension of members, and the name of its coordinate. */
export const MEMBER = "member";

export const sizeOf = (type: ElementType): number => (type.kind === "text" ? 1 : type.size);

/** The type of joined values. */
export interface Described {
  readonly type: ElementType;
  readonly attributes: readonly Attribute[];
  readonly fill: ServedFill | undefined;
}

/** The plan of an array that no file has in this form, without codecs. */
export function joinedPlan(
  { name, dimensions, shape }: Pick<Variable, "name" | "dimensions" | "shape">,
  { type, attributes, fill }: Described,
  chunks: readonly number[],
): ArrayPlan {
  const variable: Variable = {
    name,
    dimensions,
    shape,
    storedShape: shape,
    attributes,
    type,
    stored: { kind: "as-is", size: sizeOf(type) },
    storage: { kind: "absent" },
    fill: undefined,
    padding: undefined,
  };
  return { path: name, variable, ...decoded(chunks), fill };
}
