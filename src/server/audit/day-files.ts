/**
 * Lines into files of a day each (UTC), to which several processes write: each batch is one write to a descriptor that
 * appends, which a local file system does not divide. NFS may, so that there each instance has a folder of its own.
 *
 * Nothing here ends or delays the service. What cannot be written waits, up to a bound; what is lost then is counted,
 * and said in the file itself when it goes on.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../platform/private-files.js";
import { dayInName, dayOf, type FileKind, fileOfDay, firstOf } from "./days.js";

export interface DayFilesOptions {
  /** Its real path. */
  readonly folder: string;
  readonly kind: FileKind;
  /** After so many days files are removed. */
  readonly days: number;
  /** Makes the line that says how many were lost. */
  readonly lost: (count: number, time: Date) => string;
  /** Hears, once a minute at the most, why nothing can be written. */
  readonly report: (problem: string) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Characters of lines that wait; what comes after them is lost. */
const MAX_WAITING = 1 << 22;
/** Lines of one write. */
const MAX_BATCH = 500;
/** Milliseconds in which lines are collected, and before what failed is tried again. */
const COLLECTED = 100;
const PAUSE = 1000;
/** Milliseconds between two reports. */
const QUIET = 60_000;
/** Milliseconds after which a file system that says nothing is told of, and that the end waits for it. */
const PATIENCE = 10_000;
const END_PATIENCE = 2000;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
/** A link in the place of the file leads nowhere, and a pipe holds nobody up. */
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
const END_OF_LINE = 0x0a;

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  readonly inode: number;
  readonly device: number;
}

export class DayFiles {
  /** Lines that were lost since the start. */
  lost = 0;
  /** Writes that failed since the start. */
  failures = 0;
  #waiting: string[] = [];
  #characters = 0;
  #unsaid = 0;
  #opened: Opened | undefined;
  /** A write ended within a line. */
  #isTorn = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isSaid = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #tidied = "";
  readonly #options: DayFilesOptions;
  readonly #clock: () => number;
  readonly #atExit = (): void => this.#writeAtExit();

  constructor(options: DayFilesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    process.once("exit", this.#atExit);
  }

  /** @param line without its end; has no end of line in it */
  write(line: string): void {
    if (this.#characters > MAX_WAITING) {
      this.lost += 1;
      this.#unsaid += 1;
      return;
    }
    this.#waiting.push(line);
    this.#characters += line.length + 1;
    this.#soon(COLLECTED);
  }

  /** Writes what waits; settles when that is done or has failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#soon(PAUSE);
    });
    return this.#writing;
  }

  /** Writes what waits, for a while. */
  async close(): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      late = setTimeout(resolve, END_PATIENCE);
    });
    const all = async (): Promise<void> => {
      // What was being written may have been begun before the last line came.
      await this.flush();
      if (this.#waiting.length > 0) await this.flush();
      await this.#opened?.handle.close();
    };
    await Promise.race([all().catch(() => {}), patience]);
    clearTimeout(late);
    this.#isClosed = true;
    clearTimeout(this.#timer);
    process.off("exit", this.#atExit);
  }

  #soon(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref();
  }

  async #writeAll(): Promise<void> {
    const late = setTimeout(() => this.#fail("its disk does not answer"), PATIENCE).unref();
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
    // What a full disk has cut off stays as it is, as others may have written behind it.
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
    if (this.#unsaid === 0) return;
    // Where they are missing: behind what was kept, before what comes now.
    const line = this.#options.lost(this.#unsaid, new Date(this.#clock()));
    this.#unsaid = 0;
    this.#waiting.push(line);
    this.#characters += line.length + 1;
  }

  /** The file of today, opened anew where somebody has moved it away. */
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

  /** Removes what is too old, once a day; to be called now and then, as there may be days without a line. */
  async tidy(): Promise<void> {
    const day = dayOf(this.#clock());
    if (day === this.#tidied) return;
    this.#tidied = day;
    await removeOld(this.#options.folder, this.#options.days, day);
  }

  async #open(path: string): Promise<Opened> {
    const { folder } = this.#options;
    await makePrivateFolder(folder);
    if ((await realpath(folder)) !== folder) throw new Error("its folder has become a link");
    const handle = await open(path, FLAGS, 0o600);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Error("what has the name of its file is none");
      // A command of root's, say, beside a service of its own user, which has to go on with the file.
      const owner = await stat(folder);
      if (process.getuid?.() === 0 && found.uid === 0 && owner.uid !== 0) {
        await handle.chown(owner.uid, owner.gid);
      }
      return { path, handle, inode: found.ino, device: found.dev };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #fail(reason: string): void {
    this.failures += 1;
    const now = performance.now();
    if (now - this.#isSaid < QUIET) return;
    this.#isSaid = now;
    const { folder, kind, report } = this.#options;
    report(
      `${kind} cannot be written to ${folder} (${reason}); lines wait, ${this.lost} were lost`,
    );
  }

  /** What waits when the process ends without having closed this. */
  #writeAtExit(): void {
    if (this.#waiting.length === 0) return;
    const { folder, kind } = this.#options;
    try {
      const descriptor = openSync(
        join(folder, fileOfDay(kind, dayOf(this.#clock()))),
        FLAGS,
        0o600,
      );
      writeSync(descriptor, `${this.#isTorn ? "\n" : ""}${this.#waiting.join("\n")}\n`);
      closeSync(descriptor);
    } catch {
      // There is nobody left to tell.
    }
  }
}

/**
 * Removes older files of days, and nothing else of the folder. A file that cannot be removed is tried again the next day.
 *
 * @param days number of days that are kept, today included
 */
async function removeOld(folder: string, days: number, today: string): Promise<void> {
  const oldest = firstOf(days, today);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const day = dayInName(name);
    if (day === undefined || day >= oldest) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile()) await unlink(path).catch(() => {});
  }
}
