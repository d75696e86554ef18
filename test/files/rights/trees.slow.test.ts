/** What the kernel says of random trees, and what this service says. */
import { spawn } from "node:child_process";
import { chmod, rm, stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Owner } from "../../../src/domain/user-data/owner.js";
import { NotYours } from "../../../src/files/errors.js";
import { FileRights } from "../../../src/files/rights/file-rights.js";
import type { Directory } from "../../../src/files/rights/file-user.js";
import { findAcl } from "../../support/programs/acl.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { GIDS, makeTrees, UIDS } from "./random-trees.js";

const tools = findAcl();

interface Asker {
  readonly owner: Owner;
  readonly uid: number;
  readonly gids: readonly number[];
}

const asker = (user: string, uid: number, gids: readonly number[]): Asker => ({
  owner: { id: user, sub: user, user, isLocal: true },
  uid,
  gids,
});
const [g1 = 0, g2 = 0, g3 = 0, g4 = 0] = GIDS;
const [u1 = 0, u2 = 0, u3 = 0] = UIDS;
const ASKERS = [
  asker("one", u1, [g1]),
  asker("two", u2, [g1, g2, g3]),
  asker("three", u3, [g4]),
  asker("of-root's-group", u3, [0, g2]),
  asker("stranger", 61_999, [62_999]),
];
const directory: Directory = {
  accountNamed: async (name) => {
    const found = ASKERS.find(({ owner }) => owner.user === name);
    return found && { name, uid: found.uid, gid: found.gids[0] ?? 0 };
  },
  accountOf: async () => undefined,
  groupsOf: async ({ name }) => ASKERS.find(({ owner }) => owner.user === name)?.gids ?? [],
};

/** What somebody of these ids may read, by the kernel: a shell of theirs tries all of them. */
async function kernel({ uid, gids }: Asker, paths: readonly string[]): Promise<boolean[]> {
  const ids = [`--reuid=${uid}`, `--regid=${gids[0]}`, `--groups=${gids.join(",")}`];
  const program = 'while IFS= read -r p; do if test -r "$p"; then echo 1; else echo 0; fi; done';
  const shell = spawn("setpriv", [...ids, "sh", "-c", program], {
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
  });
  shell.stdin.end(paths.map((path) => `${path}\n`).join(""));
  const answers = (await text(shell.stdout)).trimEnd().split("\n");
  expect(answers).toHaveLength(paths.length);
  return answers.map((answer) => answer === "1");
}

/** The same by the rights here, as data are read, file by file. */
function here(rights: FileRights, { owner }: Asker, paths: readonly string[]): Promise<boolean[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { dev, ino, ctimeNs } = await stat(path, { bigint: true });
      const opened = { id: `${dev}:${ino}`, changed: String(ctimeNs) };
      try {
        await rights.require(owner, path, opened, "read");
        return true;
      } catch (error) {
        if (error instanceof NotYours) return false;
        throw error;
      }
    }),
  );
}

describe.skipIf(tools === undefined)("rights on the disk, as root (setpriv, setfacl)", () => {
  const { getfacl = "", setfacl = "" } = tools ?? {};

  it(`equal test -r in ${attempts(200, 10_000)} random trees, for known and unknown accounts`, {
    timeout: patience(60_000, 1_800_000),
  }, async () => {
    const random = chance(SEED);
    let [asked, granted] = [0, 0];
    for (let left = attempts(200, 10_000); left > 0; left -= 200) {
      const root = freshFolder();
      try {
        await chmod(root, 0o711);
        const made = makeTrees(root, Math.min(left, 200), random, setfacl);
        const found = await Promise.all(made.map((path) => stat(path).catch(() => undefined)));
        const paths = made.filter((_, index) => found[index] !== undefined);
        const rights = new FileRights({ tools: { getfacl, nfs4: undefined }, directory });
        for (const one of ASKERS) {
          const [expected, read, seen] = await Promise.all([
            kernel(one, paths),
            here(rights, one, paths),
            rights.visible(one.owner, paths),
          ]);
          const unlike = (answers: readonly boolean[]): string[] =>
            paths.filter((_, index) => expected[index] !== answers[index]).slice(0, 5);
          expect(unlike(read), `SEED=${SEED}, ${one.owner.user}, read`).toEqual([]);
          expect(unlike(seen), `SEED=${SEED}, ${one.owner.user}, listed`).toEqual([]);
          asked += paths.length;
          granted += expected.filter(Boolean).length;
        }
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    }
    // Neither all nor nothing: the comparison says something of both.
    expect(granted / asked).toBeGreaterThan(0.1);
    expect(granted / asked).toBeLessThan(0.6);
  });
});
