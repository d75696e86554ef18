/**
 * Measures FILE_RIGHTS=posix: a cached check, a first check, and a list whose files are all checked.
 *
 *     npx tsx bench/rights.ts [N]     # as root, with getfacl (package acl) or Debian's packages; N files, 100,000
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRights } from "../src/files/rights/file-rights.js";
import type { Directory } from "../src/files/rights/file-user.js";
import { findAcl } from "../test/support/programs/acl.js";
import { ACL, makeProgram } from "../test/support/programs/debian.js";
import { alone, median, perSecond, table } from "./report.js";

const [UID, GID] = [61_001, 62_001];
const FILES = Number(process.argv[2] ?? 100_000);
const PER_FOLDER = 10_000;
const ROUNDS = 5;
const LOOKS = 20_000;
const FIRST_LOOKS = 50;

const reader = { id: "a", sub: "a", user: "a", isLocal: true };
const directory: Directory = {
  accountNamed: async (name) => ({ name, uid: UID, gid: GID }),
  accountOf: async () => undefined,
  groupsOf: async () => [GID],
};
const opened = async (path: string) => {
  const { dev, ino, ctimeNs } = await stat(path, { bigint: true });
  return { id: `${dev}:${ino}`, changed: String(ctimeNs) };
};

await makeProgram(ACL);
const tools = findAcl();
if (tools === undefined) throw new Error("This needs root and getfacl.");
const { getfacl } = tools;
const rightsNow = () => new FileRights({ tools: { getfacl, nfs4: undefined }, directory });
const root = mkdtempSync(join(tmpdir(), "climate-bench-rights-"));
try {
  chmodSync(root, 0o755);
  const paths: string[] = [];
  for (let i = 0; i < FILES; i += 1) {
    const folder = join(
      root,
      "CMIP6/CMIP/MPI-M/historical/r1i1p1f1/Amon",
      `v${Math.floor(i / PER_FOLDER)}`,
    );
    if (i % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const path = join(folder, `tas_${i}.nc`);
    writeFileSync(path, "");
    chownSync(path, 0, i % 2 === 0 ? GID : 0);
    chmodSync(path, 0o640);
    paths.push(path);
  }
  const path = paths[0] ?? "";
  const known = await opened(path);
  const rights = rightsNow();
  await rights.require(reader, path, known, "read");
  const cached: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    for (let i = 0; i < LOOKS; i += 1) await rights.require(reader, path, known, "read");
    cached.push((performance.now() - begin) / LOOKS);
  }
  const first: number[] = [];
  for (let i = 0; i < FIRST_LOOKS; i += 1) {
    const fresh = paths[2 * i + 2] ?? "";
    const its = await opened(fresh);
    const begin = performance.now();
    await rights.require(reader, fresh, its, "read");
    first.push(performance.now() - begin);
  }
  const lists: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    const seen = [];
    for (let i = 0; i < FILES; i += 4000) {
      seen.push(...(await rights.visible(reader, paths.slice(i, i + 4000))));
    }
    lists.push(performance.now() - begin);
    if (seen.filter(Boolean).length !== Math.ceil(FILES / 2)) throw new Error("not what is so");
  }
  const each = median(cached);
  console.log(
    table([
      alone("a cached check", `${(each * 1000).toFixed(1)} us`, "<= 0.2 ms", each <= 0.2),
      alone(
        "a first look, a file in a known folder",
        `${median(first).toFixed(1)} ms`,
        "",
        undefined,
      ),
      alone(
        `${FILES.toLocaleString("en")} files of a list`,
        perSecond((FILES / median(lists)) * 1000),
        "",
        undefined,
      ),
    ]),
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);
