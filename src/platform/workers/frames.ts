/**
 * The frames in which a pool and a worker process exchange messages through pipes: a head, the bytes of a large answer as they
 * lie in memory, and the rest of the message, serialised.
 *
 * Node's own channel between processes copies data more often (bench/worker-channel.ts), and reads an answer before its memory
 * can be booked.
 */
import { DefaultDeserializer, serialize } from "node:v8";

/** Bytes of the head: the lengths of both parts. */
export const HEAD = 8;

const NO_BYTES = new Uint8Array(0);

/** The parts of a frame in the order of writing. An answer that is bytes is not copied. */
export function frame(message: object): Uint8Array[] {
  const { answer } = message as { readonly answer?: unknown };
  const bytes = answer instanceof Uint8Array ? answer : NO_BYTES;
  const rest = serialize(bytes.length === 0 ? message : { ...message, answer: undefined });
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(bytes.length, 0);
  head.writeUInt32LE(rest.length, 4);
  return [head, bytes, rest];
}

/** Lengths of the parts that follow a head. */
export const lengthsOf = (head: Buffer): readonly [bytes: number, rest: number] => [
  head.readUInt32LE(0),
  head.readUInt32LE(4),
];

/** The message of a frame. @param bytes alone in its memory, so that it can be handed over to threads */
export function unframed(bytes: Buffer, rest: Buffer): unknown {
  const unpacker = new Unpacker(rest);
  unpacker.readHeader();
  const message: unknown = unpacker.readValue();
  if (bytes.length === 0) return message;
  return { ...(message as object), answer: new Uint8Array(bytes.buffer) };
}

/** Node's method, which its types leave out (node:v8, "deserializer._readHostObject"). */
const { _readHostObject: readView } = DefaultDeserializer.prototype as unknown as {
  _readHostObject(this: DefaultDeserializer): Uint8Array;
};

/** Gives each array memory of its own: views of the frame would keep all of it in memory. */
class Unpacker extends DefaultDeserializer {
  _readHostObject(): Uint8Array {
    return Uint8Array.prototype.slice.call(readView.call(this));
  }
}
