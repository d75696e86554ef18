/** Plans variables along the joining axis whose values stay in the files: their type, chunks and codecs. */
import { chunkGrid } from "../../../netcdf/chunk-table.js";
import type { ElementType, Variable } from "../../../netcdf/model.js";
import { elementCount } from "../../../netcdf/shape.js";
import { blockShape, isUnbroken } from "../../metadata/chunk-shape.js";
import type { Codec } from "../../metadata/codecs.js";
import type { VariableForm } from "../file-facts.js";
import { chooseGrid, type Run } from "./chunk-grid.js";
import { type Along, formsOf, joinedType, runsOf } from "./joined-type.js";
import { type ArrayReport, type FileRun, formIn, type PlannedArray } from "./planned.js";

/** Bytes of a chunk of values that are stored in one piece. */
const PIECE_BYTES = 2 << 20;
/** The dimension of members, and the name of its coordinate. */
export const MEMBER = "member";

export interface PlannedVariable {
  readonly array: PlannedArray;
  readonly report: ArrayReport;
}

/**
 * Plans a variable whose values stay in the files.
 *
 * @returns undefined if its values cannot be joined, such as texts across files
 * @throws JoinRefused
 */
export function planData(along: Along, lacks: boolean): PlannedVariable | undefined {
  const { name, axis, groups, within, hasMembers } = along;
  const joined = joinedType(along, lacks);
  const runs = runsOf(along);
  const [first] = formsOf(along).keys();
  if (first === undefined) return undefined;
  const at = first.dimensions.indexOf(axis);
  const steps = groups[within[0] ?? 0]?.steps ?? 0;
  const shape = first.shape.map((length, d) => (d === at ? steps : length));
  const size = sizeOf(joined.type);
  const stepBytes = elementCount(shape.filter((_, d) => d !== at)) * size;
  const wanted = Math.max(1, Math.floor(PIECE_BYTES / Math.max(1, stepBytes)));
  const formOf = (run: FileRun): VariableForm | undefined => formIn(run.file, name);
  const grid = chooseGrid(
    within.flatMap((index) => {
      const own = groups[index]?.runs ?? [];
      return own.map((run, i): Run => {
        const form = formOf(run);
        const chunk = form === undefined ? undefined : form.chunk?.[at];
        const { start, from, length } = run;
        return { start, from, length, chunk, isLast: i === own.length - 1 };
      });
    }),
    wanted,
  );
  const isPlain = joined.type.kind === "plain";
  if (!isPlain && grid.kind === "stitched") return undefined;
  const chunks = chunkShape(
    shape,
    at,
    grid.length,
    runs.flatMap((run) => formOf(run) ?? []),
    size,
  );
  const isConverted = runs.some((run) => {
    const form = formOf(run);
    return form !== undefined && joined.conversionOf(form) !== undefined;
  });
  const canPass = grid.kind === "aligned" && !isConverted;
  const codecs = canPass ? commonCodecs(runs, chunks, formOf) : [];
  const isStored = storedAs(canPass ? chunks : undefined, codecs);
  // Along the axis, files have any length.
  const isPiece = isUnbroken(chunks, shape.with(at, Number.POSITIVE_INFINITY));
  const passes = (form: VariableForm | undefined): boolean =>
    form !== undefined &&
    canPass &&
    ((isStored(form) && !form.isChecked) ||
      (form.chunk === undefined && form.isPiece && isPiece && codecs.length === 0));
  const outer = hasMembers ? [within.length] : [];
  const ones = hasMembers ? [1] : [];
  const variable: Variable = {
    name,
    dimensions: hasMembers ? [MEMBER, ...first.dimensions] : first.dimensions,
    shape: [...outer, ...shape],
    storedShape: [...outer, ...shape],
    attributes: joined.attributes,
    type: joined.type,
    stored: { kind: "as-is", size },
    storage: { kind: "absent" },
    fill: joined.fill?.bytes,
    padding: undefined,
  };
  const across = elementCount(chunkGrid(shape, chunks).map((count, d) => (d === at ? 1 : count)));
  const inside = elementCount(
    shape.map((length, d) => (d === at ? 1 : Math.floor(length / (chunks[d] ?? 1)))),
  );
  const passedOf = (run: FileRun): number => {
    const form = formOf(run);
    const along = run.length / (chunks[at] ?? 1);
    if (!passes(form)) return 0;
    return form?.hasPlainEdges ? Math.floor(along) * inside : Math.ceil(along) * across;
  };
  const total = elementCount(chunkGrid(variable.shape, [...ones, ...chunks]));
  const passed = Math.min(
    total,
    runs.reduce((sum, run) => sum + passedOf(run), 0),
  );
  const reasons = [...joined.reasons, ...gridReasons(grid.kind, grid.length, axis)];
  if (canPass && runs.some((run) => formOf(run) !== undefined && !passes(formOf(run)))) {
    reasons.push(
      "Some files are stored with other chunks or filters: their chunks are decoded and encoded again.",
    );
  } else if (canPass && !lacks && passed < total) {
    reasons.push("Chunks at edges are stored without filters: they are decoded and encoded again.");
  }
  if (lacks) reasons.push("Files without it are filled with its fill value.");
  return {
    array: {
      plan: {
        ...{ path: name, variable, chunks: [...ones, ...chunks], codecs },
        ...{ isStoredChunk: canPass, isChecked: false, fill: joined.fill },
      },
      origin: {
        ...{
          kind: "data",
          groups: within,
          hasMembers,
          axis: at,
          isAligned: grid.kind !== "stitched",
        },
        ...{ conversionOf: joined.conversionOf, isStored },
      },
    },
    report: {
      ...{ name, chunks: total, passed, reasons },
      mode: passed === total ? "passed" : passed === 0 ? "decoded" : "mixed",
    },
  };
}

export const sizeOf = (type: ElementType): number => (type.kind === "text" ? 1 : type.size);

function gridReasons(kind: string, length: number, axis: string): string[] {
  if (kind === "cut")
    return [
      `Files do not end at the ends of chunks: chunks of ${length} along ${axis} are cut from them.`,
    ];
  if (kind !== "stitched") return [];
  return [
    `Files do not end at the ends of chunks: chunks of ${length} along ${axis} are put together from several files.`,
  ];
}

const sameShape = (a: readonly number[] | undefined, b: readonly number[]): boolean =>
  a !== undefined && a.length === b.length && a.every((length, d) => length === b[d]);

/** Kept with the plan: what this function sees is not freed, such as the values of all files. */
function storedAs(chunks: readonly number[] | undefined, codecs: readonly Codec[]) {
  const key = codecsKey(codecs);
  return ({ chunk, codecs: own }: VariableForm): boolean =>
    chunks !== undefined && sameShape(chunk, chunks) && codecsKey(own) === key;
}

/** Codecs without their levels, which do not matter for decoding. */
const codecsKey = (codecs: readonly Codec[] | undefined): string | undefined =>
  codecs &&
  JSON.stringify(
    codecs.map((codec) =>
      "level" in codec ? { ...codec, level: 0 } : codec.id === "blosc" ? codec.id : codec,
    ),
  );

/** The stored chunks of most steps, with the length of the grid along the axis. */
function chunkShape(
  shape: readonly number[],
  at: number,
  length: number,
  forms: readonly VariableForm[],
  size: number,
): number[] {
  const shapes = new Map<string, { readonly chunk: readonly number[]; count: number }>();
  for (const { chunk } of forms) {
    if (chunk === undefined) continue;
    const across = chunk.map((each, d) => (d === at ? length : each));
    const known = shapes.get(across.join()) ?? { chunk: across, count: 0 };
    // Stored chunks of the grid's own length can be passed on.
    known.count += chunk[at] === length ? forms.length : 1;
    shapes.set(across.join(), known);
  }
  const [most] = [...shapes.values()].sort((a, b) => b.count - a.count);
  if (most !== undefined) return [...most.chunk];
  if (at > 0) return shape.map((each, d) => (d === at ? length : Math.max(1, each)));
  const step = blockShape(shape.slice(1), Math.max(1, Math.floor(PIECE_BYTES / size)));
  const isWhole = step.every((each, d) => each === Math.max(1, shape[d + 1] ?? 1));
  return [isWhole ? length : 1, ...step];
}

/** The codecs of most files with these chunks; none if no client can undo theirs. */
function commonCodecs(
  runs: readonly FileRun[],
  chunks: readonly number[],
  formOf: (run: FileRun) => VariableForm | undefined,
): readonly Codec[] {
  const found = new Map<string, { readonly codecs: readonly Codec[]; steps: number }>();
  for (const run of runs) {
    const form = formOf(run);
    const codecs = form?.codecs;
    if (codecs === undefined || (form?.chunk !== undefined && !sameShape(form.chunk, chunks)))
      continue;
    const key = codecsKey(codecs) ?? "";
    const known = found.get(key) ?? { codecs, steps: 0 };
    known.steps += run.length;
    found.set(key, known);
  }
  return [...found.values()].sort((a, b) => b.steps - a.steps)[0]?.codecs ?? [];
}
