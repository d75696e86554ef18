/** The key of pseudonyms that is generated beside the records. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { knownPseudonyms, openPseudonyms } from "../../../src/server/audit/pseudonyms.js";
import { freshFolder } from "../../support/run/folders.js";
import { runHere } from "../../support/service/command.js";

let folder: string;
let problems: string[];
beforeEach(() => {
  folder = freshFolder();
  problems = [];
});
const opened = () => openPseudonyms({}, folder, (problem) => problems.push(problem));

describe("a generated key of pseudonyms", () => {
  it("is the same for all processes of a folder", async () => {
    const [one, other] = await Promise.all([opened(), opened()]);
    const known = await knownPseudonyms({}, folder);
    expect(other.of("ada")).toBe(one.of("ada"));
    expect(known.of("ada")).toBe(one.of("ada"));
    expect([await readdir(folder), problems]).toEqual([["audit.key"], []]);
  });

  it("is reported if it cannot be read, and the service goes on with another one", async () => {
    await mkdir(join(folder, "audit.key"));
    expect((await opened()).of("ada")).toMatch(/^p\./);
    expect(problems).toEqual([
      `${folder}/audit.key cannot be read (is a folder). Pseudonyms have another key until the next start.`,
    ]);
  });

  it("is neither made nor replaced by `audit pseudonym`, which fails without it", async () => {
    for (const [settings, reason] of [
      [folder, "does not exist"],
      [join(folder, "away"), "does not exist"],
      [join(folder, "audit.key"), "is a folder"],
    ] as const) {
      if (reason === "is a folder")
        await mkdir(join(folder, "audit.key", "audit.key"), { recursive: true });
      const { code, stdout, stderr } = await runHere(["audit", "pseudonym", "ada"], {
        AUDIT: settings,
      });
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        `${settings}/audit.key cannot be read (${reason}).\n`,
      ]);
    }
    expect(existsSync(join(folder, "away"))).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "belongs to the folder's owner when a command of root's makes it",
    async () => {
      spawnSync("chown", ["61234:61234", folder]);
      await opened();
      expect((await stat(join(folder, "audit.key"))).uid).toBe(61_234);
    },
  );
});
