/** A body in JSON: read, bounded and validated as it comes, so that no body keeps the service from its other callers. */
import type { IncomingMessage } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type FoundIssues, InvalidParameters, Issues } from "../../../domain/errors.js";
import { Budget } from "../../../platform/budget.js";
import { RETRY_AFTER, ServiceBusy } from "../../../platform/errors.js";
import { BodyTooLarge, MalformedBody } from "../../errors.js";
import { invalidParameters } from "../problem.js";
import { type ArrayPosition, JsonReader } from "./json-text.js";

/** The largest body that is read at all. */
export interface BodyLimit {
  readonly bytes: number;
  /** Elements of each array in the outermost object. */
  readonly entries: number;
}

/** Values in a body: so many for each entry that there may be, and some more. */
const MAX_VALUES_OF_ENTRY = 40;
const MORE_VALUES = 10_000;
/** Milliseconds of work before others get their turn. */
const SLICE = 8;
/** Bytes that are looked at together, however they come. */
const PIECE = 1 << 16;
/** Milliseconds in which the rest of a refused body is taken and dropped, so that the answer is not lost by a reset. */
const LINGER = 500;

/** The bytes of bodies that are being worked on, over all requests. Bookings throw ServiceBusy. */
export const bodyBudget = (bytes: number): Budget =>
  new Budget(bytes, {
    refused: () =>
      new ServiceBusy(RETRY_AFTER.place, "Too many large bodies are being read; please try again."),
  });

/** A body is not of the contract's form; whoever knows more of it can tell what else is wrong. */
export class WrongShape extends InvalidParameters {
  /** @param body as it came */
  constructor(
    issues: Issues,
    readonly body: unknown,
  ) {
    super(issues.issues, issues.unlisted);
  }

  /**
   * This, and what else is found to be wrong, entry by entry; where this alone is more than can be read, only this.
   *
   * @param find is handed the body, and whether something is said of a place already
   */
  async withMoreIssues(
    find: (body: unknown, isReported: (name: string) => boolean) => Promise<FoundIssues>,
  ): Promise<InvalidParameters> {
    if (this.unlisted > 0) return this;
    const reported = new Set(this.issues.flatMap(({ name }) => enclosingNames(name)));
    const all = new Issues();
    all.join(this);
    all.join(await find(this.body, (name) => reported.has(name)));
    return all.error;
  }
}

/** `a[3].b[1]` is told of, and with it `a[3].b`. */
function enclosingNames(name: string): string[] {
  const outer = name.replace(/\[\d+\]$/, "");
  return outer === name ? [name] : [name, outer];
}

/** Reads and validates bodies of one operation. */
export class JsonBody {
  /** Of arrays whose elements are validated some at a time: the schema of some of them. */
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
   * @param onBytes hears of all that comes
   * @throws BodyTooLarge, MalformedBody, WrongShape, InvalidParameters, and what `onBytes` throws
   */
  async read(c: Context, onBytes: (bytes: number) => void): Promise<unknown> {
    const { bytes: max, entries } = this.#limit;
    if (Number(c.req.header("Content-Length")) > max) throw new BodyTooLarge(max);
    const issues = new Issues();
    const bounds = { entries, values: entries * MAX_VALUES_OF_ENTRY + MORE_VALUES };
    const reader = new JsonReader(bounds, (place, elements) =>
      this.#check(place, elements, issues),
    );
    let bytes = 0;
    let begun = performance.now();
    for await (const piece of piecesOf(c)) {
      bytes += piece.length;
      if (bytes > max) throw new BodyTooLarge(max);
      onBytes(piece.length);
      for (let from = 0; from < piece.length; from += PIECE) {
        reader.read(piece.subarray(from, from + PIECE));
        if (performance.now() - begun < SLICE) continue;
        await turn();
        begun = performance.now();
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
    const result = schema.safeParse(elements);
    if (result.success) return result.data;
    const found = result.error.issues.map((issue) => {
      const [index = 0, ...inner] = issue.path;
      return { ...issue, path: [key, from + Number(index), ...inner] };
    });
    issues.join(invalidBody(found));
    return elements;
  }
}

const invalidBody = (issues: z.core.$ZodIssue[]): FoundIssues =>
  invalidParameters(new z.ZodError(issues), "json");

/**
 * A whole body.
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
  // A buffer of its own: small ones share theirs with others.
  const bytes = Buffer.from(new ArrayBuffer(length));
  Buffer.concat(pieces).copy(bytes);
  return bytes;
}

/** The bytes of a body; where the caller leaves in the middle, nobody hears what that is called. */
async function* piecesOf(c: Context): AsyncGenerator<Buffer> {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  try {
    if (incoming !== undefined) {
      // Not ended when it is left early: that would end the connection before the answer.
      yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      return;
    }
    const { body } = c.req.raw;
    // Its type knows nothing of that in every version of Node's types.
    const pieces = body as unknown as AsyncIterable<Uint8Array> | null;
    if (pieces !== null) for await (const piece of pieces) yield Buffer.from(piece);
  } catch (cause) {
    throw new MalformedBody("The body broke off.", { cause });
  }
}

/** Takes what is still sent of a refused body, for a moment. */
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
