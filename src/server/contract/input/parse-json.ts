/** Parses a JSON body within bounds: what would take long to parse is counted before. */
import { InvalidParameters } from "../../../domain/errors.js";
import { BodyTooLarge, MalformedBody } from "../../errors.js";

export interface JsonLimit {
  /** Elements of each array in the outermost object; none if it is left out. */
  readonly entries?: number;
  /** Nesting of objects and arrays; MAX_DEPTH if it is left out. */
  readonly depth?: number;
}

/** Nesting of objects and arrays. */
const MAX_DEPTH = 32;
/** Values of a body: these for each entry, and some more. 170,000 with as many different keys take a fifth of a second to parse. */
const MAX_VALUES_OF_ENTRY = 16;
const MORE_VALUES = 10_000;
/** Members of one object. A member with an unknown key is compared with all known ones. */
const MAX_MEMBERS = 1000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export function parseJson(bytes: Uint8Array, limit: JsonLimit): unknown {
  boundValues(bytes, limit);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedBody("The body is not UTF-8.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MalformedBody("The body is not JSON.");
  }
  const { entries = 0 } = limit;
  for (const member of isContainer(value) ? Object.values(value) : []) {
    if (Array.isArray(member) && member.length > entries)
      throw new BodyTooLarge(entries, "entries");
  }
  // Validators silently drop this key: {"__proto__": "x"} would count as {}.
  if (text.includes("__proto__") || text.includes("\\u")) refusePrototype(value, "");
  return value;
}

/** Bounds values, members and nesting by the punctuation outside of texts. */
function boundValues(bytes: Uint8Array, limit: JsonLimit): void {
  const { entries = 0, depth: maxDepth = MAX_DEPTH } = limit;
  const max = entries * MAX_VALUES_OF_ENTRY + MORE_VALUES;
  let [values, depth, isText] = [0, 0, false];
  /** For each object around the current byte, how many members it may still have; arrays have no bound of their own. */
  const left = new Array<number>(maxDepth + 1).fill(0);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) {
      values += 1;
      left[depth] = (left[depth] ?? 0) - 1;
      if (left[depth] === 0) throw new BodyTooLarge(MAX_MEMBERS, "members an object");
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) {
        const reason = `must have at most ${maxDepth} levels of objects and arrays`;
        throw new InvalidParameters([{ name: "body", in: "body", reason }]);
      }
      left[depth] = byte === OPEN_OBJECT ? MAX_MEMBERS : Infinity;
    }
    if (values > max) throw new BodyTooLarge(max, "values");
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

function refusePrototype(value: unknown, name: string): void {
  if (!isContainer(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const outer = Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`;
    const inner = outer.replace(/^\./, "");
    if (key === "__proto__") {
      throw new InvalidParameters([{ name: inner, in: "body", reason: "is not a key here" }]);
    }
    refusePrototype(member, inner);
  }
}
