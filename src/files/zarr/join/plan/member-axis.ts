/** The coordinate of a new axis along which members are joined. */
import { MEMBER } from "./data-variables.js";
import type { PlannedArray } from "./planned.js";

/** Texts as numcodecs' vlen-utf8 stores them: their number, then each with its length before it. */
function vlenUtf8(texts: readonly string[]): Uint8Array {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const encoded = texts.map((text) => Buffer.from(text));
  return Buffer.concat([
    number(texts.length),
    ...encoded.flatMap((text) => [number(text.length), text]),
  ]);
}

export function memberArray(labels: readonly string[]): PlannedArray {
  const shape = [labels.length];
  return {
    plan: {
      path: MEMBER,
      variable: {
        name: MEMBER,
        dimensions: [MEMBER],
        ...{ shape, storedShape: shape },
        attributes: [{ name: "standard_name", value: { kind: "text", value: "realization" } }],
        type: { kind: "text" },
        stored: { kind: "as-is", size: 1 },
        storage: { kind: "absent" },
        fill: undefined,
        padding: undefined,
      },
      chunks: shape,
      ...{ codecs: [], isStoredChunk: false, isChecked: false, fill: undefined },
    },
    origin: { kind: "held", bytes: vlenUtf8(labels) },
  };
}
