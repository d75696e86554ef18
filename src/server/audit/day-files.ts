/**
 * Appends lines to one file a day (UTC). Several processes write to the same file: each batch is one write to an O_APPEND
 * descriptor, which a local file system does not split. NFS may split it, so there each instance needs its own folder.
 *
 * Nothing here ends or delays the service. Lines that cannot be written wait, up to a bound. Lines lost beyond it are
 * counted, and the file says how many as soon as it can be written again.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath, unlink } from "node:fs/promises";
import { join } from "node:path";
import { inTime } from "../../platform/concurrency/in-time.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { giveToOwner, makePrivateFolder } from "../../platform/file-system/private-files.js";
import { dayInName, dayOf, type FileKind, fileOfDay, firstOf } from "./days.js";

interface DayFilesOptions {
  /** A real path, without symbolic links. */
  readonly folder: string;
  readonly kind: FileKind;
  readonly days: number;
  readonly lost: (count: number, time: Date) => string;
  /** Called at most once a minute with the reason why nothing can be written. */
  readonly report: (problem: string) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Characters of waiting lines; further lines are lost. */
const MAX_WAITING = 1 << 22;
const MAX_BATCH = 500;
/** Milliseconds before waiting lines are written, and before a failed write is repeated. */
const WRITE_DELAY = 100;
const RETRY_DELAY = 1000;
/** Milliseconds between two reports. */
const REPORT_INTERVAL = 60_000;
/** Milliseconds after which a write that hangs is reported, and for which close() waits. */
const WRITE_TIMEOUT = 10_000;
const CLOSE_TIMEOUT = 2000;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
/** A symbolic link at the path is not followed, and opening a pipe does not block. */
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
const END_OF_LINE = 0x0a;

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  readonly inode: number;
  readonly device: number;
}

export class DayFiles {
  /** Lines lost since the start. */
  lost = 0;
  /** Failed writes since the start. */
  failures = 0;
  #waiting: string[] = [];
  #characters = 0;
  #unreported = 0;
  #opened: Opened | undefined;
  /** The last write ended in the middle of a line. */
  #isTorn = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #writes = new SingleFlight<void>();
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** Its disk did not answer when it was closed. */
  #hangs = false;
  /** The days on which `tidy` ran. */
  readonly #tidied = new Set<string>();
  readonly #options: DayFilesOptions;
  readonly #clock: () => number;
  readonly #atExit = (): void => this.#writeNow();

  constructor(options: DayFilesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    process.once("exit", this.#atExit);
  }

  /** @param line without a line break */
  write(line: string): void {
    if (this.#characters > MAX_WAITING || this.#hangs) {
      this.lost += 1;
      this.#unreported += 1;
      return;
    }
    this.#waiting.push(line);
    this.#characters += line.length + 1;
    if (this.#isClosed) this.#writeNow();
    else this.#schedule(WRITE_DELAY);
  }

  /** Writes the waiting lines; settles when they are written or the write failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writes.join(() =>
      this.#writeAll().finally(() => {
        if (this.#waiting.length > 0) this.#schedule(RETRY_DELAY);
      }),
    );
  }

  /** Writes the waiting lines, for at most CLOSE_TIMEOUT. Later lines, of changes that end later, are written at once. */
  async close(): Promise<void> {
    const all = async (): Promise<void> => {
      // A write that already runs does not include the last lines.
      await this.flush();
      if (this.#waiting.length > 0) await this.flush();
      await this.#opened?.handle.close();
    };
    await inTime(
      all().catch(() => {}),
      CLOSE_TIMEOUT,
      () => {
        this.#hangs = true;
      },
    );
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // Lines that came while the file was being closed.
    this.#writeNow();
    if (this.#waiting.length === 0) process.off("exit", this.#atExit);
  }

  #schedule(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref();
  }

  async #writeAll(): Promise<void> {
    const late = setTimeout(() => this.#fail("its disk does not answer"), WRITE_TIMEOUT).unref();
    try {
      while (this.#waiting.length > 0) await this.#writeBatch();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.#fail(code ?? message);
    } finally {
      clearTimeout(late);
    }
  }

  async #writeBatch(): Promise<void> {
    const { handle } = await this.#current();
    const lines = this.#waiting.slice(0, MAX_BATCH);
    // A line cut off by a full disk stays: other processes may have appended after it.
    const begin = this.#isTorn ? "\n" : "";
    const bytes = Buffer.from(`${begin}${lines.join("\n")}\n`);
    const { bytesWritten } = await handle.write(bytes);
    const written = bytes.subarray(0, bytesWritten);
    if (bytesWritten > 0) this.#isTorn = written.at(-1) !== END_OF_LINE;
    let whole = 0;
    for (const byte of written) if (byte === END_OF_LINE) whole += 1;
    const done = Math.max(0, whole - (bytesWritten > 0 ? begin.length : 0));
    for (const line of this.#waiting.splice(0, done)) this.#characters -= line.length + 1;
    if (bytesWritten < bytes.length) throw Object.assign(new Error("cut off"), { code: "ENOSPC" });
    if (this.#unreported === 0) return;
    // The report stands where the lines are missing: after the kept lines, before new ones.
    const line = this.#options.lost(this.#unreported, new Date(this.#clock()));
    this.#unreported = 0;
    this.#waiting.push(line);
    this.#characters += line.length + 1;
  }

  /** The file of today, reopened if it was moved away. */
  async #current(): Promise<Opened> {
    const day = dayOf(this.#clock());
    const path = join(this.#options.folder, fileOfDay(this.#options.kind, day));
    const open = this.#opened;
    if (open?.path === path) {
      const there = await lstat(path).catch(() => undefined);
      if (there?.ino === open.inode && there.dev === open.device) return open;
    }
    this.#opened = undefined;
    this.#isTorn = false;
    await open?.handle.close().catch(() => {});
    this.#opened = await this.#open(path);
    return this.#opened;
  }

  /**
   * Removes older files of days, and nothing else of the folder, once a day. Call it regularly: there may be days without a line. A
   * file that cannot be removed is tried again the next day.
   *
   * A clock that jumps ahead would remove all. So files of several days are removed only if the clock has shown the two days before.
   */
  async tidy(): Promise<void> {
    const { folder, days } = this.#options;
    const today = dayOf(this.#clock());
    if (this.#tidied.has(today)) return;
    this.#tidied.add(today);
    const oldest = firstOf(days, today);
    const names = await readdir(folder).catch(() => []);
    const old = names.filter((name) => (dayInName(name) ?? oldest) < oldest);
    const seen = new Set([...this.#tidied, ...names.map(dayInName)]);
    const isSteady = seen.has(firstOf(2, today)) && seen.has(firstOf(3, today));
    if (!isSteady && new Set(old.map(dayInName)).size > 1) return;
    for (const name of old) {
      const path = join(folder, name);
      const found = await lstat(path).catch(() => undefined);
      if (found?.isFile()) await unlink(path).catch(() => {});
    }
  }

  async #open(path: string): Promise<Opened> {
    const { folder } = this.#options;
    await makePrivateFolder(folder);
    if ((await realpath(folder)) !== folder)
      throw new Error("its folder has become a symbolic link");
    const handle = await open(path, FLAGS, 0o600);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Error("its path is not a regular file");
      await giveToOwner(handle, folder);
      return { path, handle, inode: found.ino, device: found.dev };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #fail(reason: string): void {
    this.failures += 1;
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_INTERVAL) return;
    this.#reportedAt = now;
    const { folder, kind, report } = this.#options;
    report(
      `${kind} cannot be written to ${folder} (${reason}); lines wait, ${this.lost} were lost`,
    );
  }

  /** Writes the waiting lines before anything else happens: the process may end next. */
  #writeNow(): void {
    if (this.#waiting.length === 0 || this.#hangs) return;
    const { folder, kind } = this.#options;
    try {
      const descriptor = openSync(
        join(folder, fileOfDay(kind, dayOf(this.#clock()))),
        FLAGS,
        0o600,
      );
      writeSync(descriptor, `${this.#isTorn ? "\n" : ""}${this.#waiting.join("\n")}\n`);
      closeSync(descriptor);
      [this.#waiting, this.#characters, this.#isTorn] = [[], 0, false];
    } catch {
      // Nothing is left that could report this.
    }
  }
}
