/** Which documents say that data are somebody's, told by where the data really lie. */
import { describe, expect, it } from "vitest";
import { claimsSearch } from "../../../src/domain/search/user-data-clause.js";
import { type Fields, ruleOf } from "./holds.js";

describe("the documents that claim a path", () => {
  const found = (search: ReturnType<typeof claimsSearch>, document: Fields): boolean =>
    search.filters.every((filter) => ruleOf(filter)(document));
  const FILE = claimsSearch({ real: "/u/ada/a b/é.nc", inode: "17", isFolder: false });
  const FOLDER = claimsSearch({ real: "/u/ada/store.zarr", inode: "18", isFolder: true });
  const user = "ada";

  it("are searched in all versions, and once", () => {
    expect(FILE.filters[0]).toBe("user:*");
    expect(FILE.filters[1]).toMatch(/^\{!cache=false\}/);
  });

  it.each([
    ["/u/ada/a b/é.nc"],
    ["file:///u/ada/a b/é.nc"],
    ["file:///u/ada/a%20b/%C3%A9.nc"],
    ["/u/ada/a b"],
    ["file:///u/ada/a%20b"],
    ["/u/ada"],
    ["/u"],
  ])("name it, or a folder that it is in, as a path or an address: %s", (file) => {
    expect(found(FILE, { file, user })).toBe(true);
    expect(found(FILE, { file }), "public").toBe(false);
  });

  it.each([["/"], [""], ["/u/ada/a b/"], ["/u/ada/a"], ["/u/ada/a b/é.nc/x"], ["/U/ada"], ["17"]])(
    "do not name something else: %s",
    (file) => {
      expect(found(FILE, { file, user })).toBe(false);
    },
  );

  it("name it alone if the name is their address", () => {
    for (const uri of ["/u/ada/a b/é.nc", "file:///u/ada/a%20b/%C3%A9.nc"]) {
      expect(found(FILE, { file: "/x", uri, user })).toBe(true);
    }
    expect(found(FILE, { file: "/x", uri: "/u/ada", user })).toBe(false);
  });

  it("include those with the same inode when they were registered", () => {
    expect(found(FILE, { file: "/x", inode: "17", user })).toBe(true);
    expect(found(FILE, { file: "/x", inode: "18", user })).toBe(false);
  });

  it("include those below a folder that was one then, or of unknown kind", () => {
    const inside = { file: "/u/ada/store.zarr/t2m/0.0", user };
    expect(found(FOLDER, { ...inside, inode: "3", owner: "a" })).toBe(true);
    expect(found(FOLDER, inside)).toBe(true);
    expect(found(FOLDER, { ...inside, owner: "a" })).toBe(false);
    expect(found(FOLDER, { file: "/u/ada/store.zarr2", user })).toBe(false);
    const file = claimsSearch({ real: "/u/ada/store.zarr", inode: "18", isFolder: false });
    expect(found(file, inside)).toBe(false);
  });
});
