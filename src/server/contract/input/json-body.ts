/** Reads, bounds and validates JSON bodies, so that a large one does not block other requests. */
import type { IncomingMessage } from "node:http";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type FoundIssues, InvalidParameters, Issues, MAX_ISSUES } from "../../../domain/errors.js";
import { batchesOf, nextTurn, SLICE } from "../../../platform/concurrency/time-slices.js";
import { BodyTooLarge, MalformedBody } from "../../errors.js";
import { invalidParameters } from "../problem.js";

/** The maximum size of a body, as the contract has it. */
interface BodyLimit {
  readonly bytes: number;
  /** Elements of each array in the outermost object; none if it is left out. */
  readonly entries?: number;
  /** Nesting of objects and arrays; MAX_DEPTH if it is left out. */
  readonly depth?: number;
}

/** Milliseconds for which the rest of a refused body is dropped, so that no reset discards the answer. */
const LINGER = 500;

/** The body does not match the contract's schema. Its operation can add further issues. */
export class WrongShape extends InvalidParameters {
  /** @param body as sent */
  constructor(
    issues: Issues,
    readonly body: unknown,
  ) {
    super(issues.issues, issues.unlisted);
  }

  /** This error with the further issues of `find`, entry by entry; unchanged if it already has too many. */
  async withMoreIssues(
    find: (body: unknown, isReported: (name: string) => boolean) => Promise<FoundIssues>,
  ): Promise<InvalidParameters> {
    if (this.issues.length >= MAX_ISSUES) return this;
    const reported = new Set(this.issues.flatMap(({ name }) => enclosingNames(name)));
    const all = new Issues();
    all.join(this);
    all.join(await find(this.body, (name) => reported.has(name)));
    return all.error;
  }
}

/** The names of the values that contain a value: `a[3].b` for `a[3].b[1]`. */
function enclosingNames(name: string): string[] {
  const outer = name.replace(/\[\d+\]$/, "");
  return outer === name ? [name] : [name, outer];
}

export class JsonBody {
  /** The schemas of arrays whose elements are validated in parts. */
  readonly #parts = new Map<string, z.ZodArray>();
  readonly #whole: z.ZodType;
  readonly #limit: BodyLimit;

  constructor(schema: z.ZodType, limit: BodyLimit) {
    this.#limit = limit;
    if (!(schema instanceof z.ZodObject)) {
      this.#whole = schema;
      return;
    }
    const rest: Record<string, z.ZodType> = {};
    for (const [key, member] of Object.entries(schema.shape)) {
      if (!(member instanceof z.ZodArray)) continue;
      this.#parts.set(key, z.array(member.element));
      rest[key] = member.clone({ ...member.def, element: z.unknown() });
    }
    this.#whole = schema.extend(rest);
  }

  async read(c: Context, onBytes: (bytes: number) => void): Promise<unknown> {
    const body = parseJson(await readBytes(c, this.#limit.bytes, onBytes), this.#limit);
    const issues = new Issues();
    const checked = await this.#checkParts(body, issues);
    const result = this.#whole.safeParse(checked);
    if (!result.success) issues.join(invalidBody(result.error.issues));
    if (issues.any) throw new WrongShape(issues, body);
    return result.data;
  }

  /** The body with its arrays validated. They are not checked further after MAX_ISSUES. */
  async #checkParts(body: unknown, issues: Issues): Promise<unknown> {
    if (typeof body !== "object" || body === null || this.#parts.size === 0) return body;
    const checked: Record<string, unknown> = { ...body };
    for (const [key, schema] of this.#parts) {
      const elements = checked[key];
      if (!Array.isArray(elements)) continue;
      const kept: unknown[] = [];
      for (const some of batchesOf(elements, SLICE)) {
        if (kept.length > 0) await nextTurn();
        if (issues.isFull) return body;
        const result = schema.safeParse(some);
        if (!result.success) {
          const found = result.error.issues.map((issue) => {
            const [index = 0, ...inner] = issue.path;
            return { ...issue, path: [key, kept.length + Number(index), ...inner] };
          });
          issues.join(invalidBody(found));
        }
        for (const one of result.success ? result.data : some) kept.push(one);
      }
      checked[key] = kept;
    }
    return checked;
  }
}

const invalidBody = (issues: z.core.$ZodIssue[]): FoundIssues => invalidParameters(issues, "json");

/** Reads a whole body. @param max in bytes. */
export async function readBytes(
  c: Context,
  max: number,
  onBytes?: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(c.req.header("Content-Length")) > max) throw new BodyTooLarge(max);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of piecesOf(c)) {
    length += piece.length;
    if (length > max) throw new BodyTooLarge(max);
    onBytes?.(piece.length);
    pieces.push(piece);
  }
  // A separate ArrayBuffer: small Buffers share one.
  const bytes = Buffer.from(new ArrayBuffer(length));
  let at = 0;
  for (const piece of pieces) at += piece.copy(bytes, at);
  return bytes;
}

/** The bytes of a body. If the client disconnects, no error is reported: nobody would read it. */
async function* piecesOf(c: Context): AsyncGenerator<Buffer> {
  try {
    // Destroying the stream on an early return would close the connection before the answer.
    yield* incomingOf(c).iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new MalformedBody("The body broke off.", { cause });
  }
}

const incomingOf = ({ env }: Context): IncomingMessage => env.incoming;

/** Reads and drops the rest of a refused body, for at most LINGER. */
export async function drop(c: Context): Promise<void> {
  const incoming = incomingOf(c);
  if (incoming.readableEnded || incoming.destroyed) return;
  incoming.resume();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LINGER);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once("end", end).once("close", end).once("error", end);
  });
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

function parseJson(bytes: Uint8Array, limit: BodyLimit): unknown {
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
function boundValues(bytes: Uint8Array, limit: BodyLimit): void {
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
