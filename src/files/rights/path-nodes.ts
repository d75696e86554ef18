/** Types of the facts that path-walk-program.ts reports about files and folders. They do not depend on the caller. */

/** Identifies a file or folder in one state. */
export interface Stamp {
  /** Device and inode, in decimal. */
  readonly id: string;
  /** Nanoseconds since 1970 of the last change of anything about it: also of its mode and its access control list. */
  readonly changed: string;
}

/** A file or folder on a path, at the time of the walk. */
export interface Node extends Stamp {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** `posix`: mode and list decide. `nfs4`: only the list decides. `closed`: the rights cannot be read here. */
  readonly kind: "posix" | "nfs4" | "closed";
  /** Its access control list as the tool writes it; undefined if it has only its mode. */
  readonly acl?: string;
}

/** A link at the end of a path, in a folder where everybody may write. */
export interface OpenLink {
  readonly uid: number;
  /** User id of the folder's owner. */
  readonly folderUid: number;
}

/** The folders on a path, and the file at its end. */
export interface Way {
  /** Every folder in which a name is looked up, also for links and their targets. */
  readonly folders: readonly Node[];
  readonly links: readonly OpenLink[];
  /** Undefined if nothing is there, or if nobody can reach it. */
  readonly end: Node | undefined;
}

export interface Question {
  /** `entries`: files in folders whose ways are known. Only the last name of each path is looked up. */
  readonly kind: "ways" | "entries";
  readonly paths: readonly string[];
}

/** An entry of a folder; `link` if its path must be walked as a way. */
export type Entry = Node | "link" | "absent";

export interface PathFacts {
  /** Ways of one answer share the nodes of their folders: a message has each object once. */
  readonly ways: readonly Way[];
  readonly entries: readonly Entry[];
}

/** The programs that read access control lists. */
export interface Tools {
  readonly getfacl: string;
  /** Undefined if it is not installed: then nobody may read files of NFSv4 mounts. */
  readonly nfs4: string | undefined;
}

export interface WalkSetup extends Tools {
  /** Milliseconds for which access control lists and mounts are cached. */
  readonly ttl: number;
}
