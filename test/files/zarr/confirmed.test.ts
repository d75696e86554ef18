/** Work on a file that is checked once, after the work. */
import { appendFile, rename, symlink, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileChanged, FileGone } from "../../../src/files/netcdf/errors.js";
import { FileIdentityCache } from "../../../src/files/zarr/open/file-identity-cache.js";
import { freshFolder } from "../../support/run/folders.js";

const folder = freshFolder();

let files = 0;
/** A file that was just inspected, and a cache that knows it. */
async function inspected() {
  const cache = new FileIdentityCache(undefined);
  files += 1;
  const path = join(folder, `${files}.nc`);
  await writeFile(path, "some bytes");
  const file = await cache.inspect(path);
  expect(cache.known(path)).toBe(file);
  const undone: unknown[] = [];
  const run = (work: () => Promise<unknown>) =>
    cache.confirmed(file, work, (result) => undone.push(result));
  return { cache, path, run, undone };
}

describe("a file that is checked after the work", () => {
  it("gives the result of the work if nothing has changed", async () => {
    const { run, undone } = await inspected();
    expect(await run(async () => "made")).toBe("made");
    await expect(run(() => Promise.reject(new RangeError("x")))).rejects.toThrow(RangeError);
    expect(undone).toEqual([]);
  });

  const changes: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    "written in place": (path) => appendFile(path, "!"),
    "written in place, with its former time of change": async (path) => {
      await writeFile(path, "same bytes");
      await utimes(path, 1000, 1000);
    },
    "replaced by another": async (path) => {
      await writeFile(`${path}.next`, "some bytes");
      await rename(`${path}.next`, path);
    },
    "replaced by a link to another": async (path) => {
      await writeFile(`${path}.other`, "some bytes");
      await unlink(path);
      await symlink(`${path}.other`, path);
    },
  };

  it.each(Object.keys(changes))(
    "is refused if it was %s before or during the work",
    async (name) => {
      const change = changes[name] as (path: string) => Promise<unknown>;
      const { cache, path, run, undone } = await inspected();
      // Longer apart than the clock of the file system is exact.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const work = async (): Promise<string> => {
        await change(path);
        return "made";
      };
      await expect(run(work)).rejects.toThrow(FileChanged);
      expect(undone).toEqual(["made"]);
      const failing = async (): Promise<never> => {
        throw new RangeError("of the former file");
      };
      // The error of work on a file that has changed does not count either.
      await expect(run(failing)).rejects.toThrow(FileChanged);
      // The next reading finds the new file.
      const now = await cache.inspect(path);
      expect(
        await cache.confirmed(
          now,
          async () => "anew",
          () => {},
        ),
      ).toBe("anew");
    },
  );

  it("is gone if it was deleted", async () => {
    const { path, run, undone } = await inspected();
    await unlink(path);
    await expect(run(async () => "made")).rejects.toThrow(FileGone);
    expect(undone).toEqual(["made"]);
  });

  it("is no folder, whose files are checked one by one", async () => {
    const cache = new FileIdentityCache(undefined);
    await cache.inspect(folder);
    expect(cache.known(folder)).toBeUndefined();
  });
});
