/**
 * An incremental JSON reader that checks bounds before it parses, and parses in small parts.
 *
 * The large parts of a body are arrays in its outermost object. Their elements are cut out and parsed some at a time.
 * The rest (the frame), with a number in place of each array, is parsed at the end.
 */
import { isUtf8 } from "node:buffer";
import { InvalidParameters } from "../../../domain/errors.js";
import { BodyTooLarge, MalformedBody } from "../../errors.js";

export interface JsonBounds {
  /** Elements of each array in the outermost object. */
  readonly entries: number;
  /** Values in the whole body. */
  readonly values: number;
  /** Nesting of objects and arrays; MAX_DEPTH if it is left out. */
  readonly depth?: number;
}

/** Nesting depth of objects and arrays. */
const MAX_DEPTH = 32;
/** Maximal bytes of one element, and of the frame; also bounds the longest text. */
const MAX_ELEMENT = 1 << 20;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = "\ufeff";

/** Receives some elements in order, and returns the ones to keep. */
export type TakeElements = (place: ArrayPosition, elements: unknown[]) => readonly unknown[];

/** The key of an array, and the index of the first element. */
export interface ArrayPosition {
  readonly key: string;
  readonly from: number;
}

interface ArrayRead {
  readonly key: string;
  readonly elements: unknown[];
  /** Number of elements, kept or not. */
  count: number;
}

export class JsonReader {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #values = 0;
  /** Whether the outermost value is an object; undefined before its first byte. */
  #isObject: boolean | undefined;
  /** The frame: everything outside of the arrays. */
  readonly #frame: Buffer[] = [];
  #frameBytes = 0;
  /** The current text in the outermost object, and the one before: the key when an array begins. */
  #text: Buffer[] = [];
  #lastText: Buffer = Buffer.alloc(0);
  readonly #arrays: ArrayRead[] = [];
  /** The current array, and its elements that are not parsed yet. */
  #array: ArrayRead | undefined;
  #open: Buffer[] = [];
  #openBytes = 0;
  readonly #bounds: JsonBounds;
  readonly #take: TakeElements;

  /** @param take receives the elements of arrays in the outermost object; by default all are kept */
  constructor(bounds: JsonBounds, take: TakeElements = (_, elements) => elements) {
    this.#bounds = bounds;
    this.#take = take;
  }

  /**
   * Reads the next piece.
   *
   * @throws BodyTooLarge, MalformedBody, InvalidParameters, and what `take` throws
   */
  read(piece: Buffer): void {
    /** Start of the bytes that are not stored yet. */
    let start = 0;
    /** End of the last complete element of the current array. */
    let complete = -1;
    for (let at = 0; at < piece.length; at += 1) {
      if (this.#inString) {
        const from = at;
        at = this.#passString(piece, at);
        if (this.#depth === 1) this.#keepText(piece.subarray(from, at + 1));
        continue;
      }
      const byte = piece[at];
      if (byte === QUOTE) {
        this.#inString = true;
        this.#text = [];
      } else if (byte === COMMA) {
        this.#count();
        if (this.#array !== undefined && this.#depth === 2) complete = at;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.#isObject ??= byte === OPEN_OBJECT;
        this.#enter();
        if (this.#depth !== 2 || byte === OPEN_OBJECT || !this.#isObject) continue;
        this.#putFrame(piece.subarray(start, at + 1));
        this.#beginArray();
        start = at + 1;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (this.#array !== undefined && this.#depth === 2) {
          this.#putOpen(piece.subarray(start, at));
          this.#parseOpen(true);
          this.#array = undefined;
          start = at;
          complete = -1;
        }
        this.#depth -= 1;
      }
    }
    if (this.#array === undefined) {
      this.#putFrame(piece.subarray(start));
      return;
    }
    if (complete >= 0) {
      this.#putOpen(piece.subarray(start, complete));
      this.#parseOpen(false);
      start = complete + 1;
    }
    this.#putOpen(piece.subarray(start));
    if (this.#openBytes > MAX_ELEMENT) throw new BodyTooLarge(MAX_ELEMENT, "bytes an entry");
  }

  /** Skips a text from inside it. Returns the index of its end, or of the last byte of the piece. */
  #passString(piece: Buffer, from: number): number {
    let escaped = this.#escaped;
    for (let at = from; at < piece.length; at += 1) {
      const byte = piece[at];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        this.#escaped = false;
        return at;
      }
    }
    this.#escaped = escaped;
    return piece.length - 1;
  }

  #keepText(bytes: Buffer): void {
    this.#text.push(bytes);
    if (!this.#inString) this.#lastText = Buffer.concat(this.#text);
  }

  #enter(): void {
    this.#depth += 1;
    this.#count();
    const { depth = MAX_DEPTH } = this.#bounds;
    if (this.#depth <= depth) return;
    const reason = `must have at most ${depth} levels of objects and arrays`;
    throw new InvalidParameters([{ name: "body", in: "body", reason }]);
  }

  #beginArray(): void {
    const key = String(parse(Buffer.concat([Buffer.from('"'), this.#lastText])));
    this.#putFrame(Buffer.from(String(this.#arrays.length)));
    this.#array = { key, elements: [], count: 0 };
    this.#arrays.push(this.#array);
  }

  /**
   * Returns the whole value.
   *
   * @throws MalformedBody, InvalidParameters
   */
  finish(): unknown {
    if (this.#array !== undefined) throw malformed();
    const value = parse(Buffer.concat(this.#frame));
    if (!this.#isObject) return value;
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const member = members[key];
      // Of duplicate keys the last one counts, as in JSON.parse.
      if (Array.isArray(member)) members[key] = this.#arrays[Number(member[0])]?.elements;
    }
    return members;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#bounds.values) throw new BodyTooLarge(this.#bounds.values, "values");
  }

  #putFrame(bytes: Buffer): void {
    // A copy, so that the piece can be freed.
    this.#frame.push(Buffer.from(bytes));
    this.#frameBytes += bytes.length;
    if (this.#frameBytes > MAX_ELEMENT)
      throw new BodyTooLarge(MAX_ELEMENT, "bytes beside its entries");
  }

  #putOpen(bytes: Buffer): void {
    this.#open.push(bytes);
    this.#openBytes += bytes.length;
  }

  /** Parses the complete elements. @param last whether the array ends with them */
  #parseOpen(last: boolean): void {
    const array = this.#array as ArrayRead;
    const [only] = this.#open;
    const bytes = this.#open.length === 1 && only ? only : Buffer.concat(this.#open);
    this.#open = [];
    this.#openBytes = 0;
    const place = { key: array.key, from: array.count };
    const elements = parse(bytes, place) as unknown[];
    if (elements.length === 0 && (array.count > 0 || !last)) throw malformed();
    array.count += elements.length;
    if (array.count > this.#bounds.entries) throw new BodyTooLarge(this.#bounds.entries, "entries");
    for (const kept of this.#take(place, elements)) array.elements.push(kept);
  }
}

const malformed = (): MalformedBody => new MalformedBody("The body is not JSON.");

/** Parses a part of the body. @param place position of its elements, if it consists of elements */
function parse(bytes: Buffer, place?: ArrayPosition): unknown {
  if (!isUtf8(bytes)) throw new MalformedBody("The body is not UTF-8.");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    if (place !== undefined) value = JSON.parse(`[${text}]`);
    else value = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw malformed();
  }
  // Validators silently drop this key: {"__proto__": "x"} would count as {}.
  if (text.includes("__proto__") || text.includes("\\u"))
    refusePrototype(value, place?.key ?? "", place?.from);
  return value;
}

function refusePrototype(value: unknown, name: string, from = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) refusePrototype(one, `${name}[${from + index}]`);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const inner = name === "" ? key : `${name}.${key}`;
    if (key === "__proto__") {
      throw new InvalidParameters([{ name: inner, in: "body", reason: "is not a key here" }]);
    }
    refusePrototype(member, inner);
  }
}
