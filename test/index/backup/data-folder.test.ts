/** What a backup does in the data folder, and how it checks what Solr wrote. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireWritten, withLink } from "../../../src/index/backup/data-folder.js";
import { freshFolder } from "../../support/run/folders.js";

describe("the link through which the embedded Solr writes a backup", () => {
  it("stays until its backup ends, also if a second backup begins meanwhile", async () => {
    const [dataDir, target] = [freshFolder(), freshFolder()];
    const done: string[] = [];
    let second: Promise<unknown> | undefined;
    await withLink(
      dataDir,
      target,
      async (link) => {
        await new Promise<void>((waits) => {
          second = withLink(
            dataDir,
            target,
            async () => void done.push("second"),
            () => waits(),
          );
          void second.then(() => waits());
        });
        done.push(existsSync(link) ? "first" : "first, whose link is gone");
      },
      () => {},
    );
    await second;
    expect(done).toEqual(["first", "second"]);
    expect(existsSync(join(dataDir, "solr", "backups"))).toBe(false);
  });
});

describe("a backup that Solr wrote", () => {
  it("is refused if the copy of a core has no list of its segments", async () => {
    const folder = freshFolder();
    for (const core of ["files", "state"]) {
      await mkdir(join(folder, `snapshot.${core}`));
      await writeFile(join(folder, `snapshot.${core}`, "_0.cfs"), "");
    }
    await writeFile(join(folder, "snapshot.files", "segments_2"), "");
    await expect(requireWritten(folder, ["files"])).resolves.toBeUndefined();
    await expect(requireWritten(folder, ["files", "state"])).rejects.toThrow(
      /snapshot\.state is incomplete; make the backup again/,
    );
  });
});
