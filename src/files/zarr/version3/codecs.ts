/**
 * Maps the filters and the compressor of zarr v2 to the codecs of v3, which decode the same bytes.
 *
 * Sources: zarr v3 core specification, "Codecs"; zarr-extensions, "codecs" (`zstd`, `numcodecs.*`). zarr-python 3,
 * zarrita and GDAL know `numcodecs.shuffle` and `numcodecs.zlib`, which are what NetCDF-4 files have.
 */
import { isObject, type JsonObject } from "../../../domain/text/json-object.js";
import type { DataType } from "./data-type.js";

interface Codec {
  readonly name: string;
  readonly configuration?: object;
}

/** Filters of arrays, before the bytes; all other known ones are of bytes. */
const OF_ARRAYS = new Set(["delta", "fixedscaleoffset", "quantize", "bitround", "astype"]);
const OF_BYTES =
  /^(shuffle|zlib|gzip|bz2|lzma|lz4|zstd|blosc|fletcher32|crc32|adler32|jenkins_lookup3)$/;
/** Codecs of objects, with their type in v3 and the id of that codec in v3. */
const OF_OBJECTS: Readonly<Record<string, Pick<DataType, "name" | "kind">>> = {
  "vlen-utf8": { name: '"string"', kind: "text" },
  "vlen-bytes": { name: '"variable_length_bytes"', kind: "bytes" },
};

const SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"];
const AUTOMATIC_SHUFFLE = -1;

/** The type of an array of objects, by its codec; undefined if there is none in v3. */
export function objectType(filters: unknown): DataType | undefined {
  const [first] = Array.isArray(filters) ? (filters as unknown[]) : [];
  const id = isObject(first) ? String(first.id) : "";
  const type = Object.hasOwn(OF_OBJECTS, id) ? OF_OBJECTS[id] : undefined;
  return type && { ...type, endian: undefined, size: undefined };
}

/**
 * The codecs of v3, in the order of encoding.
 *
 * @returns undefined if v3 has no codecs for these bytes
 */
export function codecs3(array: JsonObject, type: DataType): readonly Codec[] | undefined {
  const { filters, compressor, order, shape } = array;
  const all = [
    ...(Array.isArray(filters) ? (filters as unknown[]) : []),
    ...(compressor === null || compressor === undefined ? [] : [compressor]),
  ];
  const dimensions = Array.isArray(shape) ? shape.length : 0;
  const before: Codec[] = [];
  // Column-major order is row-major order of the reversed dimensions.
  if (order === "F" && dimensions > 1) {
    const reversed = Array.from({ length: dimensions }, (_, d) => dimensions - 1 - d);
    before.push({ name: "transpose", configuration: { order: reversed } });
  }
  let serializer: Codec | undefined;
  const after: Codec[] = [];
  for (const [index, one] of all.entries()) {
    if (!isObject(one) || typeof one.id !== "string") return undefined;
    const { id, ...configuration } = one;
    if (Object.hasOwn(OF_OBJECTS, id)) {
      if (index > 0 || type.size !== undefined) return undefined;
      serializer = { name: id };
    } else if (OF_ARRAYS.has(id)) {
      if (serializer !== undefined || after.length > 0) return undefined;
      before.push({ name: `numcodecs.${id}`, configuration });
    } else if (OF_BYTES.test(id)) after.push(ofBytes(id, configuration, type));
    else return undefined;
  }
  if (serializer === undefined && type.size === undefined) return undefined;
  return [...before, serializer ?? ofNumbers(type), ...after];
}

const ofNumbers = ({ endian }: DataType): Codec =>
  endian === undefined ? { name: "bytes" } : { name: "bytes", configuration: { endian } };

function ofBytes(id: string, configuration: JsonObject, type: DataType): Codec {
  switch (id) {
    case "gzip":
      return { name: "gzip", configuration: { level: configuration.level ?? 5 } };
    case "zstd":
      return {
        name: "zstd",
        configuration: {
          level: configuration.level ?? 0,
          checksum: configuration.checksum === true,
        },
      };
    case "blosc":
      return { name: "blosc", configuration: blosc(configuration, type) };
    default:
      return { name: `numcodecs.${id}`, configuration };
  }
}

function blosc({ cname, clevel, shuffle, blocksize }: JsonObject, { size = 1 }: DataType): object {
  const automatic = size === 1 ? "bitshuffle" : "shuffle";
  const word = shuffle === AUTOMATIC_SHUFFLE ? automatic : SHUFFLES[Number(shuffle)];
  return {
    typesize: Math.min(size, 255),
    cname: cname ?? "lz4",
    clevel: clevel ?? 5,
    shuffle: word ?? "shuffle",
    blocksize: blocksize ?? 0,
  };
}
