/**
 * The frames that the service and a reading process exchange through pipes: a kind, a length, and that many bytes.
 *
 * Node's own channel between processes writes JSON, or copies data several times. Here large buffers are written as they lie
 * in memory, and are read into memory of the right size.
 */
import { deserialize, serialize } from "node:v8";
import type { Answer, Results } from "./protocol.js";

/** Kinds of frames from a reading process. */
export const FRAME = {
  /** The process can take orders. */
  ready: 1,
  /** A decoder starts; the length is the milliseconds that it may take. 0: it is done. No bytes follow. */
  decoding: 2,
  /** An answer. The buffers that it names follow it, without frames of their own. */
  answer: 3,
} as const;

/** Bytes before the content of a frame: its kind, and its length. */
export const FRAME_HEAD = 5;
/** Maximal bytes of an answer without its buffers. */
export const MAX_HEAD = 320 << 20;
/** Maximal bytes of the buffers of one answer. */
export const MAX_BUFFERS = 512 << 20;

/** Bytes from which on a buffer is sent separately. */
const MIN_SEPARATE = 1 << 10;

const TYPES = { Uint8Array, Uint32Array, Float64Array } as const;
type TypeName = keyof typeof TYPES;
type Large = InstanceType<(typeof TYPES)[TypeName]>;

/** A buffer that is sent separately. */
interface SeparateBuffer {
  /** The member of the result that it belongs to; undefined if it is the result itself. */
  readonly member: string | undefined;
  readonly type: TypeName;
  readonly bytes: number;
}

/** An answer without its large buffers, and the description of these. */
interface Packed {
  readonly answer: Answer;
  readonly separate: readonly SeparateBuffer[];
}

function typeOf(value: unknown): TypeName | undefined {
  const names = Object.keys(TYPES) as TypeName[];
  const name = names.find((each) => value instanceof TYPES[each]);
  return name !== undefined && (value as Large).byteLength >= MIN_SEPARATE ? name : undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Large): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export function frameHead(kind: number, length: number): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(length, 1);
  return head;
}

/** The parts of an answer in the order of writing. Typed arrays that are the result, or a member of it, are not copied. */
export function packed(answer: Answer): Uint8Array[] {
  if (!answer.ok) return [serialize({ answer, separate: [] } satisfies Packed)];
  const separate: SeparateBuffer[] = [];
  const buffers: Uint8Array[] = [];
  const take = (part: unknown, member: string | undefined): unknown => {
    const type = typeOf(part);
    if (type === undefined) return part;
    const bytes = bytesOf(part as Large);
    separate.push({ member, type, bytes: bytes.byteLength });
    buffers.push(bytes);
    return undefined;
  };
  let rest = take(answer.result, undefined);
  if (typeof rest === "object" && rest !== null && rest.constructor === Object) {
    rest = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, take(part, name)]));
  }
  const without = { ok: true, result: rest } as Answer;
  return [serialize({ answer: without, separate } satisfies Packed), ...buffers];
}

/** Reads the parts that `packed` made, buffer by buffer. */
export class Unpacking {
  readonly #packed: Packed;
  readonly #buffers: ArrayBuffer[] = [];
  /** Bytes of all buffers that follow. */
  readonly bytes: number;

  /** @throws Error if `packed` makes no such head */
  constructor(head: Uint8Array) {
    this.#packed = deserialize(head) as Packed;
    const { separate } = this.#packed;
    this.bytes = separate.reduce((sum, { bytes }) => sum + bytes, 0);
    const isSound = separate.every(({ type, bytes }) => Object.hasOwn(TYPES, type) && bytes >= 0);
    if (!isSound || !(this.bytes <= MAX_BUFFERS)) throw new Error("an answer of no known form");
  }

  /** Memory to be filled with the next buffer; undefined after the last. */
  next(): Uint8Array | undefined {
    const next = this.#packed.separate[this.#buffers.length];
    if (next === undefined) return undefined;
    const bytes = Buffer.allocUnsafeSlow(next.bytes);
    this.#buffers.push(bytes.buffer);
    return bytes;
  }

  /** The answer, once all buffers are filled. */
  answer(): Answer {
    const { answer, separate } = this.#packed;
    if (!answer.ok) return answer;
    let result: unknown = answer.result;
    for (const [i, { member, type }] of separate.entries()) {
      const array = new TYPES[type](this.#buffers[i] ?? new ArrayBuffer(0));
      if (member === undefined) result = array;
      else (result as Record<string, unknown>)[member] = array;
    }
    return { ok: true, result: result as Results[keyof Results] };
  }
}
