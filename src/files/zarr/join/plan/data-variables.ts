/** Plans variables along the joining axis whose values stay in the files: their type, chunks and codecs. */
import { chunkGrid } from "../../../netcdf/chunk-table.js";
import { elementCount } from "../../../netcdf/shape.js";
import { isUnbroken, PIECE_BYTES, recordChunks } from "../../metadata/chunk-shape.js";
import type { Codec } from "../../metadata/codecs.js";
import type { VariableForm } from "../file-facts.js";
import { type AxisGrid, chooseGrid, type Run } from "./chunk-grid.js";
import { type Along, type JoinedType, joinedType } from "./joined-type.js";
import { formIn, joinedPlan, MEMBER, type PlannedVariable, sizeOf } from "./planned.js";

/**
 * Plans a variable whose values stay in the files.
 *
 * @returns undefined if its values cannot be joined, such as texts across files
 * @throws JoinRefused
 */
export function planData(along: Along): PlannedVariable | undefined {
  const { name, axis, within, form, at, shape, hasMembers } = along;
  const joined = joinedType(along);
  const size = sizeOf(joined.type);
  const stepBytes = elementCount(shape.with(at, 1)) * size;
  const wanted = Math.max(1, Math.floor(PIECE_BYTES / Math.max(1, stepBytes)));
  const grid = chooseGrid(gridRuns(along), wanted);
  if (joined.type.kind !== "plain" && grid.kind === "stitched") return undefined;
  const chunks = chunkShape(along, grid.length, size);
  const stored = storedChunks(along, joined, grid, chunks);
  const wholeShape = hasMembers ? [within.length, ...shape] : shape;
  const wholeChunks = hasMembers ? [1, ...chunks] : chunks;
  const dimensions = hasMembers ? [MEMBER, ...form.dimensions] : form.dimensions;
  const plan = joinedPlan({ name, dimensions, shape: wholeShape }, joined, wholeChunks);
  const total = elementCount(chunkGrid(wholeShape, wholeChunks));
  const passed = Math.min(total, passedChunks(along, chunks, stored.passes));
  return {
    array: {
      plan: { ...plan, codecs: stored.codecs, isStoredChunk: stored.canPass },
      origin: {
        kind: "data",
        groups: within,
        hasMembers,
        axis: at,
        isAligned: grid.kind !== "stitched",
        conversionOf: joined.conversionOf,
        isStored: stored.isStored,
      },
    },
    report: {
      name,
      mode: passed === total ? "passed" : passed === 0 ? "decoded" : "mixed",
      chunks: total,
      passed,
      reasons: [
        ...joined.reasons,
        ...gridReasons(grid, axis),
        ...passingReasons(along, stored, passed < total),
      ],
    },
  };
}

/** The runs of a variable as the choice of a grid needs them. */
const gridRuns = ({ name, groups, within, at }: Along): Run[] =>
  within.flatMap((index) => {
    const own = groups[index]?.runs ?? [];
    return own.map(({ file, start, from, length }, i): Run => {
      const chunk = formIn(file, name)?.chunk?.[at];
      return { start, from, length, chunk, isLast: i === own.length - 1 };
    });
  });

/** The stored chunks of the files that are chunks of the joined array. */
interface StoredChunks {
  /** Whether any can be. */
  readonly canPass: boolean;
  readonly codecs: readonly Codec[];
  readonly isStored: (form: VariableForm) => boolean;
  /** Whether stored bytes of a form are sent as they are: whole chunks, or ranges of values that are stored in one piece. */
  readonly passes: (form: VariableForm) => boolean;
}

function storedChunks(
  along: Along,
  joined: JoinedType,
  grid: AxisGrid,
  chunks: readonly number[],
): StoredChunks {
  const { forms, shape, at } = along;
  const isConverted = [...forms.keys()].some((form) => joined.conversionOf(form) !== undefined);
  const canPass = grid.kind === "aligned" && !isConverted;
  const codecs = canPass ? commonCodecs(along, chunks) : [];
  const isStored = storedAs(canPass ? chunks : undefined, codecs);
  // Along the axis, files have any length.
  const isPiece = isUnbroken(chunks, shape.with(at, Number.POSITIVE_INFINITY));
  const passes = (form: VariableForm): boolean =>
    canPass &&
    ((isStored(form) && !form.isChecked) ||
      (form.chunk === undefined && form.isPiece && isPiece && codecs.length === 0));
  return { canPass, codecs, isStored, passes };
}

/** The number of chunks that are stored bytes of a file. */
function passedChunks(
  { name, runs, shape, at }: Along,
  chunks: readonly number[],
  passes: (form: VariableForm) => boolean,
): number {
  const across = elementCount(chunkGrid(shape, chunks).with(at, 1));
  const inside = elementCount(
    shape.map((length, d) => (d === at ? 1 : Math.floor(length / (chunks[d] ?? 1)))),
  );
  let passed = 0;
  for (const { file, length } of runs) {
    const form = formIn(file, name);
    if (form === undefined || !passes(form)) continue;
    const steps = length / (chunks[at] ?? 1);
    passed += form.hasPlainEdges ? Math.floor(steps) * inside : Math.ceil(steps) * across;
  }
  return passed;
}

function gridReasons({ kind, length }: AxisGrid, axis: string): string[] {
  if (kind === "aligned") return [];
  const how = kind === "cut" ? "cut from them" : "put together from several files";
  return [`Files do not end at the ends of chunks: chunks of ${length} along ${axis} are ${how}.`];
}

/** @param isMixed whether some chunks are not passed */
function passingReasons(along: Along, stored: StoredChunks, isMixed: boolean): string[] {
  const { canPass, passes } = stored;
  const reasons: string[] = [];
  if (canPass && [...along.forms.keys()].some((form) => !passes(form))) {
    reasons.push(
      "Some files are stored with other chunks or filters: their chunks are decoded and encoded again.",
    );
  } else if (canPass && !along.lacks && isMixed) {
    reasons.push("Chunks at edges are stored without filters: they are decoded and encoded again.");
  }
  if (along.lacks) reasons.push("Files without it are filled with its fill value.");
  return reasons;
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
  { name, runs, shape, at }: Along,
  length: number,
  size: number,
): readonly number[] {
  const forms = runs.flatMap(({ file }) => formIn(file, name) ?? []);
  const shapes = new Map<string, { readonly chunk: readonly number[]; count: number }>();
  for (const { chunk } of forms) {
    if (chunk === undefined) continue;
    const across = chunk.with(at, length);
    const known = shapes.get(across.join()) ?? { chunk: across, count: 0 };
    // Stored chunks of the grid's own length can be passed on.
    known.count += chunk[at] === length ? forms.length : 1;
    shapes.set(across.join(), known);
  }
  const [most] = [...shapes.values()].sort((a, b) => b.count - a.count);
  if (most !== undefined) return most.chunk;
  if (at > 0) return shape.map((each, d) => (d === at ? length : Math.max(1, each)));
  return recordChunks(shape, size, length);
}

/** The codecs of most files with these chunks; none if no client can undo theirs. */
function commonCodecs({ name, runs }: Along, chunks: readonly number[]): readonly Codec[] {
  const found = new Map<string, { readonly codecs: readonly Codec[]; steps: number }>();
  for (const { file, length } of runs) {
    const form = formIn(file, name);
    const codecs = form?.codecs;
    if (codecs === undefined || (form?.chunk !== undefined && !sameShape(form.chunk, chunks)))
      continue;
    const key = codecsKey(codecs) ?? "";
    const known = found.get(key) ?? { codecs, steps: 0 };
    known.steps += length;
    found.set(key, known);
  }
  return [...found.values()].sort((a, b) => b.steps - a.steps)[0]?.codecs ?? [];
}
