/** What is decided of lists that no file system of this machine has, and of accounts. */
import { describe, expect, it } from "vitest";
import { nfs4List, PASS, posixList, READ } from "../../../src/files/rights/acl.js";
import { type Account, permits, UNKNOWN_ACCOUNT } from "../../../src/files/rights/decide.js";
import { Accounts, type Directory } from "../../../src/files/rights/file-user.js";
import type { Node } from "../../../src/files/rights/path-nodes.js";

const node = (acl: string): Node => ({
  id: "1:1",
  changed: "1",
  mode: 0o100777,
  uid: 2001,
  gid: 3001,
  kind: "nfs4",
  acl,
});
const ada: Account = { uid: 2001, gids: new Set([3001]), name: "ada" };
const bob: Account = { uid: 2002, gids: new Set([3002, 3003]), name: "bob" };
const eve: Account = { uid: 2003, gids: new Set([3001]), name: "eve" };

describe("an NFSv4 list (RFC 8881, 6.2.1)", () => {
  it.each([
    ["A::OWNER@:rwx\nA::EVERYONE@:x", [true, false, false, false]],
    // The first entry that speaks of a right and of who asks decides.
    ["D::2002:r\nA::EVERYONE@:rx", [true, false, true, true]],
    ["A::EVERYONE@:rx\nD::2002:r", [true, true, true, true]],
    ["A:g:GROUP@:r", [true, false, true, false]],
    ["A:g:3003:rtncy", [false, true, false, false]],
    ["D:g:GROUP@:r\nA::OWNER@:r\nA::EVERYONE@:r", [false, true, false, true]],
    // Handed down only, audit, alarm: they decide nothing here.
    ["A:fdi:EVERYONE@:r\nU::EVERYONE@:r\nL:S:EVERYONE@:r", [false, false, false, false]],
    // A name gives no right, as its domain may be another, but takes away those of whom it may mean.
    ["A::bob@example.org:r", [false, false, false, false]],
    ["D::bob@example.org:r\nA::EVERYONE@:r", [true, false, true, false]],
    ["D:g:students@example.org:r\nA::EVERYONE@:r", [false, false, false, false]],
    ["A::OWNER@:R", [true, false, false, false]],
    ["", [false, false, false, false]],
  ])("allows or denies reading: %j", (acl, expected) => {
    const asked = [ada, bob, eve, UNKNOWN_ACCOUNT];
    expect(asked.map((who) => permits(node(acl), who, READ))).toEqual(expected);
  });

  it("may grant two rights in two rows", () => {
    expect(permits(node("A::2002:r\nA:g:3003:x"), bob, READ | PASS)).toBe(true);
    expect(permits(node("A::2002:r\nD:g:3003:x\nA::EVERYONE@:x"), bob, READ | PASS)).toBe(false);
  });
});

describe("an invalid access list", () => {
  it.each(["user::rwx\nfriend::r--\nother::r--", "user::rwz", "", "user:ada:rwx"])(
    "denies everybody: %j",
    (text) => {
      expect(posixList(text)).toBeUndefined();
      for (const who of [bob, eve, UNKNOWN_ACCOUNT]) {
        expect(permits({ ...node(text), kind: "posix" }, who, READ)).toBe(false);
      }
    },
  );
  it.each(["A::OWNER@", "X::OWNER@:r", "A:q q:OWNER@:r"])(
    "denies everybody as NFSv4: %j",
    (text) => {
      expect(nfs4List(text)).toBeUndefined();
      for (const who of [ada, bob, UNKNOWN_ACCOUNT])
        expect(permits(node(text), who, READ)).toBe(false);
    },
  );
  it("denies everybody on a file system whose lists cannot be read", () => {
    for (const who of [ada, bob, UNKNOWN_ACCOUNT]) {
      expect(permits({ ...node(""), kind: "closed" }, who, READ)).toBe(false);
    }
  });
});

describe("an account", () => {
  const directory = (uid: number): Directory => ({
    accountNamed: async (name) => ({ name, uid, gid: 5 }),
    accountOf: async () => undefined,
    groupsOf: async () => [5, 6],
  });
  const whoIs = (uid: number) =>
    new Accounts(directory(uid), 1000).whoIs({ id: "a", sub: "a", user: "a", isLocal: true });

  it("is the machine's of the same name if that is a person's", async () => {
    expect(await whoIs(1000)).toEqual({ uid: 1000, gids: new Set([5, 6]), name: "a" });
    for (const uid of [0, 1, 999, 65_534, 4_294_967_294, 4_294_967_295, Number.NaN]) {
      expect(await whoIs(uid), String(uid)).toBe(UNKNOWN_ACCOUNT);
    }
  });

  it("is one of the others if the directory fails", async () => {
    const failing = { ...directory(1000), groupsOf: () => Promise.reject(new Error("away")) };
    const accounts = new Accounts(failing, 1000);
    expect(await accounts.whoIs({ id: "a", sub: "a", user: "a", isLocal: true })).toBe(
      UNKNOWN_ACCOUNT,
    );
  });
});
