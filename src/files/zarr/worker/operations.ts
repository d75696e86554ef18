/** The operations of a reading process. Each can also be called in any other process. */
import { LRUCache } from "lru-cache";
import { type ChunkTable, tableBytes } from "../../netcdf/chunk-table.js";
import { naming } from "../../netcdf/errors.js";
import { FileReader, type ReaderLimits } from "../../netcdf/file-reader.js";
import type { CapsuleChunk } from "../../netcdf/render/capsule.js";
import { appliedFilters, isNative } from "../../netcdf/render/filters.js";
import { type Hdf5Decoder, loadHdf5Decoder } from "../../netcdf/render/hdf5-decoder.js";
import { type RenderTools, readValues } from "../../netcdf/render/values.js";
import { elementCount } from "../../netcdf/shape.js";
import { utf8 } from "../../netcdf/source/cursor.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import { openFile, Source } from "../../netcdf/source/source.js";
import { renderChunk } from "../body/render.js";
import type { StoredRange } from "../dataset/dataset.js";
import { converted } from "../join/convert.js";
import { readFileFacts } from "../join/file-facts.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import { type FileIndex, makeDocuments } from "../metadata/documents.js";
import { readHeader } from "../metadata/header.js";
import { readArrays } from "../metadata/small-arrays.js";
import { strictJson } from "../metadata/strict-json.js";
import { summarize } from "../metadata/summary.js";
import { readFileSlice } from "../slice/file-slice.js";
import { answerStore } from "../store/orders.js";
import { version3Text } from "../version3/documents.js";
import type { DocumentPart, OnArray, Results, Task } from "./protocol.js";

/** Reads in a file. @param array the array that errors name. @throws ReadingError and file errors */
function inFile<T>(
  { path, identity }: { readonly path: string; readonly identity?: FileIdentity | undefined },
  limits: ReaderLimits | undefined,
  array: string | undefined,
  read: (source: Source) => T,
): T {
  const source = Source.open(path, identity, limits);
  try {
    const found = read(source);
    source.reader.requireUnchanged();
    return found;
  } catch (error) {
    throw array === undefined ? error : naming(array, error);
  } finally {
    source.close();
  }
}

/** The documents of a file and the plans of its arrays. @throws ReadingError and file errors */
export function indexFile(path: string, limits?: ReaderLimits, identity?: FileIdentity): FileIndex {
  return inFile({ path, identity }, limits, undefined, (source) => {
    const documents = makeDocuments(source.readModel());
    const format = source.hdf5() === undefined ? "NetCDF-3" : "NetCDF-4/HDF5";
    return { ...documents, identity: source.reader.identity, format };
  });
}

/** Milliseconds that decoding one chunk may take: a constant for the machine, and the time of the slowest decoder. */
const decodingTime = ({ chunk, elementSize }: CapsuleChunk): number =>
  2000 + elementCount(chunk) * elementSize * DECODING_MS_PER_BYTE;
/** 20 MB a second. */
const DECODING_MS_PER_BYTE = 1000 / 20e6;

/**
 * Receives the milliseconds that a decoder may take, before it starts, and 0 when it is done. A decoder does not watch its
 * time, and can only be ended from outside.
 */
type OnDecoding = (milliseconds: number) => void;

function announced(decoder: Hdf5Decoder, onDecoding: OnDecoding): Hdf5Decoder {
  return {
    decode(chunk) {
      onDecoding(Math.ceil(decodingTime(chunk)));
      try {
        return decoder.decode(chunk);
      } finally {
        onDecoding(0);
      }
    },
  };
}

/** Bytes of chunk indexes that a process keeps. */
const MAX_KEPT = 16 << 20;
/** Kept between tasks: the indexes that were read last, and the decoder. */
const tables = new LRUCache<string, ChunkTable>({ maxSize: MAX_KEPT, sizeCalculation: tableBytes });
let decoder: Hdf5Decoder | undefined;

/** Reads values of an array. @throws ReadingError and file errors */
async function readArray(
  task: OnArray,
  limits: ReaderLimits,
  onDecoding: OnDecoding,
  read: (source: Source, tools: RenderTools) => Uint8Array,
): Promise<Uint8Array> {
  const { path, identity, plan } = task;
  if (needsDecoder(plan)) decoder ??= announced(await loadHdf5Decoder(), onDecoding);
  return inFile(task, limits, plan.path, (source) => {
    const key = JSON.stringify([path, identity, plan.path]);
    const table = tables.get(key) ?? source.chunkTable(plan.variable);
    tables.set(key, table);
    return read(source, { table, decoder });
  });
}

export function needsDecoder({ variable: { storage, shape } }: ArrayPlan): boolean {
  if (storage.kind !== "chunked" || elementCount(shape) === 0) return false;
  return !isNative(appliedFilters(storage.filters, 0));
}

/** Whether a task runs a decoder, whose state a damaged file may corrupt. */
export function isDecoding(task: Task): boolean {
  const decodes = task.kind === "render" || task.kind === "slice" || task.kind === "box";
  return decodes && needsDecoder(task.plan);
}

const partText = ({ text, range }: DocumentPart = {}, limits: ReaderLimits): string =>
  text ?? (range === undefined ? "" : readText(range, limits));

function readText({ path, identity, offset, length }: StoredRange, limits: ReaderLimits): string {
  const reader = new FileReader(openFile(path, identity), limits);
  try {
    return utf8(reader.read(offset, length));
  } finally {
    reader.close();
  }
}

/** Does a task. @throws ReadingError and file errors */
export async function run(
  task: Task,
  limits: ReaderLimits,
  onDecoding: OnDecoding,
): Promise<Results[keyof Results]> {
  switch (task.kind) {
    case "index":
      return indexFile(task.path, limits, task.identity);
    case "table":
      return inFile(task, limits, task.variable.name, (source) => source.chunkTable(task.variable));
    case "render":
      return readArray(task, limits, onDecoding, (source, tools) =>
        renderChunk(source, task.plan, task.place, tools),
      );
    case "slice":
      return readArray(task, limits, onDecoding, (source, tools) =>
        readFileSlice(source, task.plan, task.selection, tools),
      );
    case "box":
      return readArray(task, limits, onDecoding, (source, tools) => {
        const { variable } = task.plan;
        const values = readValues(source, variable, task.box, tools);
        return task.to === undefined ? values : converted(values, variable, task.to);
      });
    case "join-facts":
      return inFile(task, limits, undefined, readFileFacts);
    case "arrays":
      return inFile(task, limits, undefined, (source) => readArrays(source, task.plans));
    case "header":
      return readHeader(indexFile(task.path, limits, task.identity).texts);
    case "summary": {
      const { format, identity, texts } = indexFile(task.path, limits, task.identity);
      return summarize(format, identity.size, texts);
    }
    case "version-3": {
      const { version3, document, attributes } = task;
      return version3Text(
        version3,
        partText(document, limits),
        attributes && partText(attributes, limits),
      );
    }
    case "strict": {
      const text = partText(task, limits);
      const strict = strictJson(text);
      return strict === text ? undefined : strict;
    }
    default:
      return answerStore(task, limits);
  }
}
