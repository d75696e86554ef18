/** Which files and stores a path stands for. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findDatasets } from "../../../src/cli/user-data/data-files.js";
import { freshFolder } from "../../support/run/folders.js";

let folder: string;
beforeEach(async () => {
  folder = freshFolder();
});

async function put(...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), "");
  }
}

const found = async (path = folder) =>
  (await findDatasets(path)).paths.map((one) => relative(folder, one));

describe("a path", () => {
  it("stands for the data files in a folder, in order, without hidden ones", async () => {
    await put("b.nc", "a/z.NC4", "a/a.h5", "c.cdf", "c.he5", "c.hdf", "d.nc3");
    await put("x.txt", "x.nc.gz", "nc", ".h.nc", ".git/a.nc", "a/.b/c.nc");
    expect(await found()).toEqual([
      "a/a.h5",
      "a/z.NC4",
      "b.nc",
      "c.cdf",
      "c.hdf",
      "c.he5",
      "d.nc3",
    ]);
  });

  it("stands for the file that it names, whatever the name is", async () => {
    await put("data.bin", ".hidden");
    expect(await found(join(folder, "data.bin"))).toEqual(["data.bin"]);
    expect(await found(join(folder, ".hidden"))).toEqual([".hidden"]);
  });

  it("finds a zarr store of either version as one, and does not enter it", async () => {
    await put(
      "v2/.zgroup",
      "v2/tas/.zarray",
      "v2/inside.nc",
      "v3.zarr/zarr.json",
      "v3.zarr/a/zarr.json",
    );
    await put("meta/.zmetadata", "none.zarr/a.nc");
    expect(await found()).toEqual(["meta", "none.zarr/a.nc", "v2", "v3.zarr"]);
    expect(await found(join(folder, "v2"))).toEqual(["v2"]);
  });

  it("follows links, but finds nothing twice and comes to an end", async () => {
    const outside = freshFolder();
    await writeFile(join(outside, "o.nc"), "");
    await symlink(folder, join(outside, "back"));
    await put("v1/a.nc", "v1/deep/b.nc");
    await symlink(outside, join(folder, "out"));
    await symlink("v1", join(folder, "latest"));
    await symlink("..", join(folder, "v1", "deep", "up"));
    await symlink(".", join(folder, "self"));
    await symlink(join("v1", "a.nc"), join(folder, "a-again.nc"));
    await symlink(join(outside, "o.nc"), join(folder, "o-again.nc"));
    await symlink("circle-b.nc", join(folder, "circle-a.nc"));
    await symlink("circle-a.nc", join(folder, "circle-b.nc"));
    const { paths, unreadable } = await findDatasets(folder);
    const names = paths.map((path) => relative(folder, path));
    expect(names).toEqual(["o-again.nc", "v1/a.nc", "v1/deep/b.nc"]);
    expect(unreadable.map(({ path }) => relative(folder, path))).toEqual([
      "circle-a.nc",
      "circle-b.nc",
    ]);
    const latest = await found(join(folder, "latest"));
    expect(latest).toEqual(["latest/a.nc", "latest/deep/b.nc"]);
  });

  it("reports a folder that cannot be read, and goes on", async () => {
    await put("open/a.nc", "shut/b.nc");
    await chmod(join(folder, "shut"), 0o000);
    const { paths, unreadable } = await findDatasets(folder);
    await chmod(join(folder, "shut"), 0o700);
    // Whoever runs this as root may look into all of them.
    if (process.getuid?.() === 0) return expect(paths).toHaveLength(2);
    expect(paths).toEqual([join(folder, "open", "a.nc")]);
    expect(unreadable).toEqual([
      { path: join(folder, "shut"), reason: "cannot be read (no permission)" },
    ]);
  });

  it("is an error if it does not exist", async () => {
    await expect(findDatasets(join(folder, "nowhere"))).rejects.toThrow(/ENOENT/);
  });
});
