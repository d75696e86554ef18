/**
 * What goes through the pipes between the service and a reading process: frames of a kind, a length, and that many bytes.
 *
 * Node's own channel between processes writes everything as JSON or in one copy after the other; here what is large goes
 * as it lies in memory, and is read into memory of the right size.
 */
import { deserialize, serialize } from "node:v8";
import type { Answer, Results } from "./protocol.js";

/** Kinds of frames from a reading process. */
export const FRAME = {
  /** It can take orders. */
  ready: 1,
  /** A decoder begins, and may take as many milliseconds as the length says; 0: it is done. No bytes follow. */
  decoding: 2,
  /** An answer; the buffers that it names follow it, without frames of their own. */
  answer: 3,
} as const;

/** Bytes before those of a frame: its kind, and how many there are. */
export const FRAME_HEAD = 5;
/** More bytes than an answer without its buffers has. */
export const MAX_HEAD = 320 << 20;
/** More bytes than the buffers of one answer have. */
export const MAX_BUFFERS = 512 << 20;

/** Below this many bytes, a buffer is not worth being sent apart. */
const APART = 1 << 10;

const TYPES = { Uint8Array, Uint32Array, Float64Array } as const;
type TypeName = keyof typeof TYPES;
type Large = InstanceType<(typeof TYPES)[TypeName]>;

interface Place {
  /** Of the member that has the buffer; undefined where it is the value itself. */
  readonly member: string | undefined;
  readonly type: TypeName;
  readonly bytes: number;
}

/** An answer without its large buffers, and where they belong in its result. */
interface Packed {
  readonly answer: Answer;
  readonly places: readonly Place[];
}

function typeOf(value: unknown): TypeName | undefined {
  const names = Object.keys(TYPES) as TypeName[];
  const name = names.find((each) => value instanceof TYPES[each]);
  return name !== undefined && (value as Large).byteLength >= APART ? name : undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Large): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export function frameHead(kind: number, length: number): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(length, 1);
  return head;
}

/** An answer as what is to be written one after the other: large arrays in its result, or among the members of it, as they lie. */
export function packed(answer: Answer): Uint8Array[] {
  if (!answer.ok) return [serialize({ answer, places: [] } satisfies Packed)];
  const places: Place[] = [];
  const buffers: Uint8Array[] = [];
  const take = (part: unknown, member: string | undefined): unknown => {
    const type = typeOf(part);
    if (type === undefined) return part;
    const bytes = bytesOf(part as Large);
    places.push({ member, type, bytes: bytes.byteLength });
    buffers.push(bytes);
    return undefined;
  };
  let rest = take(answer.result, undefined);
  if (typeof rest === "object" && rest !== null && rest.constructor === Object) {
    rest = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, take(part, name)]));
  }
  const without = { ok: true, result: rest } as Answer;
  return [serialize({ answer: without, places } satisfies Packed), ...buffers];
}

/** Reads what `packed` made, buffer by buffer. */
export class Unpacking {
  readonly #packed: Packed;
  readonly #buffers: ArrayBuffer[] = [];
  /** Bytes of all buffers that follow. */
  readonly bytes: number;

  /** @throws Error when it is nothing that `packed` makes */
  constructor(head: Uint8Array) {
    this.#packed = deserialize(head) as Packed;
    const { places } = this.#packed;
    this.bytes = places.reduce((sum, { bytes }) => sum + bytes, 0);
    const isSound = places.every(({ type, bytes }) => Object.hasOwn(TYPES, type) && bytes >= 0);
    if (!isSound || !(this.bytes <= MAX_BUFFERS)) throw new Error("an answer of no known form");
  }

  /** Memory for the next buffer, to be filled; undefined when there is none left. */
  next(): Uint8Array | undefined {
    const place = this.#packed.places[this.#buffers.length];
    if (place === undefined) return undefined;
    const bytes = Buffer.allocUnsafeSlow(place.bytes);
    this.#buffers.push(bytes.buffer);
    return bytes;
  }

  /** The answer, once all buffers are filled. */
  answer(): Answer {
    const { answer, places } = this.#packed;
    if (!answer.ok) return answer;
    let result: unknown = answer.result;
    for (const [i, { member, type }] of places.entries()) {
      const array = new TYPES[type](this.#buffers[i] ?? new ArrayBuffer(0));
      if (member === undefined) result = array;
      else (result as Record<string, unknown>)[member] = array;
    }
    return { ok: true, result: result as Results[keyof Results] };
  }
}
