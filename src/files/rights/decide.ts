/** Decides as the kernel would whether somebody may read a file. Pure functions of facts about files and accounts. */
import { type Nfs4Entry, nfs4List, PASS, type PosixList, posixList, READ } from "./acl.js";
import type { Node, Way } from "./path-nodes.js";

export interface Account {
  /** Undefined for an account that the machine does not know. It is neither an owner nor named in lists. */
  readonly uid: number | undefined;
  readonly gids: ReadonlySet<number>;
  /** The account's name, which NFSv4 lists may use. */
  readonly name?: string;
}

export const UNKNOWN_ACCOUNT: Account = { uid: undefined, gids: new Set() };

const has = (bits: number, wanted: number): boolean => (bits & wanted) === wanted;

/** posix_acl_permission() of Linux (fs/posix_acl.c). */
function byList(list: PosixList, { gid }: Node, who: Account, wanted: number): boolean {
  const mask = list.mask ?? 7;
  const named = list.users.find(({ id }) => id === who.uid);
  if (named !== undefined) return has(named.bits & mask, wanted);
  const own = who.gids.has(gid) ? [list.group] : [];
  const groups = list.groups.filter(({ id }) => who.gids.has(id)).map(({ bits }) => bits);
  const matching = [...own, ...groups];
  // One matching entry must grant all bits. If none does, `other` does not apply.
  if (matching.length > 0) return matching.some((bits) => has(bits & mask, wanted));
  return has(list.other, wanted);
}

/** For each bit, the first entry that matches the account decides (RFC 8881, 6.2.1). Undecided bits are refused. */
function byNfs4(entries: readonly Nfs4Entry[], node: Node, who: Account, wanted: number): boolean {
  let open = wanted;
  for (const entry of entries) {
    if ((entry.bits & open) === 0 || !appliesTo(entry, node, who)) continue;
    if (!entry.allows) return false;
    open &= ~entry.bits;
    if (open === 0) return true;
  }
  return false;
}

function appliesTo({ who: principal, isGroup, allows }: Nfs4Entry, node: Node, who: Account) {
  if (principal === "EVERYONE@") return true;
  if (principal === "OWNER@") return who.uid !== undefined && node.uid === who.uid;
  if (principal === "GROUP@") return who.gids.has(node.gid);
  if (/^\d+$/.test(principal)) {
    const id = Number(principal);
    return isGroup ? who.gids.has(id) : who.uid === id;
  }
  // The domain cannot be verified here: a name grants no right, and denies it to anybody it may mean.
  if (allows) return false;
  return isGroup || who.name === undefined || who.name === principal.split("@")[0];
}

/** Parsed lists, cached as long as their nodes; undefined if a list is invalid. */
const posixLists = new WeakMap<Node, PosixList | undefined>();
const nfs4Lists = new WeakMap<Node, readonly Nfs4Entry[] | undefined>();

function parsed<T>(known: WeakMap<Node, T>, node: Node, parse: (text: string) => T): T {
  const list = known.get(node) ?? parse(node.acl ?? "");
  known.set(node, list);
  return list;
}

/** acl_permission_check() of Linux (fs/namei.c), without capabilities. An unreadable list lets nobody in. */
export function permits(node: Node, who: Account, wanted: number): boolean {
  const { kind, mode, uid, gid, acl } = node;
  if (kind === "closed") return false;
  if (kind === "nfs4") {
    const entries = parsed(nfs4Lists, node, nfs4List);
    return entries !== undefined && byNfs4(entries, node, who, wanted);
  }
  if (uid === who.uid) return has(mode >> 6, wanted);
  // With a list these three bits are its mask. The kernel skips a list whose mask is empty.
  if (acl !== undefined && (mode & 0o070) !== 0) {
    const list = parsed(posixLists, node, posixList);
    return list !== undefined && byList(list, node, who, wanted);
  }
  return has(who.gids.has(gid) ? mode >> 3 : mode, wanted);
}

/** Whether an account can reach the end of a way: every folder must let it pass. */
export function reaches({ folders, links }: Way, who: Account): boolean {
  // may_follow_link() of Linux (fs/namei.c), where fs.protected_symlinks is set.
  const follows = links.every(({ uid, folderUid }) => uid === who.uid || uid === folderUid);
  return follows && folders.every((folder) => permits(folder, who, PASS));
}

/** Whether an account may read the end of a way. */
export const reads = (way: Way, who: Account): boolean =>
  way.end !== undefined && reaches(way, who) && permits(way.end, who, READ);
