/** Access tokens, rule by rule: each token here is signed with the service's own key, and wrong in one thing alone. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { Users } from "../../src/identity/accounts/users.js";
import { IdentityUnavailable, InvalidToken } from "../../src/identity/errors.js";
import { KeyFolder } from "../../src/identity/keys/key-folder.js";
import { KeyRing } from "../../src/identity/keys/keys.js";
import { OutsideIssuer } from "../../src/identity/outside/outside-issuer.js";
import { isAdministrator } from "../../src/identity/principal.js";
import { AccessTokens, isCanonical, rejected } from "../../src/identity/tokens/access-token.js";
import { Bearer, ifValid } from "../../src/identity/tokens/bearer.js";
import type { RevocationList } from "../../src/identity/tokens/revocation-list.js";
import { freshFolder } from "../support/run/folders.js";

const ISSUER = "https://data.example.org/api";
const LIFETIME = 600;
const CONTENT = {
  issuer: ISSUER,
  sub: "uuid",
  username: "ada",
  email: "ada@example.org",
  clientId: "app",
  scope: "profile",
};
const PRINCIPAL = { ...CONTENT, expires: expect.any(Number), issuedAt: expect.any(Number) };

const folder = freshFolder();
let keys: KeyRing;
let now = Date.now();
const tokens = () => new AccessTokens(keys, LIFETIME, () => now);
beforeAll(async () => {
  keys = await KeyRing.open(new KeyFolder(join(folder, "keys")), LIFETIME);
});

const seconds = () => Math.floor(now / 1000);
/** A token of this service's key with all that it needs, but for what is said. */
async function signed(claims: JWTPayload = {}, header: object = {}): Promise<string> {
  const { kid, privateKey } = await keys.signing();
  const payload = {
    iss: ISSUER,
    aud: ISSUER,
    sub: "uuid",
    jti: "1",
    client_id: "app",
    iat: seconds(),
    exp: seconds() + LIFETIME,
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header })
    .sign(privateKey);
}
const verified = async (token: string, issuer = ISSUER) => tokens().verify(token, issuer);
const NOT_VALID = "The access token is not valid.";
const EXPIRED = "The access token has expired.";

describe("an access token", () => {
  it("names its subject, client and end, and no two are the same", async () => {
    const all = tokens();
    const { token, expires } = await all.issue(CONTENT);
    expect(expires).toBe(seconds() + LIFETIME);
    const { kid } = await keys.signing();
    expect(decodeProtectedHeader(token)).toEqual({ typ: "at+jwt", alg: "ES256", kid });
    expect(decodeJwt(token)).toEqual({
      iss: ISSUER,
      aud: ISSUER,
      sub: "uuid",
      client_id: "app",
      scope: "profile",
      email: "ada@example.org",
      preferred_username: "ada",
      jti: expect.any(String),
      iat: seconds(),
      nbf: seconds() - 30,
      exp: expires,
    });
    const { token: other } = await all.issue(CONTENT);
    expect(decodeJwt(other).jti).not.toBe(decodeJwt(token).jti);
    const found = await verified(token);
    expect(found).toEqual({
      principal: { ...PRINCIPAL, expires, issuedAt: seconds() },
      jti: decodeJwt(token).jti,
      kid,
    });
    expect((await verified(await signed({ email: 7 as never }))).principal).toMatchObject({
      email: "",
      username: "",
      scope: "",
    });
  });

  it("is verified once, and then cached, for its own issuer and time alone", async () => {
    const all = tokens();
    const { token, expires } = await all.issue(CONTENT);
    const first = await all.verify(token, ISSUER);
    expect(await all.verify(token, ISSUER)).toBe(first);
    await expect(all.verify(token, "https://other")).rejects.toThrow(NOT_VALID);
    const before = now;
    now = expires * 1000 - 1;
    expect(await all.verify(token, ISSUER)).toBe(first);
    now = expires * 1000;
    await expect(all.verify(token, ISSUER)).rejects.toThrow(EXPIRED);
    await expect(verified(token)).rejects.toThrow(EXPIRED);
    now = before;
  });

  it.each([
    ["another issuer", { iss: "https://other" }, {}],
    ["another audience", { aud: "https://other" }, {}],
    ["no audience", { aud: undefined as never }, {}],
    ["no holder", { sub: undefined as never }, {}],
    ["no number", { jti: undefined as never }, {}],
    ["no client", { client_id: undefined }, {}],
    ["no issue", { iat: undefined as never }, {}],
    ["no end", { exp: undefined as never }, {}],
    ["an end years away", { exp: seconds() + 1e9 }, {}],
    ["an end that is no number", { exp: "2999-01-01" as never }, {}],
    ["an end beyond all numbers", { exp: Number.MAX_VALUE }, {}],
    ["an issue long ago", { iat: seconds() - 1e6, exp: seconds() + 100 }, {}],
    ["an issue in the far future", { iat: seconds() + 1e9, exp: seconds() + 1e9 + 1 }, {}],
    ["an issue that is no number", { iat: "now" as never }, {}],
    ["a time to come", { nbf: 4_000_000_000 }, {}],
    ["another type", {}, { typ: "JWT" }],
    ["another kind", {}, { typ: "share+jwt" }],
    ["no type", {}, { typ: undefined }],
    ["no key", {}, { kid: undefined }],
    ["another key", {}, { kid: "x".repeat(43) }],
    ["a key that is no text", {}, { kid: 7 }],
  ])("is refused with %s", async (_, claims, header) => {
    const refusal = verified(await signed(claims, header));
    await expect(refusal).rejects.toThrow(InvalidToken);
    await expect(refusal).rejects.toThrow(NOT_VALID);
  });

  it("lives no longer than its kind, and was issued no later than the clocks' difference", async () => {
    await verified(await signed());
    await expect(verified(await signed({ exp: seconds() + LIFETIME + 1 }))).rejects.toThrow(
      NOT_VALID,
    );
    now = seconds() * 1000;
    const late = (by: number) => signed({ iat: seconds() + by, exp: seconds() + LIFETIME });
    await verified(await late(30));
    await expect(verified(await late(31))).rejects.toThrow(NOT_VALID);
  });

  it("is written in one form, in three parts", async () => {
    const { token } = await tokens().issue(CONTENT);
    expect(isCanonical(token)).toBe(true);
    const [head = "", payload = "", signature = ""] = token.split(".");
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = letters.indexOf(signature.at(-1) ?? "");
    const same = `${head}.${payload}.${signature.slice(0, -1)}${letters[last ^ 1]}`;
    for (const other of [same, `${token}=`, `${token}.`, `${head}.${payload}`, "", "..", "x"]) {
      await expect(verified(other), other).rejects.toThrow(NOT_VALID);
    }
    expect(isCanonical(same)).toBe(false);
    expect(isCanonical(`${token}.x`)).toBe(false);
    expect(isCanonical(`${token}=`)).toBe(false);
  });

  it("reveals only that it has expired, and no other reason, if it is refused", () => {
    const cause = new errors.JWTExpired("x", {});
    expect(rejected(cause)).toMatchObject({ message: EXPIRED, cause });
    for (const other of [new errors.JWTInvalid("x"), new TypeError("x")]) {
      expect(rejected(other)).toMatchObject({ message: NOT_VALID, cause: other });
    }
    const inside = new RangeError("x");
    expect(rejected(inside)).toBe(inside);
    expect(rejected("x")).toMatchObject({ message: "x" });
    expect(rejected("x")).not.toBeInstanceOf(InvalidToken);
  });
});

describe("a header", () => {
  const revoked = new Set<string>();
  const scriptTokens = { verify: () => Promise.reject(new InvalidToken("no token for scripts")) };
  const bearer = () =>
    new Bearer({
      accessTokens: tokens(),
      outside: undefined,
      scriptTokens,
      revoked: revoked as unknown as RevocationList,
    });
  const principal = (header: string | undefined) => bearer().principal(header, ISSUER);

  it("contains a token behind the word Bearer, in any case, and spaces", async () => {
    const { token } = await tokens().issue(CONTENT);
    for (const word of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
      expect(await principal(`${word} ${token}`)).toEqual(PRINCIPAL);
    }
    for (const none of [
      undefined,
      "",
      "Basic x",
      token,
      ` Bearer ${token}`,
      "Bearers x",
      "x y z",
    ]) {
      expect(await principal(none), none).toBeUndefined();
    }
  });

  it("is refused if it has another form, or is too long", async () => {
    const { token } = await tokens().issue(CONTENT);
    const long = `${"a".repeat(8192)}.b.c`;
    for (const wrong of [
      "",
      " ",
      ` ${token} `,
      ` ${token}\n`,
      " a.b",
      " a.b.c.d",
      " a b.c",
      ` x${token}!`,
      ` ${long}`,
    ]) {
      await expect(principal(`Bearer${wrong}`), wrong).rejects.toThrow(NOT_VALID);
    }
  });

  it("contains no token above the maximal length, even a valid one", async () => {
    const padded = (more: number) => signed({ email: "x".repeat(5600 + more) });
    let more = 0;
    while ((await padded(more)).length <= 8192) more += 1;
    const token = await padded(more);
    await expect(principal(`Bearer ${token}`)).rejects.toThrow(NOT_VALID);
    expect((await verified(token)).principal.sub).toBe("uuid");
    const longest = await padded(more - 1);
    expect(longest.length).toBeLessThanOrEqual(8192);
    expect(await principal(`Bearer ${longest}`)).toMatchObject({ sub: "uuid" });
  });

  it("is left to the other issuer of its token, if there is one", async () => {
    const settings = { discoveryUrl: "http://127.0.0.1:9/none", audience: "x" };
    const outside = new OutsideIssuer(settings, () => {}, Date.now);
    const parts = { accessTokens: tokens(), revoked: revoked as unknown as RevocationList };
    const both = new Bearer({ ...parts, outside, scriptTokens });
    const { token } = await tokens().issue(CONTENT);
    expect(await both.principal(`Bearer ${token}`, ISSUER)).toEqual(PRINCIPAL);
    const other = `Bearer ${await signed({ iss: "https://idp" })}`;
    await expect(both.principal(other, ISSUER)).rejects.toThrow(IdentityUnavailable);
    await expect(principal(other)).rejects.toThrow(NOT_VALID);
  });

  it("is refused if its token was revoked; a mere look finds none", async () => {
    const { token } = await tokens().issue(CONTENT);
    expect((await ifValid(bearer().own(token, ISSUER)))?.principal).toEqual(PRINCIPAL);
    revoked.add(String(decodeJwt(token).jti));
    await expect(principal(`Bearer ${token}`)).rejects.toThrow("The access token was revoked.");
    expect(await ifValid(bearer().own(token, ISSUER))).toBeUndefined();
  });
});

describe("an administrator", () => {
  it("is an account with that right now, and the one whose token it is", async () => {
    const users = new Users(folder);
    const ada = await users.add("ada", "", "hash", true);
    const principal = { ...CONTENT, sub: ada.sub, expires: 0 };
    const is = (more: object = {}) => isAdministrator({ ...principal, ...more }, ISSUER, users);
    expect(await is()).toBe(true);
    expect(await is({ sub: "another" })).toBe(false);
    expect(await is({ username: "bob" })).toBe(false);
    expect(await is({ issuer: "https://idp" })).toBe(false);
    expect(await is({ issuer: "https://idp", isAdministrator: true })).toBe(true);
    await users.setAdministrator("ada", false);
    expect(await is({ isAdministrator: true })).toBe(false);
    await users.setAdministrator("ada", true);
    await users.disable("ada");
    expect(await is()).toBe(false);
  });
});

describe("the ring of keys", () => {
  it("signs with the newest key, publishes those of valid tokens, and looks up unknown ones", async () => {
    const path = join(folder, "ring");
    const [ring, others] = [await KeyRing.open(new KeyFolder(path), 600), new KeyFolder(path)];
    const first = (await ring.signing()).kid;
    const [{ created } = { created: 0 }] = await others.known();
    const second = await others.add(created + 1000);
    expect((await ring.verifying(second))?.kid).toBe(second);
    expect((await ring.verifying(first))?.kid).toBe(first);
    expect([(await ring.signing()).kid, (await ring.current()).kid]).toEqual([second, second]);
    expect((await ring.ifNewest(second))?.kid).toBe(second);
    expect(await ring.ifNewest(first)).toBeUndefined();
    expect(await ring.ifNewest("x".repeat(43))).toBeUndefined();
    const third = await others.add(created + 2000);
    expect((await ring.ifNewest(third))?.kid).toBe(third);
    expect(await ring.verifying("../x")).toBeUndefined();
    const shown = async (at: number) => (await ring.published(at)).keys.map(({ kid }) => kid);
    const end = (600 + 60) * 1000;
    expect(await shown(created + 1000 + end)).toEqual([third, second, first]);
    expect(await shown(created + 1001 + end)).toEqual([third, second]);
    expect(await ring.verifying(first, created + 1000 + end)).toBeDefined();
    expect(await ring.verifying(first, created + 1001 + end)).toBeUndefined();
    expect(await shown(created + 2001 + end)).toEqual([third]);
    await rm(path, { recursive: true });
    await expect(KeyRing.open(new KeyFolder(path), 600)).resolves.toBeDefined();
    for (const { kid } of (await ring.published()).keys) await rm(join(path, `${kid}.json`));
    await expect(ring.signing()).rejects.toThrow("no signing key is left");
  });
});
