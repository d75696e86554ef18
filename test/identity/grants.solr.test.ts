/** Who gets tokens for what, and what they are worth afterwards: the parts of sign-in over the real store. */
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fileAccounts } from "../../src/identity/accounts/accounts.js";
import { PasswordHasher } from "../../src/identity/accounts/password-hash.js";
import type { User } from "../../src/identity/accounts/users.js";
import { type Auth, issuerOf, openAuth } from "../../src/identity/auth.js";
import { InvalidClient, InvalidToken } from "../../src/identity/errors.js";
import type { GrantRequest } from "../../src/identity/tokens/grant-request.js";
import { RefreshTokens } from "../../src/identity/tokens/refresh-token.js";
import { StateCopy } from "../../src/index/state/state-copy.js";
import { freshFolder } from "../support/run/folders.js";
import { testState } from "../support/solr/started-solr.js";

const BASE = "https://data.example.org";
const ISSUER = issuerOf(BASE);
const PASSWORD = "correct horse";
const store = testState();
const app = { id: "app", confidential: true };

const folder = freshFolder();
let auth: Auth;
let ada: User;
let hash: string;
beforeAll(async () => {
  const hasher = new PasswordHasher(1);
  hash = await hasher.hash(PASSWORD);
  await hasher.close();
  auth = await openAuth({
    accounts: fileAccounts(folder, () => {}),
    copy: new StateCopy(store),
    accessTokenLifetime: 600,
    refreshTokenLifetime: 3600,
    hashers: 1,
    report: () => {},
    limits: { perUser: 1000, perAddress: 1000, window: 300 },
    pause: async () => {},
  });
  ada = await auth.users.add(`ada-${randomUUID()}`, "ada@example.org", hash);
});
afterAll(() => auth.close());

const ask = (request: GrantRequest, client = app, arrived = Date.now()) =>
  auth.grants.issue(request, {
    client,
    issuer: ISSUER,
    address: "192.0.2.1",
    arrived,
    page: `${BASE}/account`,
  });
const signIn = (more: object = {}, client = app) =>
  ask({ username: ada.name, password: PASSWORD, ...more }, client);
const REFUSED = "The refresh token is not valid.";

describe("a refresh token", () => {
  it("belongs to its client, and ends when its account changes", async () => {
    const bob = await auth.users.add(`bob-${randomUUID()}`, "", hash);
    const start = () => ask({ username: bob.name, password: PASSWORD });
    const { refreshToken } = await start();
    await expect(
      ask({ refresh_token: refreshToken }, { id: "other", confidential: false }),
    ).rejects.toThrow(REFUSED);
    const { refreshToken: next } = await ask({ refresh_token: refreshToken });
    await auth.users.setPassword(bob.name, hash);
    await expect(ask({ refresh_token: next })).rejects.toThrow(REFUSED);
    const { refreshToken: again } = await start();
    expect((await auth.introspect(again, ISSUER))?.active).toBe(true);
    await auth.users.disable(bob.name);
    await expect(ask({ refresh_token: again })).rejects.toThrow(REFUSED);
    expect(await auth.introspect(again, ISSUER)).toBeUndefined();
    await auth.users.remove(bob.name);
    await expect(ask({ refresh_token: again })).rejects.toThrow(REFUSED);
  });

  it("ends with a password that was changed while the former one was checked", async () => {
    const { name } = await auth.users.add(`eve-${randomUUID()}`, "", hash);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const arrived = Date.now() - 1;
    const former = vi.spyOn(auth.users, "current").mockImplementationOnce(async () => {
      const found = await auth.users.current(name);
      await auth.users.setPassword(name, hash);
      return found;
    });
    const { refreshToken } = await ask({ username: name, password: PASSWORD }, app, arrived);
    former.mockRestore();
    await expect(ask({ refresh_token: refreshToken })).rejects.toThrow(REFUSED);
    // The new password, which was set after the request had arrived.
    const again = await ask({ username: name, password: PASSWORD }, app, arrived);
    expect((await ask({ refresh_token: again.refreshToken })).refreshToken).not.toBe("");
  });

  it("ends its family if it is used again, unless at the same moment", async () => {
    let now = Date.now();
    const waited: number[] = [];
    const pause = async (milliseconds: number) => void waited.push(milliseconds);
    const tokens = new RefreshTokens(store, 3600, () => now, pause);
    const session = { sub: "x", clientId: "app", scope: "email", signedIn: now };
    const allow = async () => "yes";
    const first = await tokens.start(session);
    expect(first.expires).toBe(Math.floor(now / 1000) + 3600);
    expect(await tokens.look(first.token)).toMatchObject({
      session,
      expires: first.expires * 1000,
    });
    await expect(tokens.rotate(first.token, now, async () => undefined)).rejects.toThrow(REFUSED);
    const { next, allowed } = await tokens.rotate(first.token, now, allow);
    expect([allowed, waited]).toEqual(["yes", [300]]);
    expect(await tokens.look(first.token)).toBeUndefined();
    now += 300;
    await expect(tokens.rotate(first.token, now, allow)).rejects.toThrow(REFUSED);
    expect(await tokens.look(next.token)).toBeDefined();
    now += 1;
    // It was there before, and only waited for something else.
    await expect(tokens.rotate(first.token, now - 1, allow)).rejects.toThrow(REFUSED);
    expect(await tokens.look(next.token)).toBeDefined();
    await expect(tokens.rotate(first.token, now, allow)).rejects.toThrow(REFUSED);
    expect(await tokens.look(next.token)).toBeUndefined();
    await expect(tokens.rotate(next.token, now, allow)).rejects.toThrow(REFUSED);
    const both = await tokens.start({ ...session, username: "ada" });
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => tokens.rotate(both.token, now, allow)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a revoked token", () => {
  it("is worthless from then on, and only its client can revoke it", async () => {
    const { accessToken, refreshToken, expires, refreshExpires } = await signIn();
    const look = (token: string) => auth.introspect(token, ISSUER);
    const same = { active: true, iss: ISSUER, sub: ada.sub, username: ada.name, client_id: "app" };
    expect(await look(accessToken)).toEqual({
      ...same,
      scope: "profile email",
      token_type: "Bearer",
      exp: expires,
      jti: decodeJwt(accessToken).jti,
      iat: decodeJwt(accessToken).iat,
    });
    expect(await look(refreshToken)).toEqual({
      ...same,
      scope: "profile email",
      token_type: "refresh_token",
      exp: refreshExpires,
    });
    const revoke = (token: string, client = app) => auth.revoke(token, client, ISSUER);
    const other = { id: "other", confidential: true };
    for (const token of [accessToken, refreshToken]) {
      await expect(revoke(token, other)).rejects.toThrow(InvalidClient);
      expect(await look(token)).toBeDefined();
      await revoke(token);
      expect(await look(token)).toBeUndefined();
      // Again, or of somebody else's: it has ended.
      await revoke(token, other);
    }
    await revoke("nothing", other);
    await expect(auth.authenticate(`Bearer ${accessToken}`, BASE)).rejects.toThrow(InvalidToken);
    await expect(ask({ refresh_token: refreshToken })).rejects.toThrow(REFUSED);
    expect(await look("nothing")).toBeUndefined();
  });
});

describe("a share", () => {
  const share = (by: { id: string; user: string; isLocal: boolean }) => ({
    dataset: "data-1",
    by: { ...by, sub: by.id },
  });
  const own = () => share({ id: ada.sub, user: ada.name, isLocal: true });
  const later = () => Math.floor(Date.now() / 1000) + 1000;
  const OVER = "The address is not valid, or has expired.";

  it("gives access to its data as its sharer until it ends", async () => {
    const { shares } = auth;
    const ticket = await shares.issue(ISSUER, own(), later());
    expect(await shares.verify(ISSUER, ticket)).toEqual(own());
    expect(await shares.verify(ISSUER, ticket)).toEqual(own());
    await expect(shares.verify("https://other", ticket)).rejects.toThrow(OVER);
    const past = await shares.issue(ISSUER, own(), Math.floor(Date.now() / 1000) - 1);
    for (const wrong of [past, `${ticket}x`, "x", "", "a.b.c"]) {
      await expect(shares.verify(ISSUER, wrong)).rejects.toThrow(InvalidToken);
    }
    const { accessToken } = await signIn();
    await expect(shares.verify(ISSUER, accessToken)).rejects.toThrow(OVER);
    await expect(auth.authenticate(`Bearer ${ticket}`, BASE)).rejects.toThrow(InvalidToken);
    const outside = share({ id: "https://idp 17", user: "eve", isLocal: false });
    const theirs = await shares.issue(ISSUER, outside, later());
    expect(await shares.verify(ISSUER, theirs)).toEqual(outside);
  });

  it("is ended by its sharer alone, once, and with their account", async () => {
    const { shares } = auth;
    const ticket = await shares.issue(ISSUER, own(), later());
    await shares.verify(ISSUER, ticket);
    const { by } = own();
    expect(await shares.revoke(ticket, { ...by, id: "another" })).toBe(false);
    expect(await shares.revoke("x", by)).toBe(false);
    expect(await shares.revoke(ticket, by)).toBe(true);
    await expect(shares.verify(ISSUER, ticket)).rejects.toThrow(OVER);
    expect(await shares.revoke(ticket, by)).toBe(false);
    const cid = await auth.users.add(`cid-${randomUUID()}`, "", hash);
    const theirs = share({ id: cid.sub, user: cid.name, isLocal: true });
    const other = await shares.issue(ISSUER, theirs, later());
    expect(await shares.verify(ISSUER, other)).toEqual(theirs);
    await auth.users.disable(cid.name);
    await expect(shares.verify(ISSUER, other)).rejects.toThrow(OVER);
    await auth.users.remove(cid.name);
    await expect(shares.verify(ISSUER, other)).rejects.toThrow(OVER);
  });
});
