/** Random trees of folders, files and links, with random owners, modes and access control lists. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Nobody of this machine has these. */
export const UIDS = [61_001, 61_002, 61_003];
export const GIDS = [62_001, 62_002, 62_003, 62_004];

const rwx = (bits: number): string =>
  `${bits & 4 ? "r" : "-"}${bits & 2 ? "w" : "-"}${bits & 1 ? "x" : "-"}`;

/**
 * Makes trees below a folder, all of them with one call of setfacl.
 *
 * @returns everything whose reading is tried: files, folders, links, and, by links, what is not there
 */
export function makeTrees(
  root: string,
  count: number,
  random: () => number,
  setfacl: string,
): string[] {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const isSo = (share: number): boolean => random() < share;
  const paths: string[] = [];
  const lists: string[] = [];
  const late: string[] = [];

  /** Folders mostly let pass, or nothing would ever be reached. */
  const bits = (isFolder: boolean): number => {
    if (isFolder) return isSo(0.75) ? pick([1, 5, 7]) : pick([0, 2, 4, 6]);
    return pick([0, 1, 2, 4, 4, 4, 5, 6, 7]);
  };

  const list = (isFolder: boolean): string[] => {
    const lines = [`user::${rwx(bits(isFolder))}`];
    const users = UIDS.filter(() => isSo(0.3));
    const groups = GIDS.filter(() => isSo(0.3));
    for (const uid of users) lines.push(`user:${uid}:${rwx(bits(isFolder))}`);
    lines.push(`group::${rwx(bits(isFolder))}`);
    for (const gid of groups) lines.push(`group:${gid}:${rwx(bits(isFolder))}`);
    if (users.length + groups.length > 0 || isSo(0.1)) {
      lines.push(`mask::${rwx(isSo(0.15) ? 0 : isSo(0.5) ? 7 : bits(isFolder))}`);
    }
    lines.push(`other::${rwx(bits(isFolder))}`);
    return lines;
  };

  const dress = (path: string, isFolder: boolean): void => {
    const owner = pick([0, ...UIDS]);
    const group = pick([0, ...GIDS]);
    if (isSo(0.4)) {
      chownSync(path, owner, group);
      chmodSync(path, (bits(isFolder) << 6) | (bits(isFolder) << 3) | bits(isFolder));
      return;
    }
    const lines = list(isFolder);
    if (isFolder && isSo(0.3)) {
      lines.push(...list(true).map((line) => `default:${line}`));
      late.push(path);
    }
    lists.push([`# file: ${path}`, `# owner: ${owner}`, `# group: ${group}`, ...lines].join("\n"));
  };

  for (let tree = 0; tree < count; tree += 1) {
    const top = join(root, `t${tree}`);
    const folders = [top];
    mkdirSync(top);
    for (let more = Math.floor(random() * 4); more > 0; more -= 1) {
      const folder = join(pick(folders), `d${folders.length}`);
      mkdirSync(folder);
      folders.push(folder);
    }
    const places = [...folders];
    for (let more = 1 + Math.floor(random() * 3); more > 0; more -= 1) {
      const file = join(pick(folders), `f${places.length}`);
      writeFileSync(file, "x");
      places.push(file);
    }
    for (let more = Math.floor(random() * 3); more > 0; more -= 1) {
      const folder = pick(folders);
      const target = pick(places);
      const link = join(folder, `l${places.length}`);
      const relative = `${"../".repeat(folder.split("/").length - top.split("/").length)}./${target.slice(top.length + 1)}`;
      symlinkSync(isSo(0.5) ? target : relative, link);
      lchownSync(link, pick(UIDS), pick(GIDS));
      places.push(link);
      // Through it, wherever that leads.
      for (const name of ["f1", "f2", "d1"]) if (isSo(0.3)) paths.push(join(link, name));
    }
    paths.push(...places);
    for (const [index, place] of places.entries()) {
      if (!/l\d+$/.test(place)) dress(place, index < folders.length);
    }
  }
  execFileSync(setfacl, ["--restore=-"], { input: `${lists.join("\n\n")}\n`, maxBuffer: 1 << 28 });
  // What is made in a folder with a default list has a list from its first moment on.
  for (const folder of late) {
    const file = join(folder, "late");
    writeFileSync(file, "x", { mode: pick([0o644, 0o660, 0o600, 0o640]) });
    chownSync(file, pick([0, ...UIDS]), pick(GIDS));
    paths.push(file);
  }
  return paths;
}
