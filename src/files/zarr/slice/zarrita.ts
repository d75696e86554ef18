/** Puts right, or refuses, what zarrita reads in another way than zarr-python writes it. */
import { registry } from "zarrita";
import { isObject } from "../../../domain/text/json-object.js";
import { NotReadableFormat } from "../../netcdf/errors.js";
import { withoutChecksum } from "../../netcdf/render/filters.js";
import { unshuffle } from "../../netcdf/render/shuffle.js";
import type { Json } from "../metadata/json-object.js";

const decoder = (decode: (data: Uint8Array) => Uint8Array) => ({
  kind: "bytes_to_bytes" as const,
  decode,
  encode: (): never => {
    throw new Error("Stores are not written.");
  },
});

registry.set("numcodecs.fletcher32", async () => ({ fromConfig: () => decoder(withoutChecksum) }));
// Its size of elements need not be that of the array's.
registry.set("numcodecs.shuffle", async () => ({
  fromConfig: (config: unknown) => {
    const { elementsize } = isObject(config) ? config : {};
    return decoder((data) => unshuffle(data, typeof elementsize === "number" ? elementsize : 4));
  },
}));

interface NamedCodec {
  readonly name: string;
  readonly configuration: Json;
}

/** The filters of zarr v2, or the codecs of zarr v3. */
function codecsIn(version: 2 | 3, document: Json): NamedCodec[] {
  const stored = version === 2 ? document.filters : document.codecs;
  return (Array.isArray(stored) ? stored : []).filter(isObject).map((codec) => {
    const configuration = version === 2 ? codec : codec.configuration;
    return {
      name: String(version === 2 ? codec.id : codec.name).replace(/^numcodecs[.]/, ""),
      configuration: isObject(configuration) ? configuration : {},
    };
  });
}

/** Why zarrita would misread an array with these codecs, or those inside of its shards. */
function misread(codecs: readonly NamedCodec[]): string | undefined {
  for (const codec of codecs) {
    const reason = ignored(codec, codecs) ?? misread(codecsIn(3, codec.configuration));
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Names what zarrita ignores of a codec; undefined if zarrita reads the codec as it is meant. */
function ignored({ name, configuration }: NamedCodec, codecs: readonly NamedCodec[]) {
  const { dtype, astype = dtype, index_location: index = "end" } = configuration;
  const [from, to] = [String(dtype), String(astype)];
  if (name === "delta" && from !== to) return "differences of another type";
  const isSwapped = /^[<>]/.test(from) && /^[<>]/.test(to) && from[0] !== to[0];
  if (name === "fixedscaleoffset" && isSwapped) return "packed values of another byte order";
  if (name !== "sharding_indexed") return undefined;
  if (codecs.length > 1) return "shards with other codecs around them";
  return index === "end" ? undefined : "shards whose index is not at their end";
}

/** The bounds of whole numbers that JavaScript's do not hold. */
const BIG: Readonly<Record<string, readonly [bigint, bigint]>> = {
  i8: [-(2n ** 63n), 2n ** 63n - 1n],
  u8: [0n, 2n ** 64n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** No fill value is 0, as in zarr-python. One that became a double may be just outside of the type. */
function fillOf(type: string, fill: unknown): unknown {
  const [least, greatest] = BIG[type.replace(/^[<>|=]/, "")] ?? [];
  if (least === undefined || greatest === undefined || typeof fill === "string") return fill;
  const value = BigInt(Math.trunc(Number(fill ?? 0)));
  return String(value < least ? least : value > greatest ? greatest : value);
}

/** The document of an array as zarrita reads it right. @throws NotReadableFormat */
export function forZarrita(version: 2 | 3, document: Json): Json {
  const reason = misread(codecsIn(version, document));
  if (reason !== undefined)
    throw new NotReadableFormat(`The values are stored in a way that is not read: ${reason}.`);
  const type = String(version === 3 ? document.data_type : document.dtype);
  return { ...document, fill_value: fillOf(type, document.fill_value) };
}
