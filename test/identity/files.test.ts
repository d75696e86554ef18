/** Users, clients and keys as files of a data folder, and what makes such files unusable. */
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fileAccounts, keyFolder, openAccounts } from "../../src/identity/accounts/accounts.js";
import { Clients, DEFAULT_CLIENT } from "../../src/identity/accounts/clients.js";
import { UnusableFile } from "../../src/identity/accounts/file-records.js";
import {
  AccountError,
  checkName,
  checkPassword,
  Users,
} from "../../src/identity/accounts/users.js";
import { InvalidClient } from "../../src/identity/errors.js";
import { KeyFolder } from "../../src/identity/keys/key-folder.js";
import {
  isKeyId,
  makeKey,
  outdated,
  signingKey,
  verifyingKey,
} from "../../src/identity/keys/keys.js";
import { Sealer } from "../../src/identity/keys/sealing.js";
import { findSealer, isStateKey, UnusableStateKey } from "../../src/identity/keys/state-key.js";
import type { StateCopy } from "../../src/index/state/state-copy.js";
import { freshFolder } from "../support/run/folders.js";

let folder: string;
let told: string[];
const tell = (line: string): void => void told.push(line);
beforeEach(async () => {
  folder = freshFolder();
  told = [];
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const json = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));

describe("users", () => {
  it("are added, changed and removed by name, and others on the folder see it at once", async () => {
    const [users, others] = [new Users(folder, tell), new Users(folder, tell)];
    expect(await users.list()).toEqual([]);
    const before = Date.now();
    const ada = await users.add("ada", "ada@example.org", "hash");
    expect(ada).toMatchObject({ name: "ada", email: "ada@example.org", password: "hash" });
    expect(ada).toMatchObject({ disabled: false });
    expect(ada).not.toHaveProperty("administrator");
    expect(ada.passwordSet).toBeGreaterThanOrEqual(before);
    const bob = await users.add("bob", "", "hash", true);
    const cid = await users.add("cid", "", "hash");
    expect(bob.administrator).toBe(true);
    expect(new Set([ada.sub, bob.sub, cid.sub]).size).toBe(3);
    expect(await others.list()).toEqual([ada, bob, cid]);
    expect(await others.byName("bob")).toEqual(bob);
    expect(await others.current("bob")).toEqual(bob);
    expect(await others.byName("Bob")).toBeUndefined();

    await others.disable("bob");
    expect(await users.byName("bob")).toEqual({ ...bob, disabled: true });
    await users.setPassword("bob", "new");
    const changed = await others.byName("bob");
    expect(changed).toMatchObject({ sub: bob.sub, password: "new", disabled: false });
    expect(changed?.passwordSet).toBeGreaterThanOrEqual(bob.passwordSet);
    await users.setAdministrator("bob", false);
    expect(await others.byName("bob")).not.toHaveProperty("administrator");
    await users.setAdministrator("ada", true);
    expect(await others.byName("ada")).toEqual({ ...ada, administrator: true });
    expect((await users.list()).map(({ name }) => name)).toEqual(["ada", "bob", "cid"]);
    await users.remove("bob");
    expect((await others.list()).map(({ name }) => name)).toEqual(["ada", "cid"]);
    expect(await modeOf(join(folder, "users.json"))).toBe(0o600);
    expect((await json("users.json")).users).toHaveLength(2);
  });

  it("are identified by their id, whatever name comes with it", async () => {
    const users = new Users(folder, tell);
    const ada = await users.add("ada", "", "hash");
    const bob = await users.add("bob", "", "hash");
    expect(await users.bySub(ada.sub)).toEqual(ada);
    expect(await users.bySub(ada.sub, "ada")).toEqual(ada);
    expect(await users.bySub(ada.sub, "bob")).toEqual(ada);
    expect(await users.bySub(ada.sub, "nobody")).toEqual(ada);
    expect(await users.bySub("another", "bob")).toBeUndefined();
    await users.remove("bob");
    const again = await users.add("bob", "", "hash");
    expect(await users.bySub(bob.sub, "bob")).toBeUndefined();
    expect(again.sub).not.toBe(bob.sub);
  });

  it("are not changed if that makes no sense", async () => {
    const users = new Users(folder, tell);
    await users.add("ada", "", "hash");
    await expect(users.add("ada", "", "hash")).rejects.toThrow("A user ada exists already.");
    for (const change of [
      () => users.setPassword("eve", "x"),
      () => users.setAdministrator("eve", true),
      () => users.disable("eve"),
      () => users.remove("eve"),
    ]) {
      await expect(change()).rejects.toThrow(AccountError);
    }
    await expect(users.remove("eve")).rejects.toThrow("There is no user eve.");
    for (const email of ["x", "@", "a@", "@b", "a b@c", "a@b c", "a@b@c", "a@b,c", "<a@b>"]) {
      await expect(users.add("bob", email, "x"), email).rejects.toThrow(
        `${email} is not an e-mail`,
      );
    }
    expect(await users.list()).toHaveLength(1);
  });

  it("have names and passwords within bounds", () => {
    for (const name of ["a", "9", "Ä", "a.b_c@d+e-f", "日本", "a".repeat(64)]) checkName(name);
    for (const name of ["", ".a", "-a", "_a", "@a", "a b", "a/b", "a\n", "a".repeat(65), "a:b"]) {
      expect(() => checkName(name), name).toThrow(AccountError);
      expect(() => checkName(name)).toThrow(/at most 64 letters/);
    }
    for (const password of ["x", "x".repeat(1024)]) checkPassword(password);
    expect(() => checkPassword("")).toThrow("The password is empty.");
    expect(() => checkPassword("x".repeat(1025))).toThrow(
      "The password is longer than 1024 characters.",
    );
  });
});

describe("a file of users", () => {
  const write = (content: unknown) =>
    writeFile(
      join(folder, "users.json"),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  const user = { name: "ada", sub: "1", email: "", password: "h", passwordSet: 1, disabled: false };

  it("is read again after another program changed it, and has no users when it is removed", async () => {
    const users = new Users(folder, tell);
    await write({ users: [user] });
    expect(await users.list()).toEqual([user]);
    expect(await users.list()).toBe(await users.list());
    await write({ users: [{ ...user, name: "eva" }] });
    expect(await users.byName("eva")).toMatchObject({ sub: "1" });
    await rm(join(folder, "users.json"));
    expect(await users.list()).toEqual([]);
  });

  it("keeps and names its invalid users, and lets none of them in", async () => {
    const broken = [
      { ...user, name: "eve", password: "SECRET", disabled: "no" },
      7,
      null,
      { sub: "x" },
      { ...user, a: 1 },
    ];
    await write({ users: [user, ...broken] });
    const users = new Users(folder, tell);
    expect(await users.list()).toEqual([user]);
    expect(told).toHaveLength(5);
    expect(told[0]).toContain(`users.json: users[1] ("eve") is ignored: disabled: `);
    expect(told[1]).toMatch(/users\[2\] is ignored: /);
    expect(told[2]).toMatch(/users\[3\] is ignored: /);
    expect(told[3]).toMatch(/users\[4\] is ignored: .*; /);
    expect(told.join()).not.toContain("SECRET");
    await users.add("bob", "", "h");
    expect((await json("users.json")).users.slice(2)).toEqual(broken);
    await users.remove("ada");
    expect(await users.list()).toMatchObject([{ name: "bob" }]);
  });

  it.each(["", "{", "[]", "null", "7", '{"users":{}}', '{"clients":[]}', '{"secret": oops'])(
    "is empty with %j, and nothing of it is shown",
    async (text) => {
      await write(text);
      const reading = new Users(folder, tell).list();
      await expect(reading).rejects.toThrow(UnusableFile);
      await expect(reading).rejects.toThrow(
        /users.json must contain a JSON object with a list under "users".$/,
      );
      await expect(new Users(folder, tell).add("x", "", "h")).rejects.toThrow(UnusableFile);
    },
  );

  it("is an error if it cannot be read, not an empty file", async () => {
    await mkdir(join(folder, "users.json"));
    await expect(new Users(folder, tell).list()).rejects.toThrow(/EISDIR/);
    await writeFile(join(folder, "file"), "");
    await expect(new Users(join(folder, "file"), tell).list()).rejects.toThrow(/ENOTDIR/);
  });
});

describe("clients", () => {
  const basic = false;

  it("show their secret, if they have one", async () => {
    const clients = new Clients(folder, tell);
    const secret = (await clients.add("app", true)) ?? "";
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await clients.add("open", false)).toBeUndefined();
    expect(await clients.authenticate({ id: "app", secret, basic })).toEqual({
      id: "app",
      confidential: true,
    });
    const open = { id: "open", confidential: false };
    expect(await clients.authenticate({ id: "open", basic })).toEqual(open);
    for (const wrong of [`${secret}x`, "", undefined]) {
      await expect(clients.authenticate({ id: "app", secret: wrong, basic })).rejects.toThrow(
        InvalidClient,
      );
    }
    await expect(clients.authenticate({ id: "open", secret: "x", basic })).rejects.toThrow();
    await expect(clients.authenticate({ id: "other", basic })).rejects.toThrow(InvalidClient);
    const file = await readFile(join(folder, "clients.json"), "utf8");
    expect(file).not.toContain(secret);
    expect((await clients.list()).map(({ id }) => id)).toEqual(["app", "open"]);
    expect(await clients.add("app", true)).not.toBe(secret);
    await expect(clients.authenticate({ id: "app", secret, basic })).rejects.toThrow();
    expect(await clients.remove("app")).toBe(true);
    expect(await clients.remove("app")).toBe(false);
    await expect(clients.authenticate({ id: "app", secret, basic })).rejects.toThrow();
  });

  it("include the default one if nothing is configured, unless it has a secret", async () => {
    const clients = new Clients(folder, tell);
    const known = { id: DEFAULT_CLIENT, confidential: false };
    for (const id of [undefined, "", DEFAULT_CLIENT]) {
      expect(await clients.authenticate({ id, basic })).toEqual(known);
      await expect(clients.authenticate({ id, secret: "x", basic })).rejects.toThrow(InvalidClient);
    }
    const secret = await clients.add(DEFAULT_CLIENT, true);
    await expect(clients.authenticate({ basic })).rejects.toThrow(InvalidClient);
    expect(await clients.authenticate({ secret, basic })).toEqual({ ...known, confidential: true });
  });

  it("are refused in the scheme that they used", async () => {
    const clients = new Clients(folder, tell);
    await clients.add("app", true);
    const refusal = (id: string, isBasic: boolean) =>
      clients.authenticate({ id, secret: "x", basic: isBasic }).catch((error: unknown) => error);
    for (const id of ["app", "other"]) {
      expect(await refusal(id, true)).toMatchObject({ scheme: "Basic" });
      expect(await refusal(id, false)).toMatchObject({ scheme: "Bearer" });
    }
  });

  it("have an id and a hash in a file, or are left out", async () => {
    const hash = `sha256:${"0".repeat(64)}`;
    const broken = [{ id: "" }, { id: "a", secret: "plain" }, { id: "b", secret: `x${hash}` }];
    const more = [{ id: "c", secret: `${hash}0` }, { id: "x".repeat(257) }];
    const clients = [{ id: "x".repeat(256) }, { id: "d", secret: hash }];
    const text = JSON.stringify({ clients: [...clients, ...broken, ...more] });
    await writeFile(join(folder, "clients.json"), text);
    expect(await new Clients(folder, tell).list()).toEqual(clients);
    expect(told[0]).toContain("clients[2]");
    expect(told.join()).not.toContain("plain");
  });
});

describe("accounts of a data folder", () => {
  it("get a first user once", async () => {
    const accounts = openAccounts({} as StateCopy, folder, undefined, {
      progress: tell,
      report: tell,
    });
    expect(await accounts.claimFirstUser()).toBe(true);
    await accounts.users.add("ada", "", "hash");
    expect(await accounts.claimFirstUser()).toBe(false);
    await accounts.clients.add("app", false);
    await accounts.keys.open();
    expect((await readdir(folder)).sort()).toEqual(["clients.json", "keys", "users.json"]);
    expect(keyFolder(folder)).toBe(join(folder, "keys"));
    await writeFile(join(folder, "users.json"), '{"users":[1]}');
    await writeFile(join(folder, "clients.json"), '{"clients":[1]}');
    const again = fileAccounts(folder, tell);
    await Promise.all([again.users.list(), again.clients.list()]);
    expect(told).toHaveLength(2);
  });
});

describe("keys of a folder", () => {
  it("are one at first, for their owner alone, and more are added and pruned by age", async () => {
    const keys = new KeyFolder(join(folder, "keys"), tell);
    await keys.open();
    const [first] = await keys.known();
    await keys.open();
    expect(await keys.cached()).toEqual([first]);
    expect(await modeOf(join(folder, "keys"))).toBe(0o700);
    expect(await modeOf(join(folder, "keys", `${first?.kid}.json`))).toBe(0o600);
    const now = Date.now();
    const MONTH = 30 * 24 * 3600 * 1000;
    const second = await keys.add(now + 10);
    const third = await keys.add(now + 20);
    expect((await keys.refresh()).map(({ kid }) => kid)).toEqual([third, second, first?.kid]);
    expect(await keys.known()).toBe(await keys.known());
    expect((await keys.known()).map(({ kid, created }) => [kid, created])).toEqual([
      [third, now + 20],
      [second, now + 10],
      [first?.kid, first?.created],
    ]);
    await keys.prune(now + 10 + MONTH);
    expect(await keys.known()).toHaveLength(3);
    await keys.prune(now + 11 + MONTH);
    expect((await keys.known()).map(({ kid }) => kid)).toEqual([third, second]);
    const others = new KeyFolder(join(folder, "keys"), tell);
    expect((await others.known()).map(({ kid }) => kid)).toEqual([third, second]);
    await rm(join(folder, "keys", `${second}.json`));
    expect((await others.known()).map(({ kid }) => kid)).toEqual([third]);
    expect(told).toEqual([]);
  });

  it("have the same order for all if they were made at the same moment", async () => {
    const keys = new KeyFolder(join(folder, "keys"), tell);
    await Promise.all(Array.from({ length: 5 }, () => keys.add(7)));
    const kids = (await keys.known()).map(({ kid }) => kid);
    expect(kids).toEqual([...kids].sort((a, b) => (a < b ? -1 : 1)));
  });

  it("are left out and reported once if they are invalid or cannot be read, without their content", async () => {
    const keys = new KeyFolder(join(folder, "keys"), tell);
    await keys.open();
    const name = (letter: string) => join(folder, "keys", `${letter.repeat(43)}.json`);
    await writeFile(name("a"), '{"secret": oops');
    const [{ kid } = { kid: "" }] = await keys.known();
    await writeFile(name("b"), await readFile(join(folder, "keys", `${kid}.json`)));
    await writeFile(name("c"), JSON.stringify({ created: "1", key: {} }));
    for (const other of ["x.json", `${"d".repeat(43)}.txt`, `${"d".repeat(43)}`]) {
      await writeFile(join(folder, "keys", other), "{}");
    }
    await mkdir(name("e"));
    expect((await keys.known()).map((key) => key.kid)).toEqual([kid]);
    expect(await keys.known()).toHaveLength(1);
    expect(told.sort()).toEqual([
      `${name("a")} is not a valid key and is ignored: it is not JSON.`,
      `${name("b")} is not a valid key and is ignored: its content does not match its name.`,
      `${name("c")} is not a valid key and is ignored: its content does not match its name.`,
      `${name("e")} cannot be read and is ignored (is a folder).`,
    ]);
  });
});

describe("a key", () => {
  it("belongs to its id, and has a moment", async () => {
    const { kid, key } = await makeKey();
    expect(isKeyId(kid)).toBe(true);
    for (const none of [`${kid}x`, kid.slice(1), `x${kid}`, `${kid.slice(1)}/`, ""]) {
      expect(isKeyId(none), none).toBe(false);
    }
    const made = await signingKey(kid, 5, key);
    expect(made.jwk).toEqual({
      kty: "EC",
      crv: "P-256",
      use: "sig",
      alg: "ES256",
      kid,
      x: key.x,
      y: key.y,
    });
    expect([made.privateKey.type, made.publicKey.type, made.created]).toEqual([
      "private",
      "public",
      5,
    ]);
    const { kid: other } = await makeKey();
    const refusal = "the key does not match its id";
    await expect(verifyingKey(other, 5, key)).rejects.toThrow(refusal);
    await expect(verifyingKey(kid, "5" as never, key)).rejects.toThrow(refusal);
    await expect(verifyingKey(kid, 5, {})).rejects.toThrow();
  });

  it("expires a month after it was replaced", () => {
    const MONTH = 30 * 24 * 3600 * 1000;
    const keys = [300, 200, 100].map((created) => ({ created }));
    expect(outdated(keys, 200 + MONTH)).toEqual([]);
    expect(outdated(keys, 201 + MONTH)).toEqual([{ created: 100 }]);
    expect(outdated(keys, 301 + MONTH)).toEqual([{ created: 200 }, { created: 100 }]);
    expect(outdated(keys, 10 * MONTH)).not.toContainEqual({ created: 300 });
  });
});

describe("a sealed text", () => {
  const bytes = (n: number) => new Uint8Array(32).fill(n);

  it("is opened by any of the keys, under its own id, and nothing else", async () => {
    const [old, both, other] = [
      new Sealer([bytes(1)]),
      new Sealer([bytes(2), bytes(1)]),
      new Sealer([bytes(3)]),
    ];
    const sealed = await old.seal("a", { kty: "EC", d: "secret" });
    expect(sealed).not.toContain("secret");
    for (const sealer of [old, both]) {
      expect(await sealer.open("a", sealed)).toEqual({ kty: "EC", d: "secret" });
    }
    expect(await other.open("a", sealed)).toBeUndefined();
    expect(await old.open("b", sealed)).toBeUndefined();
    expect(await old.open("a", `${sealed}A`)).toBeUndefined();
    expect(await old.isCurrent("a", sealed)).toBe(true);
    expect(await both.isCurrent("a", sealed)).toBe(false);
    expect(await both.isCurrent("a", await both.seal("a", { kty: "EC" }))).toBe(true);
  });
});

describe("the key that seals", () => {
  const key = (n: number) => Buffer.alloc(32, n).toString("base64url");
  const opens = async (one: { sealer: Sealer }, other: { sealer: Sealer }) =>
    (await one.sealer.open("a", await other.sealer.seal("a", { kty: "EC" }))) !== undefined;

  it("is 32 bytes in base64url or base64, or several", () => {
    expect(isStateKey(key(1))).toBe(true);
    expect(isStateKey(` ${key(1)}=\n${key(255)} `)).toBe(true);
    expect(isStateKey(Buffer.alloc(32, 255).toString("base64"))).toBe(true);
    for (const none of [
      "",
      "x",
      key(1).slice(1),
      `${key(1)}A`,
      `${key(1)} x`,
      `${key(1)}==`,
      `!${key(1)}`,
    ]) {
      expect(isStateKey(none), none).toBe(false);
    }
  });

  it("is a setting, or in a file, of which the first seals and all open", async () => {
    const said = await findSealer({ text: `${key(1)}  ${key(2)}` }, folder, false, tell);
    const [one, two] = await Promise.all(
      [1, 2].map((n) => findSealer({ text: key(n) }, folder, false, tell)),
    );
    if (one === undefined || two === undefined) throw new Error("two keys were said");
    expect([await opens(one, said), await opens(two, said)]).toEqual([true, false]);
    expect([await opens(said, one), await opens(said, two)]).toEqual([true, true]);
    const file = join(folder, "key");
    await writeFile(file, `\n${key(2)}\n`, { mode: 0o640 });
    expect(await opens(await findSealer({ file }, folder, false, tell), two)).toBe(true);
    expect(await opens(two, await findSealer({ file }, folder, false, tell))).toBe(true);
    expect(told).toEqual([]);
    await chmod(file, 0o644);
    await findSealer({ file }, folder, false, tell);
    expect(told).toEqual([expect.stringMatching(/is readable by everybody/)]);
    await said.discard?.();
    expect((await readdir(folder)).sort()).toEqual(["key"]);
    await writeFile(file, "secret");
    const unusable = findSealer({ file }, folder, false, tell);
    await expect(unusable).rejects.toThrow(UnusableStateKey);
    await expect(unusable).rejects.toThrow(
      "The file that STATE_KEY names must contain keys of 32 bytes",
    );
    await expect(findSealer({ file: `${file}x` }, folder, false, tell)).rejects.toThrow(
      "The file that STATE_KEY names cannot be read (does not exist).",
    );
  });

  it("is made if nothing is sealed yet, once, for its owner alone", async () => {
    const [made, same] = await Promise.all([1, 2].map(() => findSealer({}, folder, true, tell)));
    if (made === undefined || same === undefined) throw new Error("two were asked for");
    expect(await opens(made, same)).toBe(true);
    expect(await modeOf(join(folder, "state.key"))).toBe(0o600);
    expect(told).toEqual([expect.stringMatching(/^Created .*state\.key,/)]);
    await Promise.all([made.discard?.(), same.discard?.()]);
    expect(await readdir(folder)).toEqual(["accounts.lock"]);
    await expect(findSealer({}, folder, false, tell)).rejects.toThrow(/no state key is set/);
    expect(await readdir(folder, { recursive: true })).toEqual(["accounts.lock"]);
  });
});
