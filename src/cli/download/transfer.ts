/** Fetches one file: resumes, verifies, and tries again. */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { refusalOf as reasonOfSystem, UserError } from "../../platform/errors.js";
import { AuthenticationError } from "../client/authentication-error.js";
import type { DownloadState } from "./download-state.js";
import { addressOf, type ListedFile } from "./file-list.js";

/** The service does not accept the token, or needs one. */
export class TokenRejected extends UserError {
  override readonly name = "TokenRejected";
}

export type Fetched =
  | {
      readonly kind: "done";
      /** Bytes that were there before. */
      readonly there: number;
      /** Whether only the length is verified. */
      readonly isByLength: boolean;
    }
  | { readonly kind: "failed"; readonly reason: string };

export interface TransferOptions {
  readonly state: DownloadState;
  /** A token that is still valid, and not the one that the service refuses; undefined if nobody has signed in. */
  readonly token: (refused?: string) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  readonly replaces: boolean;
  /** Receives the number of new bytes; negative for bytes that were dropped. */
  readonly onBytes: (bytes: number) => void;
}

/** Tries in a row in which nothing arrives. */
const MAX_TRIES = 7;
/** Times that a file may change, or have a wrong checksum, before it is given up. */
const MAX_ANEW = 5;
/** Seconds of the longest pause between two tries. */
const MAX_PAUSE = 600;
/** Milliseconds without any byte after which a transfer is tried again. */
const SILENCE = 120_000;
/** Calls of the file system that a transfer makes. Their failure is none of the network. */
const FILE_CALLS = new Set(["open", "write", "close", "unlink", "rm"]);

/** The result of one request. `anew`: the file is another one; `again`: after a pause. */
type Outcome =
  | { readonly kind: "whole" }
  | { readonly kind: "anew" }
  | { readonly kind: "again"; readonly pause: number }
  | { readonly kind: "refused"; readonly reason: string };

export class Transfer {
  readonly #service: string;
  readonly #options: TransferOptions;

  constructor(service: string, options: TransferOptions) {
    this.#service = service;
    this.#options = options;
  }

  /** @throws TokenRejected; the signal's reason; what the file system throws, except for single files */
  async fetch(file: ListedFile): Promise<Fetched> {
    const { state, replaces } = this.#options;
    if (await state.has(file)) return done(file.size ?? 0, file);
    const target = state.target(file);
    try {
      if ((await lstat(target).catch(() => undefined)) !== undefined) {
        const difference = await this.#mismatch(file, target, false).then(
          (found) => found && "is another file",
          (error: unknown) => `cannot be read (${reasonOfFailure(error)})`,
        );
        if (difference === undefined) {
          await state.verified(file);
          return done(file.size ?? 0, file);
        }
        if (!replaces) return failed(`exists already and ${difference}; --replace replaces it`);
      }
      return await this.#fetch(file);
    } catch (error) {
      return failed(`cannot be written (${reasonOfFailure(error)})`);
    }
  }

  async #fetch(file: ListedFile): Promise<Fetched> {
    const { state, signal, onBytes } = this.#options;
    let tries = 0;
    let anew = 0;
    const there = (await state.part(file))?.have ?? 0;
    let had = there;
    for (;;) {
      const outcome = await this.#request(file);
      if (outcome.kind === "refused") return failed(outcome.reason);
      if (outcome.kind === "whole") {
        const reason = await this.#mismatch(file, state.partPath(file), true);
        if (reason === undefined) break;
        anew += 1;
        onBytes(-((await state.part(file))?.have ?? 0));
        await state.dropPart(file);
        if (anew > 1) return failed(reason);
      } else if (outcome.kind === "anew") {
        anew += 1;
        if (anew > MAX_ANEW) return failed("changes while it is fetched");
      } else {
        const have = (await state.part(file))?.have ?? 0;
        tries = have > had ? 1 : tries + 1;
        had = have;
        if (tries > MAX_TRIES) return failed("could not be fetched");
        const pause = Math.min(MAX_PAUSE, Math.max(2 ** tries, outcome.pause));
        await sleep(pause * 1000, undefined, { signal });
      }
    }
    await state.place(file);
    return done(Math.min(there, file.size ?? there), file);
  }

  /** One request for what is missing. @throws TokenRejected; the signal's reason */
  async #request(file: ListedFile): Promise<Outcome> {
    const { state, signal } = this.#options;
    const part = await state.part(file);
    if (part !== undefined && part.have === part.total) return { kind: "whole" };
    const isRest = part !== undefined && part.have > 0 && part.have < part.total;
    if (!isRest) await state.dropPart(file);
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), SILENCE);
    try {
      const response = await this.#send((token) => {
        timer.refresh();
        const headers = {
          "Accept-Encoding": "identity",
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          // A file that has changed is sent whole, and never appended.
          ...(isRest && { Range: `bytes=${part.have}-`, "If-Range": part.tag }),
        };
        return fetch(addressOf(this.#service, file), {
          headers,
          redirect: "error",
          signal: AbortSignal.any([signal, silence.signal]),
        });
      });
      const refusal = await refusalOf(response);
      if (refusal !== undefined) return refusal;
      if (isRest && response.status === 200) {
        await response.body?.cancel();
        await state.dropPart(file);
        return { kind: "anew" };
      }
      const length = response.headers.get("content-length");
      if (!isRest && length !== null && file.size !== undefined && Number(length) !== file.size) {
        await response.body?.cancel();
        return { kind: "refused", reason: anotherLength(Number(length), file.size) };
      }
      await this.#save(file, response, isRest, () => timer.refresh());
      const saved = await state.part(file);
      const isWhole = saved === undefined || saved.have === saved.total;
      return isWhole ? { kind: "whole" } : { kind: "again", pause: 0 };
    } catch (error) {
      signal.throwIfAborted();
      const isTemporary = error instanceof AuthenticationError && error.isTemporary;
      if (error instanceof UserError && !isTemporary) throw error;
      if (FILE_CALLS.has((error as NodeJS.ErrnoException).syscall ?? "")) throw error;
      return { kind: "again", pause: 0 };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request, and once more with another token if the service refuses the first one. */
  async #send(request: (token: string | undefined) => Promise<Response>): Promise<Response> {
    const token = await this.#options.token();
    const response = await request(token);
    if (response.status !== 401 || token === undefined) return response;
    const next = await this.#options.token(token);
    if (next === undefined || next === token) return response;
    await response.body?.cancel();
    return request(next);
  }

  /** Writes the body of an answer to the partial file. */
  async #save(
    file: ListedFile,
    response: Response,
    isRest: boolean,
    onArrival: () => void,
  ): Promise<void> {
    const { state, onBytes } = this.#options;
    if (!isRest) {
      const { headers } = response;
      await state.begin(file, headers.get("etag") ?? "", headers.get("content-length") ?? "");
    }
    const out: FileHandle = await open(state.partPath(file), isRest ? "a" : "w");
    try {
      const body = response.body as ReadableStream<Uint8Array> | null;
      for await (const piece of body === null ? [] : Readable.fromWeb(body)) {
        const bytes = piece as Uint8Array;
        await out.appendFile(bytes);
        onArrival();
        onBytes(bytes.length);
      }
    } finally {
      await out.close();
    }
  }

  /**
   * The difference between a file and its entry; undefined if they are the same as far as the index knows.
   *
   * @param isFetched whether a transfer has verified the length
   */
  async #mismatch(
    { size, checksum }: ListedFile,
    path: string,
    isFetched: boolean,
  ): Promise<string | undefined> {
    const found = await lstat(path);
    if (!found.isFile()) return "is not a file";
    if (size !== undefined && found.size !== size) {
      return anotherLength(found.size, size);
    }
    if (checksum === undefined) {
      return size === undefined && !isFetched ? "cannot be compared" : undefined;
    }
    const hash: Hash = createHash(checksum.algorithm);
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
      this.#options.signal.throwIfAborted();
      hash.update(piece as Buffer);
    }
    if (hash.digest("hex") === checksum.digits) return undefined;
    return "has another checksum than in the index";
  }
}

const done = (there: number, { checksum }: ListedFile): Fetched => ({
  kind: "done",
  there,
  isByLength: checksum === undefined,
});
const anotherLength = (bytes: number, expected: number): string =>
  `has ${bytes} bytes, but ${expected} in the index`;
const failed = (reason: string): Fetched => ({ kind: "failed", reason });

/** The reason why a call of the file system failed. @throws any other error */
function reasonOfFailure(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) throw error;
  return reasonOfSystem(error);
}

/** Chooses the reaction to an answer without the file; undefined if it has the file. */
async function refusalOf(response: Response): Promise<Outcome | undefined> {
  const { status, headers } = response;
  if (status === 200 || status === 206) return undefined;
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  if (status === 401) {
    throw new TokenRejected(problem.detail ?? "The service does not accept the token.");
  }
  // 416: the partial file is longer than the file.
  if (status === 416) return { kind: "anew" };
  if (status < 500 && status !== 408 && status !== 429) {
    return { kind: "refused", reason: problem.detail ?? `is refused (HTTP ${status})` };
  }
  const pause = Number(headers.get("retry-after"));
  return { kind: "again", pause: Number.isFinite(pause) ? pause : 0 };
}
