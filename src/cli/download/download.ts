/** The command `download`: the files of a search, several at once. */
import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { UserError } from "../../platform/errors.js";
import { credentialsOf } from "../accounts/credentials.js";
import { type Credentials, type OptionalToken, optionalToken } from "../client/authenticate.js";
import { BrowseError, browse } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import type { SearchOptions } from "../search/options.js";
import { searchRequestOf } from "../search/search-request.js";
import { WrongUse } from "../search/words.js";
import { count, size } from "../terminal/plurals.js";
import { printLine } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";
import { type Progress, progress } from "../terminal/progress.js";
import { DownloadState } from "./download-state.js";
import { type ListedFile, readList } from "./file-list.js";
import { type Fetched, TokenRejected, Transfer, type TransferOptions } from "./transfer.js";

export interface DownloadOptions
  extends Pick<
    SearchOptions,
    | ("host" | "username" | "refreshTokenFile" | "time" | "timeSelect" | "bbox" | "bboxSelect")
    | ("multiVersion" | "groupBy" | "need" | "requireAllOn")
  > {
  readonly to: string;
  readonly atOnce: string;
  readonly layout: "drs" | "flat";
  readonly replace?: boolean;
  readonly dryRun?: boolean;
}

const DONE = 0;
const INCOMPLETE = 1;
const FAILED = 2;

/** Maximum of files at once; a service serves others too. */
const MAX_AT_ONCE = 64;
/** Failures that are printed. */
const MAX_SHOWN = 20;

/** Downloads the files of a search, and reports errors. @returns the exit status */
export async function download(
  words: readonly string[],
  options: DownloadOptions,
): Promise<number> {
  try {
    return await run(words, options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const hint = error instanceof WrongUse ? " (climate-nextgen download --help says more)" : "";
    process.stderr.write(`${printable(error.message)}${hint}\n`);
    return FAILED;
  }
}

async function run(words: readonly string[], options: DownloadOptions): Promise<number> {
  const atOnce = numberOf(options.atOnce);
  const { flavour, search, more } = searchRequestOf(words, options);
  const parameters = new URLSearchParams([...search, ...more]);
  parameters.append("as", "metalink");
  parameters.append("layout", options.layout);
  const service = serviceAddress(options.host ?? DEFAULT_HOST);
  const token = tokenSource(await credentialsOf(options));
  const path = ["download", flavour, "file"];
  const type = "application/metalink4+xml";
  const first = await token();
  const ask = (sent: string | undefined) =>
    browse(service, { path, parameters, type, token: sent });
  const response = await ask(first).catch(async (error) => {
    const isRefused = error instanceof BrowseError && error.status === 401 && first !== undefined;
    const next = isRefused ? await token(first) : first;
    if (next === undefined || next === first) throw error;
    return ask(next);
  });
  const list = await readList(response);
  for (const line of list.leftOut) process.stderr.write(`${line}\n`);
  if (list.files.length === 0) {
    process.stderr.write("Nothing to download is found.\n");
    return INCOMPLETE;
  }
  const folder = resolve(options.to);
  if (options.dryRun) return showMissing(folder, list.files);
  const state = await DownloadState.open(folder);
  try {
    return await fetchAll(list.files, { ...options, service, state, token, atOnce });
  } finally {
    await state.close();
  }
}

/**
 * The token for each transfer: a download may take longer than a token is valid. Several transfers share a renewal. A token that the
 * service refuses is renewed too: this machine's clock may be behind.
 */
function tokenSource(credentials: Credentials): Work["token"] {
  const renewals = new SingleFlight<OptionalToken>();
  let known: OptionalToken | undefined;
  return async (refused) => {
    const isRefused = refused !== undefined && known?.text === refused;
    if (known === undefined || known.until <= Date.now() / 1000 || isRefused)
      known = await renewals.join(() => optionalToken({ ...credentials, refused }));
    return known.text;
  };
}

function numberOf(text: string): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MAX_AT_ONCE) return value;
  throw new WrongUse(`--at-once takes a number from 1 to ${MAX_AT_ONCE}.`);
}

async function showMissing(folder: string, files: readonly ListedFile[]): Promise<number> {
  const done = await DownloadState.doneIn(folder);
  let missing = 0;
  let bytes = 0;
  for (const file of files) {
    if ((await done.has(file)) || (await done.hasLength(file))) continue;
    missing += 1;
    bytes += file.size ?? 0;
    await printLine(`${file.size ?? "-"}\t${printable(file.target.join("/"))}`);
  }
  process.stderr.write(`${count(missing, "file")} of ${files.length} missing, ${size(bytes)}.\n`);
  return DONE;
}

interface Work {
  readonly service: string;
  readonly state: DownloadState;
  readonly token: TransferOptions["token"];
  readonly atOnce: number;
  readonly replace?: boolean;
}

async function fetchAll(files: readonly ListedFile[], work: Work): Promise<number> {
  const total = files.reduce((sum, { size: bytes = 0 }) => sum + bytes, 0);
  const bar = progress("Downloading", total);
  const summary = new Summary(files.length, total, bar);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const end = (): void => stop.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  const transfer = new Transfer(work.service, {
    state: work.state,
    token: work.token,
    signal: stop.signal,
    replaces: work.replace === true,
    onBytes: (bytes) => summary.add(bytes),
  });
  const queue = files.values();
  let rejected: TokenRejected | undefined;
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const file of queue) {
      if (stop.signal.aborted || rejected !== undefined) return;
      try {
        summary.ended(file, await transfer.fetch(file));
      } catch (error) {
        if (error instanceof TokenRejected) rejected = error;
        else if (!stop.signal.aborted) {
          failure ??= { error };
          stop.abort();
        }
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: work.atOnce }, worker));
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
  }
  if (failure !== undefined) throw failure.error;
  bar.end(summary.line());
  for (const line of summary.remarks()) process.stderr.write(`${line}\n`);
  if (rejected !== undefined) throw rejected;
  if (stop.signal.aborted) process.stderr.write("Interrupted; run the same command to go on.\n");
  return summary.isComplete ? DONE : INCOMPLETE;
}

/** Counts what is done, and shows it. */
class Summary {
  #files = 0;
  #byLength = 0;
  /** Bytes of files that were there, and bytes fetched. */
  #there = 0;
  #fetched = 0;
  readonly #failures: string[] = [];
  readonly #began = performance.now();
  readonly #total: { readonly files: number; readonly bytes: number };
  readonly #bar: Progress;

  constructor(files: number, bytes: number, bar: Progress) {
    this.#total = { files, bytes };
    this.#bar = bar;
  }

  get isComplete(): boolean {
    return this.#files === this.#total.files;
  }

  /** @param bytes fetched, or negative for bytes that are fetched again */
  add(bytes: number): void {
    this.#fetched += bytes;
    this.#show();
  }

  ended(file: ListedFile, fetched: Fetched): void {
    if (fetched.kind === "failed") {
      this.#failures.push(`${printable(file.target.join("/"))} ${fetched.reason}`);
    } else {
      this.#files += 1;
      if (fetched.isByLength) this.#byLength += 1;
      this.#there += fetched.there;
    }
    this.#show();
  }

  #show(): void {
    const { files, bytes } = this.#total;
    const done = this.#there + this.#fetched;
    const seconds = (performance.now() - this.#began) / 1000;
    const left = (bytes - done) / Math.max(1, this.#fetched / seconds);
    const time = this.#fetched === 0 || left <= 0 ? "" : `, ${Math.ceil(left / 60)} min left`;
    // Files of unknown size are not in the sum.
    const of = left < 0 || bytes === 0 ? "" : ` of ${size(bytes)}`;
    this.#bar.update(done, `${this.#files} of ${count(files, "file")}, ${size(done)}${of}${time}`);
  }

  line(): string {
    const { files } = this.#total;
    return `${this.#files} of ${count(files, "file")} there, ${size(this.#fetched)} fetched`;
  }

  remarks(): string[] {
    const all = this.#failures;
    const more = all.length - MAX_SHOWN;
    return [
      ...(this.#byLength > 0
        ? [`${count(this.#byLength, "file")} verified by length alone: no checksum is known.`]
        : []),
      ...all.slice(0, MAX_SHOWN),
      ...(more > 0 ? [`... and ${more} more.`] : []),
    ];
  }
}
