/** An outside identity provider: its tokens are accepted, its users can sign in here. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { Token } from "../../../generated/schemas.js";
import { expectBelow } from "../../support/run/bounds.js";
import { attempts, tried } from "../../support/run/trials.js";
import { flavours, removeGlobal } from "../../support/service/flavours.js";
import { AUDIENCE, CLIENT, USERS, useProvider } from "../../support/service/identity-provider.js";
import { startService } from "../../support/service/service.js";
import {
  addUser,
  bearer,
  PASSWORD,
  post,
  refresh,
  signIn,
  status,
} from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

const provider = useProvider();
const service = useService(() => ({ auth: { outside: outside() } }));

const outside = (audience = AUDIENCE) => ({ ...provider.outside, audience });

const signInOutside = async (one = service): Promise<Token> => {
  const response = await post(one, { username: "olga", password: USERS.olga ?? "" });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Token;
};

describe("a user of the outside provider", () => {
  it("signs in and refreshes here, with tokens of the provider", async () => {
    const token = await signInOutside();
    const response = await status(service, token.access_token);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ sub: "olga", email: "olga@id.example.org" });
    const info = await service.get("/auth/v2/userinfo", bearer(token.access_token));
    expect(await info.json()).toMatchObject({ preferred_username: "olga" });
    const again = await refresh(service, token.refresh_token);
    expect(again.status).toBe(200);
    const next = (await again.json()) as Token;
    expect(next.refresh_token).not.toBe(token.refresh_token);
    // The provider does not say when its refresh tokens end.
    for (const { expires, refresh_expires } of [token, next]) {
      expect(refresh_expires).toBeGreaterThan(expires + 86_400);
    }
    expect((await status(service, next.access_token)).status).toBe(200);
  });

  it.each([
    [{ path: "realm_access.roles", value: "climate-admin" }, 201],
    [{ path: "realm_access.roles", value: "climate" }, 403],
    [{ path: "roles", value: "climate-admin" }, 403],
    [undefined, 403],
  ])("is an administrator if the token has the claim %j", async (administrators, expected) => {
    const claiming = { ...outside(), ...(administrators && { administrators }) };
    const one = await startService({ auth: { outside: claiming } });
    try {
      const who = { token: (await signInOutside(one)).access_token };
      const wanted = { flavour_name: "of-olga", mapping: {}, is_global: true };
      expect((await flavours(one, who, "POST", wanted)).status).toBe(expected);
      await removeGlobal(one, who);
    } finally {
      await one.close();
    }
  });

  it("gets 401 for a wrong password or a wrong refresh token", async () => {
    expect((await post(service, { username: "olga", password: "x" })).status).toBe(401);
    expect((await refresh(service, "nonsense")).status).toBe(401);
  });

  it("does not replace the users of this service", async () => {
    const { name } = await addUser(service.dataDir);
    const token = await signIn(service, name);
    expect((await status(service, token.access_token)).status).toBe(200);
    expect((await refresh(service, token.refresh_token)).status).toBe(200);
    expect((await post(service, { username: name, password: `${PASSWORD}x` })).status).toBe(401);
  });
});

describe("a token of the outside provider", () => {
  it("is refused for another audience", async () => {
    const { access_token: token } = await signInOutside();
    const strict = await startService({ auth: { outside: outside("urn:something-else") } });
    expect((await status(strict, token)).status).toBe(401);
    await strict.close();
  });

  it("is refused by a service that does not know the provider", async () => {
    const { access_token: token } = await signInOutside();
    const alone = await startService();
    expect((await status(alone, token)).status).toBe(401);
    await alone.close();
  });

  it("is refused if it is forged or of another kind, without more than one request for keys", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const before = provider.keyRequests();
    const jwk = await exportJWK(publicKey);
    const count = attempts(20, 10_000);
    const begun = Date.now();
    for (let i = 0; i < count; i += 1) {
      const forged = await new SignJWT({ client_id: CLIENT.id })
        .setProtectedHeader({
          alg: "ES256",
          typ: "at+jwt",
          kid: `k${i}`,
          ...(i % 2 ? { jwk } : {}),
        })
        .setIssuer(provider.issuer)
        .setAudience(AUDIENCE)
        .setSubject("olga")
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey);
      expect((await status(service, forged)).status).toBe(401);
    }
    tried(count);
    // At most one in each cooldown.
    const cooldowns = Math.floor((Date.now() - begun) / 15_000);
    expect(provider.keyRequests() - before).toBeLessThanOrEqual(1 + cooldowns);
  });

  it("is refused if its last character was changed to another that means the same", async () => {
    const { access_token: token } = await signInOutside();
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const letter of letters) {
      if (token.endsWith(letter)) continue;
      expect((await status(service, token.slice(0, -1) + letter)).status).toBe(401);
    }
  });
});

describe("tokens of the provider while it is away", () => {
  it("are verified with the known keys, and sign-ins are 503", {
    tags: ["slow"],
  }, async () => {
    const { access_token: token, refresh_token: again } = await signInOutside();
    await provider.stop();
    expect((await status(service, token)).status).toBe(200);
    const form = { username: "olga", password: "x" };
    for (const response of [await post(service, form), await refresh(service, again)]) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const late = await startService({ auth: { outside: outside() } });
    const begun = performance.now();
    expect((await status(late, token)).status).toBe(503);
    expectBelow(performance.now() - begun, 1000);
    const { name } = await addUser(late.dataDir);
    await signIn(late, name);
    await late.close();
    await provider.start();
    expect((await refresh(service, again)).status).toBe(200);
  });
});
