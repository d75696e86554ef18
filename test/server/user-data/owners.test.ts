/** Whose user data is, who may read it, and what people may register. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Unreadable } from "../../../src/domain/extent/period.js";
import { addedMessage, deletedMessage } from "../../../src/domain/user-data/messages.js";
import {
  mayRead,
  type Owner,
  ownerOf,
  ownerOfDocument,
} from "../../../src/domain/user-data/owner.js";
import {
  isFolderPattern,
  namedPath,
  RegistrationRule,
} from "../../../src/domain/user-data/registration-rule.js";
import { machineLookups } from "../../../src/files/rights/machine.js";
import { freshFolder } from "../../support/run/folders.js";

const HERE = "https://here";
const ADA: Owner = ownerOf({ sub: "uuid-1", username: "ada", issuer: HERE }, HERE);
const OUTSIDE: Owner = ownerOf({ sub: "17", username: "ada", issuer: "https://idp" }, HERE);

describe("an owner", () => {
  it("is a subject, with the issuer for an outside provider", () => {
    expect(ADA).toEqual({ id: "uuid-1", sub: "uuid-1", user: "ada", isLocal: true });
    expect(OUTSIDE).toEqual({ id: "https://idp 17", sub: "17", user: "ada", isLocal: false });
    expect(ownerOf({ sub: "17", username: "", issuer: "x" }, HERE).user).toBe("17");
  });

  it("is read back from documents", () => {
    for (const owner of [ADA, OUTSIDE]) {
      expect(ownerOfDocument({ owner: owner.id, user: owner.user })).toEqual(owner);
    }
    expect(ownerOfDocument({ owner: "https://idp a b", user: undefined })).toEqual({
      id: "https://idp a b",
      sub: "a b",
      user: "",
      isLocal: false,
    });
    expect(ownerOfDocument({ owner: undefined, user: "ada" })).toBeUndefined();
  });

  it("reads public and own data; a document with a user alone is a local account's", () => {
    const may = (owner: string | undefined, user: string | undefined) =>
      [ADA, OUTSIDE].map((reader) => mayRead(reader, { owner, user }));
    expect(may(undefined, undefined)).toEqual([true, true]);
    expect(may("uuid-1", "ada")).toEqual([true, false]);
    expect(may("https://idp 17", "ada")).toEqual([false, true]);
    expect(may("17", "ada")).toEqual([false, false]);
    expect(may(undefined, "ada")).toEqual([true, false]);
    expect(may(undefined, "bob")).toEqual([false, false]);
    expect(may("uuid-2", undefined)).toEqual([false, false]);
  });
});

describe("a text of user data", () => {
  it.each([
    ["/a/./b/../c//d/", "/a/c/d"],
    ["/a/b", "/a/b"],
    ["a/", undefined],
    ["file:///a/%20b", "/a/ b"],
    ["FILE://localhost/a", "/a"],
    ["file:/a/", "/a"],
    ["file://elsewhere/a", undefined],
    ["a/b", undefined],
    ["https://x/file:/a", undefined],
    ["afile:/a", undefined],
    ["/a\0b", undefined],
    ["file:///a%00b", undefined],
  ])("is read as a path: %j is %s", (text, place) => {
    expect(namedPath(text)).toBe(place);
  });

  it("is refused if it looks like an address and cannot be one", () => {
    for (const text of ["file:///a%2Fb", "file://[/a", "file:///%E0%A4%A"]) {
      expect(() => namedPath(text), text).toThrow(Unreadable);
      expect(() => namedPath(text)).toThrow("is not a valid file: URL");
    }
  });
});

it("the report of a change has its figures", () => {
  expect(addedMessage({ added: 2, duplicates: 1 })).toBe(
    "2 have been successfully added to the databrowser. 1 file was a duplicate and not added.",
  );
  expect(addedMessage({ added: 0, duplicates: 3 })).toBe(
    "No data was added to the databrowser. 3 files were duplicates and not added.",
  );
  expect(deletedMessage(4)).toMatch(/^User data .* successfully. 4 documents/);
});

describe("a pattern of folders", () => {
  it.each([
    ["/work/{user}", true],
    ["/work/{user}/public/data", true],
    ["/{user}", true],
    ["/work/{sub}", false],
    ["/work/x{user}", false],
    ["/work/{user}/{user}", false],
    ["/work/{user}/{sub}", false],
    ["/work/{user}/a}", false],
    ["/work/{user}/", false],
    ["//work/{user}", false],
    ["/work/./{user}", false],
    ["/work/../{user}", false],
    ["/work", false],
    ["work/{user}", false],
    ["x/{user}", false],
    ["", false],
  ])("is refused or accepted: %s is %s", (text, expected) => {
    expect(isFolderPattern(text, ["user"])).toBe(expected);
  });

  it("may have any of the placeholders that are named", () => {
    expect(isFolderPattern("/work/{sub}", ["user", "sub"])).toBe(true);
    expect(isFolderPattern("/work/{other}", ["user", "sub"])).toBe(false);
  });
});

describe("the rule of registration", () => {
  const root = freshFolder();
  mkdirSync(join(root, "disk", "home"), { recursive: true });
  symlinkSync(join(root, "disk", "home"), join(root, "home"));

  const uids = new Map([
    ["ada", 1000],
    ["bob", 1001],
    ["daemon", 999],
    ["nobody", 65_534],
  ]);
  const rule = new RegistrationRule(
    {
      local: [`${root}/home/{user}/data/public`, "/{sub}"],
      outside: [`${root}/outside/{sub}`, `${root}/names/{user}`],
    },
    {
      uidOf: async (name) => uids.get(name) ?? (name === "wide" ? 4_294_967_294 : undefined),
      realPath: machineLookups().realPath,
    },
  );
  const allows = (owner: Owner, path: string, uid?: number) => rule.allows(owner, { path, uid });
  const real = join(root, "disk", "home");

  it("lets users have files in their own folder, where links really lead", async () => {
    expect(await allows(ADA, `${real}/ada/data/public/x`)).toBe(true);
    expect(await allows(ADA, `${real}/ada/data/public/x/y/z`)).toBe(true);
    expect(await allows(ADA, "/uuid-1/x")).toBe(true);
    for (const path of [
      `${real}/ada/data/public`,
      `${real}/ada/data/private/x`,
      `${real}/ada/x/public/x`,
      `${real}/bob/data/public/x`,
      `${real}/bob/ada/data/public/x`,
      `${real}/Ada/data/public/x`,
      `${real}/ada/data/publicmine/x`,
      `${real}/x`,
      `${root}/home/ada/data/public/x`,
      "/uuid-1",
      "/ada/x",
      `${root}/ada/data/public/x`,
      `${root}/outside/uuid-1/x`,
    ]) {
      expect(await allows(ADA, path), path).toBe(false);
    }
  });

  it("distinguishes accounts of the same name elsewhere", async () => {
    expect(await allows(OUTSIDE, `${real}/ada/data/public/x`)).toBe(false);
    expect(await allows(OUTSIDE, `${root}/outside/17/x`)).toBe(true);
    expect(await allows(OUTSIDE, `${root}/names/ada/x`)).toBe(true);
    expect(await allows(OUTSIDE, `${root}/outside/ada/x`)).toBe(false);
    expect(await allows(OUTSIDE, "/17/x")).toBe(false);
    const named17 = { ...OUTSIDE, sub: "18", user: "17" };
    expect(await allows(named17, `${root}/outside/17/x`)).toBe(false);
    expect(await allows(OUTSIDE, "/elsewhere", 1000)).toBe(false);
  });

  it.each(["", ".", "..", "a/b"])("gives no folder to an account called %j", async (name) => {
    const odd: Owner = { id: name, sub: name, user: name, isLocal: true };
    for (const path of [`${real}/${name}/data/public/x`, `/${name}/x`, `${real}/data/public/x`]) {
      expect(await allows(odd, path)).toBe(false);
    }
  });

  it("lets users have files that are theirs on the machine, but none of the system", async () => {
    expect(await allows(ADA, "/elsewhere", 1000)).toBe(true);
    for (const uid of [0, 999, 1001, 65_534, undefined]) {
      expect(await allows(ADA, "/elsewhere", uid), String(uid)).toBe(false);
    }
    const named = (user: string): Owner => ({ id: "u", sub: "u", user, isLocal: true });
    expect(await allows(named("daemon"), "/elsewhere", 999)).toBe(false);
    expect(await allows(named("nobody"), "/elsewhere", 65_534)).toBe(false);
    expect(await allows(named("wide"), "/elsewhere", 4_294_967_294)).toBe(false);
    expect(await allows(named("eve"), "/elsewhere")).toBe(false);
  });

  it("refuses data that are reserved for another user, with or without such an account", async () => {
    const isReserved = (owner: Owner, path: string) => rule.isReservedForOther(owner, path);
    expect(await isReserved(ADA, `${real}/bob/data/public/x`)).toBe(true);
    expect(await isReserved(ADA, `${root}/outside/17/x`)).toBe(true);
    expect(await isReserved(ADA, `${real}/ada/data/public/x`)).toBe(false);
    expect(await isReserved(OUTSIDE, `${real}/ada/data/public/x`)).toBe(true);
    const none = new RegistrationRule(
      { local: [`${root}/home/{user}`], outside: [] },
      machineLookups(),
    );
    expect(await none.isReservedForOther(ADA, `${root}/elsewhere/x`)).toBe(false);
    expect(await none.isReservedForOther(ADA, `${real}/bob`)).toBe(false);
  });
});

describe("the accounts of the machine", () => {
  it("have a user id, by their name and nothing else", async () => {
    const { uidOf } = machineLookups();
    const [name = "", , uid] = execFileSync("getent", ["passwd", String(process.getuid?.())], {
      encoding: "utf8",
    }).split(":");
    expect(await uidOf(name)).toBe(Number(uid));
    for (const none of ["no-such-account", "", String(uid), `${name}:`, "--", "-s"]) {
      expect(await uidOf(none), none).toBeUndefined();
    }
  });

  it("are known without getent, too", async () => {
    const { PATH } = process.env;
    process.env.PATH = "/nonexistent";
    try {
      const { uidOf } = machineLookups();
      expect(await uidOf("daemon")).toBe(1);
      expect(await uidOf("daemo")).toBeUndefined();
      expect(await uidOf("no-such-account")).toBeUndefined();
    } finally {
      process.env.PATH = PATH;
    }
  });

  it("are looked up once in a while, and otherwise cached", async () => {
    const machine = machineLookups();
    expect(machine.uidOf("daemon")).toBe(machine.uidOf("daemon"));
    expect(machine.uidOf("daemon")).not.toBe(machine.uidOf("bin"));
    expect(machine.realPath("/")).toBe(machine.realPath("/"));
    expect(await machine.realPath("/no/such/folder")).toBe("/no/such/folder");
  });
});
