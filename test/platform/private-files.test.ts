/** Folders that the service makes, and what is said where it cannot. */
import { chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockDataDir } from "../../src/index/collections/data-dir-lock.js";
import { SetupError } from "../../src/index/collections/setup-error.js";
import { refusalOf } from "../../src/platform/errors.js";
import {
  makeFolders,
  makePrivateFolder,
  writePrivateFile,
} from "../../src/platform/file-system/private-files.js";
import { run } from "../cli/command.js";
import { freshFolder } from "../support/run/folders.js";

const folder = freshFolder();

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("a folder", () => {
  it("is made with its parents for its owner alone; an existing one keeps its mode", async () => {
    const path = join(folder, "a/b/c");
    await Promise.all([1, 2, 3].map(() => makePrivateFolder(path)));
    expect([await modeOf(path), await modeOf(join(folder, "a"))]).toEqual([0o700, 0o700]);
    expect(await makeFolders(path, 0o755)).toBe(false);
    expect(await modeOf(path)).toBe(0o700);
  });

  it("is refused at once with the system's reason if it cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(makeFolders(join(folder, "file/x/y"), 0o700)).rejects.toThrow("ENOTDIR");
    await expect(makeFolders(join(folder, "file"), 0o700)).rejects.toThrow("EEXIST");
  });

  it.runIf(process.platform === "linux")(
    "is refused if no folder can be made in its parent",
    async () => {
      await expect(makeFolders("/proc/climate/x", 0o700)).rejects.toThrow("ENOENT");
    },
  );
});

describe("a command of root's", () => {
  it.skipIf(process.getuid?.() !== 0)(
    "gives the folders and files that it makes to the owner of the folder that they are in",
    async () => {
      const data = join(folder, "of-the-service");
      await mkdir(data);
      await chown(data, 61_234, 61_235);
      await makePrivateFolder(join(data, "keys/more"));
      for (const path of ["users.json", "keys/more/key.json"]) {
        await writePrivateFile(join(data, path), "{}");
      }
      for (const path of ["users.json", "keys", "keys/more", "keys/more/key.json"]) {
        const { uid, gid, mode } = await stat(join(data, path));
        expect([uid, gid, mode & 0o077], path).toEqual([61_234, 61_235, 0]);
      }
    },
  );
});

describe("a file that the system does not take", () => {
  it.runIf(process.platform === "linux")(
    "leaves no draft, and a command names it in one sentence",
    async () => {
      const data = join(folder, "limited");
      await makePrivateFolder(data);
      const { status, stderr } = await run(["keys", "rotate"], {
        settings: { DATA_DIR: data },
        under: ["sh", "-c", 'ulimit -f 0; exec "$0" "$@"'],
      });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(
          /^[^\n]*\/limited\/[^\n]* cannot be used \(the file is larger than allowed\)\.\n$/,
        ),
      });
      const files = await readdir(data, { recursive: true, withFileTypes: true });
      expect(files.filter((file) => file.isFile())).toEqual([]);
    },
  );
});

describe("a data folder without write access", () => {
  it("is reported in one sentence", async () => {
    await writeFile(join(folder, "service.lock"), "");
    const locking = lockDataDir(folder);
    await expect(locking).rejects.toThrow(SetupError);
    await expect(locking).rejects.toThrow(
      `The data folder ${folder} cannot be used (a file has its name); set DATA_DIR to another folder.`,
    );
  });
});

describe("a refusal of the file system", () => {
  it.each([
    [{ code: "EROFS" }, "the file system is read-only"],
    [{ code: "EACCES" }, "no permission"],
    [{ code: "ENOENT" }, "does not exist"],
    [{ code: "EIO" }, "EIO"],
    [{ message: "odd" }, "odd"],
  ])("is worded: %j is %s", (error, text) => {
    expect(refusalOf(error)).toBe(text);
  });
});
