/**
 * Reads chunks of joined variables whose values stay in the files: as stored bytes of one file where the plan allows it, or
 * else as decoded values of one or more files.
 */
import { NotReadableFormat } from "../../netcdf/errors.js";
import { type Box, eachRun } from "../../netcdf/render/region.js";
import { checkSize } from "../../netcdf/render/values.js";
import { elementCount } from "../../netcdf/shape.js";
import { encoded } from "../body/encode.js";
import type { RenderedCache } from "../body/rendered-cache.js";
import { type ChunkPlace, type Content, UNWRITTEN } from "../dataset/dataset.js";
import type { FileDataset } from "../dataset/file-dataset.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import { keyOf, type ReadingClient } from "../worker/client.js";
import { filled } from "./plan/held-variables.js";
import { type DataOrigin, type FileGroup, type FileRun, formIn } from "./plan/planned.js";
import { firstWhere } from "./plan/segments.js";

/** Opens the files of a join for one reader, who must have access to each. */
export interface JoinAccess {
  /**
   * A file, in the state in which it was planned with.
   *
   * @param index in the recipe
   * @throws JoinOutdated if it has changed; ReadingError; errors of access
   */
  open(index: number, client?: ReadingClient): Promise<FileDataset>;
  /** Checks all files, as documents and computed values are made of all. @throws as open */
  all(): Promise<void>;
}

/** A chunk of an array. */
interface DataChunk {
  readonly plan: ArrayPlan;
  readonly origin: DataOrigin;
  /** Its index along each dimension. */
  readonly place: readonly number[];
  /** Strong entity tag without quotes. */
  readonly tag: string;
}

/** A chunk without the dimension of members, and the runs that it has steps of. */
interface InnerChunk extends DataChunk {
  readonly chunks: readonly number[];
  readonly runs: readonly FileRun[];
}

/** A chunk of a file, by a plan for the joined array. */
interface SingleChunk {
  readonly dataset: FileDataset;
  readonly plan: ArrayPlan;
  readonly place: readonly number[];
}

export class DataChunks {
  readonly #groups: readonly FileGroup[];
  readonly #rendered: RenderedCache;
  readonly #access: JoinAccess;

  constructor(groups: readonly FileGroup[], rendered: RenderedCache, access: JoinAccess) {
    this.#groups = groups;
    this.#rendered = rendered;
    this.#access = access;
  }

  /** @throws ReadingError; errors of access */
  async content(wanted: DataChunk, client: ReadingClient | undefined): Promise<Content> {
    const chunk = this.#inner(wanted);
    const { plan, tag, runs } = chunk;
    if (!isInFiles(chunk) && plan.fill?.isCommon === true) {
      // Each file that lacks the variable must still be there, or its absence would be a guess.
      for (const { file } of runs) await this.#access.open(file.index, client);
      return UNWRITTEN;
    }
    const single = await this.#single(chunk, client);
    if (single !== undefined) return single.dataset.chunk(single.plan, single.place, tag, client);
    return { kind: "bytes", data: await this.#assembled(chunk, client), tag };
  }

  /** @throws ReadingError; errors of access */
  async locate(wanted: DataChunk, client: ReadingClient | undefined): Promise<ChunkPlace> {
    const chunk = this.#inner(wanted);
    const single = await this.#single(chunk, client);
    if (single !== undefined) return single.dataset.placeOf(single.plan, single.place, client);
    return !isInFiles(chunk) && chunk.plan.fill?.isCommon === true ? "unwritten" : "decoded";
  }

  #inner(wanted: DataChunk): InnerChunk {
    const { plan, origin } = wanted;
    const outer = origin.hasMembers ? 1 : 0;
    const member = origin.hasMembers ? (wanted.place[0] ?? 0) : 0;
    const group = this.#groups[origin.groups[member] ?? -1];
    if (group === undefined) throw new NotReadableFormat("There is no such member.");
    const place = wanted.place.slice(outer);
    const chunks = plan.chunks.slice(outer);
    const length = chunks[origin.axis] ?? 1;
    const first = (place[origin.axis] ?? 0) * length;
    const runs = runsWithin(group, first, Math.min(first + length, group.steps));
    return { ...wanted, chunks, place, runs };
  }

  /** The chunk of one file that is a chunk of the array; undefined if it is made of decoded values. */
  async #single(
    { plan, origin, chunks, place, runs }: InnerChunk,
    client: ReadingClient | undefined,
  ): Promise<SingleChunk | undefined> {
    const [run, ...others] = runs;
    const form = run && formIn(run.file, plan.path);
    if (run === undefined || form === undefined || others.length > 0) return undefined;
    if (!origin.isAligned || origin.conversionOf(form) !== undefined) return undefined;
    const dataset = await this.#access.open(run.file.index, client);
    const own = dataset.plan(plan.path);
    if (own === undefined) throw new NotReadableFormat(`The file has no ${plan.path}.`);
    const length = chunks[origin.axis] ?? 1;
    const isStored = origin.isStored(form);
    return {
      dataset,
      place: place.map((index, d) =>
        d === origin.axis ? (index * length - run.start + run.from) / length : index,
      ),
      plan: {
        ...own,
        chunks,
        codecs: plan.codecs,
        isStoredChunk: isStored,
        isChecked: form.isChecked && isStored,
        fill: form.fill === undefined ? undefined : plan.fill,
      },
    };
  }

  /** A chunk of decoded values of one or more files. */
  async #assembled(chunk: InnerChunk, client: ReadingClient | undefined): Promise<Uint8Array> {
    const { runs, tag } = chunk;
    // Opened by each reader, as access differs: it is checked also before values are sent from the cache.
    const files = await Promise.all(runs.map(({ file }) => this.#access.open(file.index, client)));
    return this.#rendered.made(tag, () =>
      this.#rendered.budget.making(valueBytes(chunk), keyOf(client), () =>
        assemble(chunk, files, client),
      ),
    );
  }
}

/** Whether a file has the variable for some steps of the chunk. */
const isInFiles = ({ plan, runs }: InnerChunk): boolean =>
  runs.some(({ file }) => formIn(file, plan.path) !== undefined);

/** The bytes of a chunk's values. @throws TooLarge if it is not decoded here */
function valueBytes({ plan, chunks }: InnerChunk): number {
  const bytes = elementCount(chunks) * plan.variable.stored.size;
  checkSize(bytes);
  return bytes;
}

/** @param files those of the chunk's runs, in their order */
async function assemble(
  chunk: InnerChunk,
  files: readonly FileDataset[],
  client: ReadingClient | undefined,
): Promise<Uint8Array> {
  const { plan, chunks, place, runs } = chunk;
  const { axis, conversionOf } = chunk.origin;
  const { size } = plan.variable.stored;
  const target: Box = {
    start: place.map((index, d) => index * (chunks[d] ?? 1)),
    shape: chunks,
  };
  const values = filled(valueBytes(chunk), plan.fill?.bytes);
  for (const [i, run] of runs.entries()) {
    const form = formIn(run.file, plan.path);
    const own = files[i]?.plan(plan.path);
    if (form === undefined || own === undefined) continue;
    const from = target.start[axis] ?? 0;
    const first = Math.max(from, run.start);
    const last = Math.min(from + (chunks[axis] ?? 1), run.start + run.length);
    const part: Box = {
      start: target.start.map((start, d) => (d === axis ? first : start)),
      shape: chunks.map((each, d) => (d === axis ? last - first : each)),
    };
    const inFile: Box = {
      start: part.start.map((start, d) => (d === axis ? start - run.start + run.from : start)),
      shape: part.shape,
    };
    const read = await files[i]?.box(own, inFile, conversionOf(form), client, values.length);
    if (read === undefined) continue;
    eachRun(part, part, target, size, (source, to, bytes) =>
      values.set(read.subarray(source, source + bytes), to),
    );
  }
  return encoded(values, plan.codecs);
}

/** The runs with steps from `first` to before `end`. */
function runsWithin({ runs }: FileGroup, first: number, end: number): readonly FileRun[] {
  const startsFrom = (step: number): number =>
    firstWhere(0, runs.length, (index) => (runs[index]?.start ?? 0) >= step);
  return runs.slice(Math.max(0, startsFrom(first + 1) - 1), startsFrom(end));
}
