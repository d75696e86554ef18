/**
 * The state of a download beside its files: partial files, their entity tags, and which files are verified. The download
 * script keeps the same, so that each goes on where the other ended.
 */
import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { refusalOf, UserError } from "../../platform/errors.js";
import { isAlive } from "../../platform/processes/process-identity.js";
import { escaped } from "../../server/formats/download/entries.js";
import type { ListedFile } from "./file-list.js";

const NAME = ".climate-nextgen-download";
/** Seconds without a beat after which the lock of another machine is one of a process that was killed. */
const PATIENCE = 60;
/** The same for a lock of this machine: another container may have its name, and other numbers of processes. */
const PATIENCE_HERE = 3;

/** A folder cannot be used for a download. */
class UnusableFolder extends UserError {
  override readonly name = "UnusableFolder";
}

/** A partial file, and the file on the service that it is a part of. */
interface Part {
  /** Bytes. */
  readonly have: number;
  /** A strong entity tag. */
  readonly tag: string;
  /** Bytes of the whole. */
  readonly total: number;
}

/** A file of the service, and what the index knows of it. */
const keyOf = ({ id, size, checksum }: ListedFile): string =>
  `${id} ${size ?? "-"} ${checksum ? `${checksum.algorithm}:${checksum.digits}` : "-"}`;
/** Its path on this machine, in one word. */
const nameOf = ({ target }: ListedFile): string => escaped(target.join("/"));

export class DownloadState {
  readonly #folder: string;
  readonly #closed = new AbortController();
  #beating: Promise<void> | undefined;
  /** The last verified file of each path. */
  readonly #done: Map<string, string>;

  private constructor(folder: string, done: Map<string, string>) {
    this.#folder = folder;
    this.#done = done;
  }

  /** Takes the folder, which one download at a time may use. */
  static async open(folder: string): Promise<DownloadState> {
    const own = join(folder, NAME);
    const lock = join(own, "lock");
    const refuse = (error: unknown): never => {
      throw new UnusableFolder(`${folder} cannot be written (${refusalOf(error)}).`);
    };
    await mkdir(own, { recursive: true, mode: 0o700 }).catch(refuse);
    try {
      await mkdir(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") refuse(error);
      const holder = await holderOf(own);
      if (holder !== undefined) {
        throw new UnusableFolder(
          `Process ${holder} downloads into ${folder}; if it does not, remove ${lock}.`,
        );
      }
      await mkdir(lock, { recursive: true }).catch(refuse);
    }
    await writeFile(join(lock, "pid"), `${process.pid} ${hostname()}\n`).catch(async (error) => {
      await rm(lock, { recursive: true, force: true });
      refuse(error);
    });
    const done = new Map<string, string>();
    const state = new DownloadState(folder, done);
    // At once: without beats, it would be taken for one that was killed.
    state.#beating = beat(own, state.#closed.signal);
    for (const [name, key] of await readDone(own)) done.set(name, key);
    return state;
  }

  /** Reads which files are there, without locking the folder. */
  static async doneIn(folder: string): Promise<Pick<DownloadState, "has" | "hasLength">> {
    return new DownloadState(folder, await readDone(join(folder, NAME)));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#beating;
    const own = join(this.#folder, NAME);
    const { pid, machine } = (await readHolder(own)) ?? {};
    // Another download may have taken the folder of a process that was suspended.
    if (pid !== undefined && (pid !== process.pid || machine !== hostname())) return;
    for (const name of ["beat", "lock"])
      await rm(join(own, name), { recursive: true, force: true });
  }

  /** The path under which a file is saved. */
  target({ target }: ListedFile): string {
    return join(this.#folder, ...target);
  }

  /** Whether a file was verified by an earlier run, and is there. */
  async has(file: ListedFile): Promise<boolean> {
    if (this.#done.get(nameOf(file)) !== keyOf(file)) return false;
    const found = await stat(this.target(file)).catch(() => undefined);
    return found?.isFile() === true;
  }

  /** Whether it is there with its length, verified or not. */
  async hasLength(file: ListedFile): Promise<boolean> {
    const found = await stat(this.target(file)).catch(() => undefined);
    return found?.isFile() === true && found.size === file.size;
  }

  /** Remembers that a file is verified under its name. */
  async verified(file: ListedFile): Promise<void> {
    await appendFile(join(this.#folder, NAME, "done"), `${keyOf(file)} ${nameOf(file)}\n`);
    this.#done.set(nameOf(file), keyOf(file));
  }

  /**
   * Gives the complete partial file its name, and then remembers it: the renaming may fail. A file without size and checksum cannot
   * be verified under its name by a later run, so it is remembered before, while no file has the name.
   */
  async place(file: ListedFile): Promise<void> {
    const target = this.target(file);
    await mkdir(dirname(target), { recursive: true });
    const isKnown = file.size !== undefined || file.checksum !== undefined;
    if (!isKnown) {
      await rm(target, { force: true });
      await this.verified(file);
    }
    await rename(this.partPath(file), target);
    if (isKnown) await this.verified(file);
    await rm(this.#headPath(file), { force: true });
  }

  partPath({ id }: ListedFile): string {
    return join(this.#folder, NAME, `${id}.part`);
  }

  /** The partial file, if it can be continued. */
  async part(file: ListedFile): Promise<Part | undefined> {
    const found = await stat(this.partPath(file)).catch(() => undefined);
    const head = await readFile(this.#headPath(file), "latin1").catch(() => "");
    const [, tag] = /^ *etag: *("[^"\s]*")\s*$/im.exec(head) ?? [];
    const [, total] = /^ *content-length: *(\d+)\s*$/im.exec(head) ?? [];
    if (found === undefined || tag === undefined || total === undefined) return undefined;
    return { have: found.size, tag, total: Number(total) };
  }

  /**
   * Remembers which file a partial file is of, before its first byte is written.
   *
   * @param total its Content-Length; empty if a proxy left it out, and the partial file cannot be continued
   */
  async begin(file: ListedFile, tag: string, total: string): Promise<void> {
    const head = `HTTP/1.1 200 OK\nETag: ${tag}\nContent-Length: ${total}\n`;
    await writeFile(this.#headPath(file), head);
  }

  async dropPart(file: ListedFile): Promise<void> {
    await rm(this.partPath(file), { force: true });
    await rm(this.#headPath(file), { force: true });
  }

  #headPath({ id }: ListedFile): string {
    return join(this.#folder, NAME, `${id}.head`);
  }
}

/** The process that has made a lock; undefined if the lock does not name one. */
async function readHolder(own: string): Promise<{ pid: number; machine: string } | undefined> {
  const text = await readFile(join(own, "lock", "pid"), "utf8").catch(() => "");
  const [, pid, machine] = /^(\d+) (.+)$/m.exec(text) ?? [];
  return machine === undefined ? undefined : { pid: Number(pid), machine };
}

/** The running process that holds a lock; undefined if it has ended. */
async function holderOf(own: string): Promise<string | undefined> {
  // A process that has just made the lock writes its number at once; one that was killed there never does.
  const holder = (await readHolder(own)) ?? (await sleep(1000).then(() => readHolder(own)));
  if (holder === undefined) return undefined;
  const { pid, machine } = holder;
  const isHere = machine === hostname();
  const name = isHere ? `${pid}` : `${pid} of the machine ${machine}`;
  // In a container, this process may have the number of an earlier one.
  if (isHere && pid !== process.pid && isAlive(pid)) return name;
  if (isHere && !existsSync(join(own, "beat"))) return undefined;
  if (!isHere) {
    process.stderr.write(
      "Another machine has downloaded into this folder. Finding out whether it still does takes up to a minute.\n",
    );
  }
  if (await beats(own, isHere ? PATIENCE_HERE : PATIENCE)) return name;
  // Another download may have taken the folder meanwhile.
  const now = await readHolder(own);
  return now?.pid === pid && now.machine === machine ? undefined : `${now?.pid ?? "unknown"}`;
}

/** Shows other machines that the holder of a lock runs. */
async function beat(own: string, closed: AbortSignal): Promise<void> {
  for (let count = 0; !closed.aborted; count += 1) {
    await writeFile(join(own, "beat"), `${process.pid} ${count}\n`).catch(() => {});
    await sleep(1000, undefined, { signal: closed, ref: false }).catch(() => {});
  }
}

/** Whether the holder of a lock runs somewhere. The clocks of two machines may differ. */
async function beats(own: string, patience: number): Promise<boolean> {
  const read = (): Promise<string> => readFile(join(own, "beat"), "utf8").catch(() => "");
  const first = await read();
  for (let second = 0; second < patience; second += 1) {
    await sleep(1000);
    if ((await read()) !== first) return true;
  }
  return false;
}

async function readDone(own: string): Promise<Map<string, string>> {
  const text = await readFile(join(own, "done"), "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => [line.lastIndexOf(" "), line] as const);
  return new Map(lines.map(([end, line]) => [line.slice(end + 1), line.slice(0, end)]));
}
