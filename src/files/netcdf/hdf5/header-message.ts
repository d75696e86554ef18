/** Types of object header messages (specification, section IV.A.2). */
import { Cursor } from "../source/cursor.js";

/** The header message types that are read (section IV.A.2). */
export const MESSAGE = {
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  oldFillValue: 0x04,
  fillValue: 0x05,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  filters: 0x0b,
  attribute: 0x0c,
  sharedTable: 0x0f,
  continuation: 0x10,
  symbolTable: 0x11,
  bTreeRanks: 0x13,
  attributeInfo: 0x15,
  cacheImage: 0x18,
} as const;

export interface Message {
  readonly type: number;
  readonly data: Uint8Array;
  /** Order of creation, if the header stores it. */
  readonly creationOrder: number;
}

export interface ObjectHeader {
  readonly address: number;
  readonly messages: readonly Message[];
}

/** The first message of a type, from its beginning. */
export function findMessage(header: ObjectHeader, type: number): Cursor | undefined {
  const message = header.messages.find((one) => one.type === type);
  return message && new Cursor(message.data);
}
