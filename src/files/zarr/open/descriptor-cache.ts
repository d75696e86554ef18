import { type BigIntStats, constants, fstat, read } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { SingleFlight } from "../../../platform/single-flight.js";
import { asReadingError, DamagedFile, FileChanged } from "../../netcdf/errors.js";
import {
  type FileIdentity,
  fileIdentity,
  sameIdentity,
} from "../../netcdf/source/file-identity.js";

interface Entry {
  readonly identity: FileIdentity;
  readonly handle: Promise<FileHandle>;
  users: number;
  isDropped: boolean;
}

/** Files that stay open between reads, of a bounded number. */
export class Descriptors {
  readonly #entries = new Map<string, Entry>();
  /** By descriptor, which is open as long as somebody uses it. */
  readonly #checks = new SingleFlight<BigIntStats>();
  #most: number;

  constructor(most = 64) {
    this.#most = most;
  }

  get count(): number {
    return this.#entries.size;
  }

  /**
   * Bytes of a file, as it is: checked when they have been read.
   *
   * @returns exactly `length` bytes
   * @throws FileChanged when the file is not the one with the identity, FileGone, FileUnreachable
   */
  async read(
    path: string,
    identity: FileIdentity,
    offset: number,
    length: number,
  ): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(length);
    await this.fill(bytes, path, identity, offset);
    await this.check(path, identity);
    return bytes;
  }

  /**
   * Reads into memory that is there already, all of it. Whoever reads several parts checks after the last one.
   *
   * @throws FileChanged, FileGone, FileUnreachable, DamagedFile
   */
  fill(bytes: Buffer, path: string, identity: FileIdentity, offset: number): Promise<void> {
    return this.#use(path, identity, async ({ fd }) => {
      if (offset + bytes.length > identity.size) {
        throw new DamagedFile("The file ends before its contents do.");
      }
      for (let done = 0; done < bytes.length; ) {
        const count = await readAt(fd, bytes.subarray(done), offset + done);
        if (count === 0) throw new FileChanged("The file became shorter while it was read.");
        done += count;
      }
    });
  }

  /**
   * Whether a file is what it was; written in place, it would be given under the tag of what it was.
   *
   * @throws FileChanged, FileGone, FileUnreachable
   */
  check(path: string, identity: FileIdentity): Promise<void> {
    return this.#use(path, identity, async ({ fd }) => {
      const now = await this.#checks.next(() => statOf(fd), fd);
      if (now.mtimeNs.toString() !== identity.modified || Number(now.size) !== identity.size) {
        throw new FileChanged("The file was changed while it was read.");
      }
    });
  }

  /** Does something with a file that is open, and stays so meanwhile. */
  async #use(
    path: string,
    identity: FileIdentity,
    what: (handle: FileHandle) => Promise<void>,
  ): Promise<void> {
    const entry = this.#acquire(path, identity);
    try {
      await what(await entry.handle);
    } catch (error) {
      this.#drop(path, entry);
      throw asReadingError(error);
    } finally {
      entry.users -= 1;
      if (entry.isDropped && entry.users === 0) void closeQuietly(entry);
      else this.#shrink();
    }
  }

  /** Takes a file over that is open already, and is the one with the identity. */
  adopt(path: string, identity: FileIdentity, handle: FileHandle): void {
    const known = this.#entries.get(path);
    if (known !== undefined) this.#drop(path, known);
    const entry = { identity, handle: Promise.resolve(handle), users: 0, isDropped: false };
    this.#entries.set(path, entry);
    this.#shrink();
  }

  /** Whoever reads on afterwards, as a transfer may that is being broken off, leaves nothing open either. */
  async close(): Promise<void> {
    this.#most = 0;
    const all = [...this.#entries];
    for (const [path, entry] of all) this.#drop(path, entry);
  }

  #acquire(path: string, identity: FileIdentity): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.#entries.delete(path);
      this.#entries.set(path, known);
      known.users += 1;
      return known;
    }
    if (known !== undefined) this.#drop(path, known);
    const entry: Entry = {
      identity,
      handle: openAs(path, identity),
      users: 1,
      isDropped: false,
    };
    this.#entries.set(path, entry);
    return entry;
  }

  #drop(path: string, entry: Entry): void {
    if (this.#entries.get(path) === entry) this.#entries.delete(path);
    if (entry.isDropped) return;
    entry.isDropped = true;
    if (entry.users === 0) void closeQuietly(entry);
  }

  #shrink(): void {
    for (const [path, entry] of this.#entries) {
      if (this.#entries.size <= this.#most) return;
      if (entry.users === 0) this.#drop(path, entry);
    }
  }
}

/** One positional read; that of a FileHandle costs a good deal more. */
function readAt(fd: number, bytes: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, 0, bytes.length, position, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });
}

/** The same: a FileHandle makes an object of each call that can be sent to a thread. */
function statOf(fd: number): Promise<BigIntStats> {
  return new Promise((resolve, reject) => {
    fstat(fd, { bigint: true }, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
}

async function openAs(path: string, identity: FileIdentity): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fileIdentity(await handle.stat({ bigint: true }));
    if (!sameIdentity(found, identity)) throw new FileChanged("The file was changed.");
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function closeQuietly(entry: Entry): Promise<void> {
  try {
    await (await entry.handle).close();
  } catch {
    // It was never opened; who asked for it knows.
  }
}
