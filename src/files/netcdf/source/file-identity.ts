import { FileChanged, NotReadableFormat } from "../errors.js";

export interface FileIdentity {
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since 1970, as digits: more than a number holds exactly. */
  readonly modified: string;
  readonly inode: string;
  readonly device: string;
}

/** The part of Node's BigIntStats that is used here. */
interface Stats {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  readonly dev: bigint;
  readonly nlink: bigint;
  isFile(): boolean;
}

/** The identity of an opened file. It must be a regular one, and still have a name. */
export function fileIdentity(stats: Stats): FileIdentity {
  if (stats.nlink === 0n) throw new FileChanged("The file was replaced while it was opened.");
  if (!stats.isFile()) throw new NotReadableFormat("This is not a file.");
  return identityOf(stats);
}

/** The identity without any check. */
export function identityOf(stats: Omit<Stats, "nlink" | "isFile">): FileIdentity {
  return {
    size: Number(stats.size),
    modified: stats.mtimeNs.toString(),
    inode: stats.ino.toString(),
    device: stats.dev.toString(),
  };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return (
    a.size === b.size && a.modified === b.modified && a.inode === b.inode && a.device === b.device
  );
}
