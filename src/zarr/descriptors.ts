import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { asReadingError, DamagedFile, FileChanged } from "./errors.js";
import { type FileIdentity, fileIdentity, sameIdentity } from "./file-identity.js";

interface Entry {
  readonly identity: FileIdentity;
  readonly handle: Promise<FileHandle>;
  users: number;
  isDropped: boolean;
}

/** Files that stay open between reads, of a bounded number. */
export class Descriptors {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly most = 64) {}

  get count(): number {
    return this.entries.size;
  }

  /**
   * One positional read.
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
    if (offset + length > identity.size) {
      throw new DamagedFile("The file ends before its contents do.");
    }
    const entry = this.acquire(path, identity);
    try {
      const handle = await entry.handle;
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new FileChanged("The file became shorter while it was read.");
        done += bytesRead;
      }
      // Written in place meanwhile, it would be given under the tag of what it was.
      const now = await handle.stat({ bigint: true });
      if (now.mtimeNs.toString() !== identity.modified || Number(now.size) !== identity.size) {
        throw new FileChanged("The file was changed while it was read.");
      }
      return bytes;
    } catch (error) {
      this.drop(path, entry);
      throw asReadingError(error);
    } finally {
      entry.users -= 1;
      if (entry.isDropped && entry.users === 0) void closeQuietly(entry);
      else this.shrink();
    }
  }

  async close(): Promise<void> {
    const all = [...this.entries];
    for (const [path, entry] of all) this.drop(path, entry);
  }

  private acquire(path: string, identity: FileIdentity): Entry {
    const known = this.entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.entries.delete(path);
      this.entries.set(path, known);
      known.users += 1;
      return known;
    }
    if (known !== undefined) this.drop(path, known);
    const entry: Entry = {
      identity,
      handle: openAs(path, identity),
      users: 1,
      isDropped: false,
    };
    this.entries.set(path, entry);
    return entry;
  }

  private drop(path: string, entry: Entry): void {
    if (this.entries.get(path) === entry) this.entries.delete(path);
    if (entry.isDropped) return;
    entry.isDropped = true;
    if (entry.users === 0) void closeQuietly(entry);
  }

  private shrink(): void {
    for (const [path, entry] of this.entries) {
      if (this.entries.size <= this.most) return;
      if (entry.users === 0) this.drop(path, entry);
    }
  }
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
