/** What the kernel would say: pure, over what is known of files and of who asks. */
import { type Nfs4Entry, nfs4List, PASS, type PosixList, posixList, READ } from "./acl.js";
import type { Node, Way } from "./path-nodes.js";

/** Who asks, as the machine knows them. */
export interface Who {
  /** Undefined for somebody whom the machine does not know: they are neither owner nor named. */
  readonly uid: number | undefined;
  readonly gids: ReadonlySet<number>;
  /** Of the account, by which NFSv4 lists may speak of it. */
  readonly name?: string;
}

/** Somebody whom the machine does not know. */
export const OTHERS: Who = { uid: undefined, gids: new Set() };

const has = (bits: number, wanted: number): boolean => (bits & wanted) === wanted;

/** posix_acl_permission() of Linux (fs/posix_acl.c). */
function byList(list: PosixList, { gid }: Node, who: Who, wanted: number): boolean {
  const mask = list.mask ?? 7;
  const named = list.users.find(({ id }) => id === who.uid);
  if (named !== undefined) return has(named.bits & mask, wanted);
  const own = who.gids.has(gid) ? [list.group] : [];
  const groups = list.groups.filter(({ id }) => who.gids.has(id)).map(({ bits }) => bits);
  const matching = [...own, ...groups];
  // Any of them that grants all of it is enough, and none of them sends on to the others.
  if (matching.length > 0) return matching.some((bits) => has(bits & mask, wanted));
  return has(list.other, wanted);
}

/** The first entry that speaks of a bit and of who asks decides it (RFC 8881, 6.2.1); undecided is refused. */
function byNfs4(entries: readonly Nfs4Entry[], node: Node, who: Who, wanted: number): boolean {
  let open = wanted;
  for (const { allows, isGroup, who: principal, bits } of entries) {
    if ((bits & open) === 0 || !speaksOf(principal, isGroup, allows, node, who)) continue;
    if (!allows) return false;
    open &= ~bits;
    if (open === 0) return true;
  }
  return false;
}

function speaksOf(
  principal: string,
  isGroup: boolean,
  allows: boolean,
  node: Node,
  who: Who,
): boolean {
  if (principal === "EVERYONE@") return true;
  if (principal === "OWNER@") return who.uid !== undefined && node.uid === who.uid;
  if (principal === "GROUP@") return who.gids.has(node.gid);
  if (/^\d+$/.test(principal)) {
    const id = Number(principal);
    return isGroup ? who.gids.has(id) : who.uid === id;
  }
  // Whose domain this is cannot be told here: a name gives no right, and takes it from whom it may mean.
  if (allows) return false;
  return isGroup || who.name === undefined || who.name === principal.split("@")[0];
}

/** What is made of the lists, kept as long as their nodes are; undefined of one that cannot be read. */
const posixLists = new WeakMap<Node, PosixList | undefined>();
const nfs4Lists = new WeakMap<Node, readonly Nfs4Entry[] | undefined>();

function parsed<T>(
  known: WeakMap<Node, T | undefined>,
  node: Node,
  parse: (text: string) => T,
): T | undefined {
  if (known.has(node)) return known.get(node);
  const made = parsedOrNot(node.acl ?? "", parse);
  known.set(node, made);
  return made;
}

function parsedOrNot<T>(text: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * acl_permission_check() of Linux (fs/namei.c); nobody here has a capability, and a list that cannot be read lets nobody in.
 */
export function permits(node: Node, who: Who, wanted: number): boolean {
  const { kind, mode, uid, gid, acl } = node;
  if (kind === "closed") return false;
  if (kind === "nfs4") {
    const entries = parsed(nfs4Lists, node, nfs4List);
    return entries !== undefined && byNfs4(entries, node, who, wanted);
  }
  if (uid === who.uid) return has(mode >> 6, wanted);
  // With a list these three bits are its mask; the kernel does not look at a list whose mask is empty.
  if (acl !== undefined && (mode & 0o070) !== 0) {
    const list = parsed(posixLists, node, posixList);
    return list !== undefined && byList(list, node, who, wanted);
  }
  return has(who.gids.has(gid) ? mode >> 3 : mode, wanted);
}

/** Whether somebody gets to what a way leads to: every folder must let them pass. */
export function reaches({ folders, links }: Way, who: Who): boolean {
  // may_follow_link() of Linux (fs/namei.c), where fs.protected_symlinks is set.
  const follows = links.every(({ uid, folderUid }) => uid === who.uid || uid === folderUid);
  return follows && folders.every((folder) => permits(folder, who, PASS));
}

/** Whether somebody may read what a way leads to. */
export const reads = (way: Way, who: Who): boolean =>
  way.end !== undefined && reaches(way, who) && permits(way.end, who, READ);
