import { type BigIntStats, constants, fstat, read } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import { asReadingError, DamagedFile, FileChanged } from "../../netcdf/errors.js";
import {
  type FileIdentity,
  fileIdentity,
  identityOf,
  sameIdentity,
} from "../../netcdf/source/file-identity.js";
import { statPath } from "./open-files.js";

interface Entry {
  readonly identity: FileIdentity;
  readonly handle: Promise<FileHandle>;
  users: number;
  isDropped: boolean;
}

/** Keeps a limited number of files open between reads. */
export class DescriptorCache {
  /** A file that is dropped while it is in use is closed after that. */
  readonly #entries: LRUCache<string, Entry>;
  /** By descriptor, which stays open while it is in use. */
  readonly #checks = new SingleFlight<BigIntStats>();
  readonly #paths = new SingleFlight<BigIntStats>();
  #isClosed = false;

  constructor(max = 64) {
    const dispose = (entry: Entry): void => {
      entry.isDropped = true;
      if (entry.users === 0) void closeQuietly(entry);
    };
    this.#entries = new LRUCache({ max, dispose });
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Bytes of a file, verified after reading. */
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

  /** Fills a buffer. Does not verify the identity: call `check` after the last read. */
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

  /** Verifies a file's identity. A file that was written in place must not be served under its former tag. */
  check(path: string, identity: FileIdentity): Promise<void> {
    return this.#use(path, identity, async ({ fd }) => {
      const now = await this.#checks.next(() => statOf(fd), fd);
      if (now.mtimeNs.toString() !== identity.modified || Number(now.size) !== identity.size) {
        throw new FileChanged("The file was changed while it was read.");
      }
    });
  }

  /** Verifies that a path leads to the file, unchanged. An open file outlives its name, also if that was given to another. */
  async checkPath(path: string, identity: FileIdentity): Promise<void> {
    try {
      const now = await this.#paths.next(() => statPath(path), path);
      if (sameIdentity(identityOf(now), identity)) return;
    } catch (error) {
      throw asReadingError(error);
    }
    throw new FileChanged("The file was changed while it was read.");
  }

  /** Runs an action on an open file, which stays open meanwhile. */
  async #use(
    path: string,
    identity: FileIdentity,
    what: (handle: FileHandle) => Promise<void>,
  ): Promise<void> {
    const entry = this.#acquire(path, identity);
    let isFailed = true;
    try {
      await what(await entry.handle);
      isFailed = false;
    } catch (error) {
      throw asReadingError(error);
    } finally {
      entry.users -= 1;
      if (entry.isDropped) {
        if (entry.users === 0) void closeQuietly(entry);
      } else if (isFailed || this.#isClosed) this.#entries.delete(path);
    }
  }

  /** Adds a file that is already open and has the given identity. */
  adopt(path: string, identity: FileIdentity, handle: FileHandle): void {
    const entry = { identity, handle: Promise.resolve(handle), users: 0, isDropped: false };
    this.#entries.set(path, entry);
    // A closed cache keeps no file open.
    if (this.#isClosed) this.#entries.delete(path);
  }

  /** Also closes files that a transfer opens while it is being broken off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#entries.clear();
  }

  #acquire(path: string, identity: FileIdentity): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      known.users += 1;
      return known;
    }
    const handle = openAs(path, identity);
    const entry: Entry = { identity, handle, users: 1, isDropped: false };
    this.#entries.set(path, entry);
    return entry;
  }
}

/** One positional read. FileHandle.read is much slower. */
function readAt(fd: number, bytes: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, 0, bytes.length, position, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });
}

/** fstat without a FileHandle, whose calls are slower. */
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
    // Opening failed, and the caller that opened it got the error.
  }
}
