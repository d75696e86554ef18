/** The keys of several instances on one folder, through rotations. */
import { cp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InvalidToken } from "../../src/identity/errors.js";
import { KeyFolder } from "../../src/identity/keys/key-folder.js";
import { KeyRing } from "../../src/identity/keys/keys.js";
import { AccessTokens } from "../../src/identity/tokens/access-token.js";
import { freshFolder } from "../support/run/folders.js";

const ISSUER = "https://data.example.org";
const LIFETIME = 600;
const content = { issuer: ISSUER, sub: "x", username: "x", email: "", clientId: "x", scope: "" };

let folder: string;
beforeEach(async () => {
  folder = join(freshFolder(), "keys");
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

describe("a rotation", () => {
  it("is known to an instance as soon as it receives a token of the new key", async () => {
    const one = new AccessTokens(await KeyRing.open(new KeyFolder(folder), LIFETIME), LIFETIME);
    const two = new AccessTokens(await KeyRing.open(new KeyFolder(folder), LIFETIME), LIFETIME);
    const before = await one.issue(content);
    for (let i = 0; i < 3; i += 1) {
      await new KeyFolder(folder).add();
      const after = await one.issue(content);
      await two.verify(after.token, ISSUER);
      await two.verify(before.token, ISSUER);
    }
  });

  it("ends the earlier key also for an instance that issues no tokens", async () => {
    const start = Date.now();
    let passed = 0;
    const store = new KeyFolder(folder, undefined, () => passed);
    const tokens = new AccessTokens(
      await KeyRing.open(store, LIFETIME),
      LIFETIME,
      () => start + passed,
    );
    const stolen = `${folder}-stolen`;
    await cp(folder, stolen, { recursive: true });
    const thief = new AccessTokens(
      await KeyRing.open(new KeyFolder(stolen), LIFETIME),
      LIFETIME,
      () => start + passed,
    );
    await tokens.verify((await thief.issue(content)).token, ISSUER);
    // Later than the first key in any case: of two keys of the same millisecond, either may sign.
    await new KeyFolder(folder).add(start + 1000);
    passed = (LIFETIME + 120) * 1000;
    const { token } = await thief.issue(content);
    await expect(tokens.verify(token, ISSUER)).rejects.toBeInstanceOf(InvalidToken);
    const own = await tokens.issue(content);
    await rm(folder, { recursive: true });
    passed += 60_000;
    await tokens.verify(own.token, ISSUER);
  });

  it("makes the key that signs, also if the clock was ahead before", async () => {
    const start = Date.now();
    await new KeyFolder(folder).add(start + 24 * 3600 * 1000);
    const kid = await new KeyFolder(folder).add(start);
    const ring = await KeyRing.open(new KeyFolder(folder), LIFETIME);
    expect((await ring.signing()).kid).toBe(kid);
  });
});

describe("a first start", () => {
  it("ends with keys that all instances know", async () => {
    const rings = await Promise.all(
      [1, 2, 3].map(() => KeyRing.open(new KeyFolder(folder), LIFETIME)),
    );
    const all = rings.map((ring) => new AccessTokens(ring, LIFETIME));
    for (const one of all) {
      const { token } = await one.issue(content);
      for (const other of all) await other.verify(token, ISSUER);
    }
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });
});
