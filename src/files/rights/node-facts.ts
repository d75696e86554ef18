/** Reads facts of files and folders from the kernel; part of path-walk-program.ts. */
import { type BigIntStats, constants } from "node:fs";
import { readMounts } from "../../platform/file-system/mounts.js";
import type { Node } from "./path-nodes.js";

/** File systems whose servers apply rules that cannot be read here. */
const CLOSED = new Set(["gpfs", "cifs", "smb3", "afs", "9p"]);

/** A node whose access control list is not read yet. */
export type NodeDraft = { -readonly [K in keyof Node]: Node[K] };

const typeOf = ({ mode }: BigIntStats): number => Number(mode) & constants.S_IFMT;
export const isFolder = (stats: BigIntStats): boolean => typeOf(stats) === constants.S_IFDIR;
export const isLink = (stats: BigIntStats): boolean => typeOf(stats) === constants.S_IFLNK;

export class NodeFacts {
  readonly #ttl: number;
  /** Type of the file system, by device. */
  #types = new Map<string, string>();
  #read = -Infinity;

  /** @param ttl milliseconds for which the list of mounts is cached */
  constructor(ttl: number) {
    this.#ttl = ttl;
  }

  of(stats: BigIntStats): NodeDraft {
    return {
      id: `${stats.dev}:${stats.ino}`,
      changed: String(stats.ctimeNs),
      mode: Number(stats.mode),
      uid: Number(stats.uid),
      gid: Number(stats.gid),
      kind: this.#kindOf(deviceOf(stats.dev)),
    };
  }

  #kindOf(device: string): Node["kind"] {
    if (performance.now() - this.#read > this.#ttl || !this.#types.has(device)) {
      this.#types = new Map(readMounts().map((mount) => [mount.device, mount.type]));
      this.#read = performance.now();
      // Subvolumes have devices that the list lacks. The empty entry avoids reading the list each time.
      if (!this.#types.has(device)) this.#types.set(device, "");
    }
    const type = this.#types.get(device) ?? "";
    if (type === "nfs4") return "nfs4";
    return CLOSED.has(type) ? "closed" : "posix";
  }
}

/** Major and minor number, as glibc's gnu_dev_major and gnu_dev_minor extract them from st_dev (makedev(3)). */
function deviceOf(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}
