/** Parses access control lists in the output of getfacl and nfs4_getfacl. */

/** Bits of a mode. */
export const READ = 4;
export const PASS = 1;

interface Named {
  readonly id: number;
  readonly bits: number;
}

/** A POSIX access control list (POSIX.1e draft 17, 23.1; acl(5)). */
export interface PosixList {
  readonly owner: number;
  readonly users: readonly Named[];
  readonly group: number;
  readonly groups: readonly Named[];
  /** Undefined if the list names nobody. */
  readonly mask: number | undefined;
  readonly other: number;
}

const bitsOf = (text: string): number =>
  (text[0] === "r" ? 4 : 0) + (text[1] === "w" ? 2 : 0) + (text[2] === "x" ? 1 : 0);

const POSIX_LINE = /^(user|group|mask|other):(\d*):([r-][w-][x-])$/;

/** Undefined for an unknown line: skipping it could grant a right. */
export function posixList(text: string): PosixList | undefined {
  const users: Named[] = [];
  const groups: Named[] = [];
  const base = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, tag, id, permissions] = POSIX_LINE.exec(line) ?? [];
    if (tag === undefined || permissions === undefined) return undefined;
    const bits = bitsOf(permissions);
    if (id === "" || id === undefined) base.set(tag, bits);
    else (tag === "user" ? users : groups).push({ id: Number(id), bits });
  }
  const one = (tag: string): number => base.get(tag) ?? 0;
  const mask = base.get("mask");
  return { owner: one("user"), users, group: one("group"), groups, mask, other: one("other") };
}

/** An entry of an NFSv4 list (RFC 8881, 6.2.1), reduced to reading and passing. */
export interface Nfs4Entry {
  readonly allows: boolean;
  readonly isGroup: boolean;
  /** `OWNER@`, `GROUP@`, `EVERYONE@`, a number, or a name with a domain. */
  readonly who: string;
  /** READ and PASS. */
  readonly bits: number;
}

const NFS4_LINE = /^([ADUL]):([A-Za-z]*):([^:]+):([A-Za-z]*)$/;

/** As posixList. */
export function nfs4List(text: string): readonly Nfs4Entry[] | undefined {
  const entries: Nfs4Entry[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, type, flags = "", who, permissions = ""] = NFS4_LINE.exec(line.trim()) ?? [];
    if (type === undefined || who === undefined) return undefined;
    // Audit, alarm and inherit-only entries have no effect here.
    if (type === "U" || type === "L" || flags.includes("i")) continue;
    // nfs4_getfacl may write R and X for the sets of all rights to read or execute.
    const bits = (/[rR]/.test(permissions) ? READ : 0) | (/[xX]/.test(permissions) ? PASS : 0);
    entries.push({ allows: type === "A", isGroup: flags.includes("g"), who, bits });
  }
  return entries;
}
