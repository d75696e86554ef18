/** Reads, bounds and validates a JSON body in slices, so that a large body does not block other requests. */
import type { IncomingMessage } from "node:http";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type FoundIssues, InvalidParameters, Issues, MAX_ISSUES } from "../../../domain/errors.js";
import { Budget } from "../../../platform/concurrency/budget.js";
import { batchesOf, SLICE, TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { RETRY_AFTER, ServiceBusy } from "../../../platform/errors.js";
import { BodyTooLarge, MalformedBody } from "../../errors.js";
import { invalidParameters } from "../problem.js";
import { type ArrayPosition, JsonReader } from "./json-text.js";

/** The maximum size of a body. */
export interface BodyLimit {
  readonly bytes: number;
  /** Elements of each array in the outermost object. */
  readonly entries: number;
  /** Nesting of objects and arrays; a usual depth if it is left out. */
  readonly depth?: number;
}

/** Maximum of values in a body: these for each allowed entry, and some more. */
const MAX_VALUES_OF_ENTRY = 40;
const MORE_VALUES = 10_000;
/** Bytes that are parsed at a time. */
const PIECE = 1 << 16;
/** Milliseconds for which the rest of a refused body is dropped, so that no reset discards the answer. */
const LINGER = 500;

/** Budget for the bytes of bodies in work, over all requests. Bookings throw ServiceBusy. */
export const bodyBudget = (bytes: number): Budget =>
  new Budget(bytes, {
    refused: () =>
      new ServiceBusy(
        RETRY_AFTER.permit,
        "Too many large bodies are being read; please try again.",
      ),
  });

/** The body does not match the contract's schema. Its operation can add further issues. */
export class WrongShape extends InvalidParameters {
  /** @param body as sent */
  constructor(
    issues: Issues,
    readonly body: unknown,
  ) {
    super(issues.issues, issues.unlisted);
  }

  /**
   * This error with the further issues of `find`, entry by entry; unchanged if it already has too many.
   *
   * @param find receives the body, and a function that says whether a location has an issue already
   */
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

/** Reads and validates bodies of one operation. */
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

  /**
   * @param onBytes is called with the size of each piece
   * @throws BodyTooLarge, MalformedBody, WrongShape, InvalidParameters, and what `onBytes` throws
   */
  async read(c: Context, onBytes: (bytes: number) => void): Promise<unknown> {
    const { bytes: max, entries, depth } = this.#limit;
    if (Number(c.req.header("Content-Length")) > max) throw new BodyTooLarge(max);
    const issues = new Issues();
    const values = entries * MAX_VALUES_OF_ENTRY + MORE_VALUES;
    const bounds = { entries, values, ...(depth !== undefined && { depth }) };
    const reader = new JsonReader(bounds, (place, elements) =>
      this.#check(place, elements, issues),
    );
    let bytes = 0;
    const slice = new TimeSlice();
    for await (const piece of piecesOf(c)) {
      bytes += piece.length;
      if (bytes > max) throw new BodyTooLarge(max);
      onBytes(piece.length);
      for (let from = 0; from < piece.length; from += PIECE) {
        reader.read(piece.subarray(from, from + PIECE));
        if (slice.isOver) await slice.next();
      }
    }
    const body = reader.finish();
    const result = this.#whole.safeParse(body);
    if (!result.success) issues.join(invalidBody(result.error.issues));
    if (issues.any) throw new WrongShape(issues, body);
    return result.data;
  }

  #check({ key, from }: ArrayPosition, elements: unknown[], issues: Issues): readonly unknown[] {
    const schema = this.#parts.get(key);
    if (schema === undefined) return elements;
    const kept: unknown[] = [];
    // In parts, because a wrong element costs a hundred times as much as a right one. After MAX_ISSUES, the rest is only counted.
    for (const some of batchesOf(elements, SLICE)) {
      if (issues.isFull) break;
      const result = schema.safeParse(some);
      kept.push(...(result.success ? result.data : some));
      if (result.success) continue;
      const found = result.error.issues.map((issue) => {
        const [index = 0, ...inner] = issue.path;
        return {
          ...issue,
          path: [key, from + kept.length - some.length + Number(index), ...inner],
        };
      });
      issues.join(invalidBody(found));
    }
    return kept;
  }
}

const invalidBody = (issues: z.core.$ZodIssue[]): FoundIssues =>
  invalidParameters(new z.ZodError(issues), "json");

/**
 * Reads a whole body.
 *
 * @throws BodyTooLarge, MalformedBody
 */
export async function readBytes(c: Context, max: number): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of piecesOf(c)) {
    length += piece.length;
    if (length > max) throw new BodyTooLarge(max);
    pieces.push(piece);
  }
  // A separate ArrayBuffer: small Buffers share one.
  const bytes = Buffer.from(new ArrayBuffer(length));
  Buffer.concat(pieces).copy(bytes);
  return bytes;
}

/** The bytes of a body. If the client disconnects, no error is reported: nobody would read it. */
async function* piecesOf(c: Context): AsyncGenerator<Buffer> {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  try {
    if (incoming !== undefined) {
      // Destroying the stream on an early return would close the connection before the answer.
      yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      return;
    }
    const { body } = c.req.raw;
    // Not all versions of Node's types declare this iterator.
    const pieces = body as unknown as AsyncIterable<Uint8Array> | null;
    if (pieces !== null) for await (const piece of pieces) yield Buffer.from(piece);
  } catch (cause) {
    throw new MalformedBody("The body broke off.", { cause });
  }
}

/** Reads and drops the rest of a refused body, for at most LINGER. */
export async function drop(c: Context): Promise<void> {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  if (incoming === undefined || incoming.readableEnded || incoming.destroyed) return;
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
