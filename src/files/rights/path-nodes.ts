/** What the threads tell of files and folders: facts, the same for whoever asks. */

/** A file or folder that was met on the way, as it was when it was met. */
export interface Node {
  /** Device and inode, in decimal. */
  readonly id: string;
  /** Nanoseconds since 1970 of the last change of anything about it: also of its mode and its access control list. */
  readonly changed: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** `posix` where mode and list decide, `nfs4` where only the list does, `closed` where nothing here can tell. */
  readonly kind: "posix" | "nfs4" | "closed";
  /** Its access control list as the tool writes it; undefined where it has none but its mode. */
  readonly acl?: string;
}

/** A link at the end of a path that is looked at in a folder where everybody may write. */
export interface OpenLink {
  readonly uid: number;
  /** Whose the folder is. */
  readonly folderUid: number;
}

/** How a path is walked: what it passes, and what is at its end. */
export interface Way {
  /** Every folder in which something is looked up, those of links and of their targets too. */
  readonly folders: readonly Node[];
  readonly links: readonly OpenLink[];
  /** Undefined where there is nothing, or no way to it for anybody. */
  readonly end: Node | undefined;
}

/** Something the threads are asked. */
export type Question =
  | { readonly kind: "ways"; readonly paths: readonly string[] }
  /** Files of folders whose ways are known: what lies there by name, without a look at how one gets there. */
  | { readonly kind: "entries"; readonly paths: readonly string[] };

/** A way by the places of its nodes in a list, as many ways pass the same folders. */
export interface ToldWay {
  readonly folders: readonly number[];
  readonly links: readonly OpenLink[];
  readonly end: number | undefined;
}

/** What a path stands for in a list of entries: a node, or a link that has a way of its own, or nothing. */
export type Entry = Node | "link" | "absent";

export interface Told {
  readonly nodes: readonly Node[];
  readonly ways: readonly ToldWay[];
  readonly entries: readonly Entry[];
}

/** Where the programs are that tell of access control lists. */
export interface Tools {
  readonly getfacl: string;
  /** Undefined where it is not installed: files of such mounts are closed to everybody then. */
  readonly nfs4: string | undefined;
}
