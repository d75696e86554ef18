/** The token endpoint and the check of an access token, through HTTP. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../generated/schemas.js";
import { Users } from "../../src/identity/accounts/users.js";
import { inspectCollections, MissingCollections } from "../../src/index/collections/collections.js";
import { testEndpoint } from "../support/service/service.js";
import {
  addUser,
  bearer,
  PASSWORD,
  post,
  problem,
  signIn,
  status,
} from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";

let name: string;
let sub: string;
const service = useService();
beforeAll(async () => {
  ({ name, sub } = await addUser(service.dataDir));
});

describe("a sign-in", () => {
  it("answers as the specification says, and may not be cached", async () => {
    const before = Math.floor(Date.now() / 1000);
    const response = await post(service, { username: name, password: PASSWORD });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const token = (await response.json()) as Token;
    expect(token.token_type).toBe("Bearer");
    expect(token.scope).toBe("profile email");
    expect(token.expires - before).toBeGreaterThanOrEqual(600);
    expect(token.expires).toBeLessThanOrEqual(Date.now() / 1000 + 600);
    expect(token.refresh_expires - before).toBeGreaterThanOrEqual(30 * 86_400);
    const passed = Math.ceil(Date.now() / 1000) - before;
    for (const [left, whole] of [
      [token.expires_in, 600],
      [token.refresh_expires_in, 30 * 86_400],
    ] as const) {
      expect(left).toBeGreaterThanOrEqual(whole - passed);
      expect(left).toBeLessThanOrEqual(whole);
    }
  });

  it("gives a signed JWT with the claims of RFC 9068", async () => {
    const { access_token: token } = await signIn(service, name);
    const issuer = `${service.address}/api/climate-nextgen`;
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: "at+jwt", alg: "ES256" });
    expect(decodeProtectedHeader(token).kid).toMatch(/^[\w-]{43}$/);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: issuer,
      aud: issuer,
      sub,
      client_id: "climate-nextgen",
      scope: "profile email",
      email: `${name}@example.org`,
      preferred_username: name,
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(600);
    expect(Number(claims.nbf)).toBeLessThanOrEqual(Number(claims.iat));
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("gives a token that the status endpoint knows", async () => {
    const token = await signIn(service, name);
    const response = await status(service, token.access_token);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      sub,
      exp: token.expires,
      email: `${name}@example.org`,
    });
    expect(sub).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it.each([
    ["with grant_type", { grant_type: "password" }],
    ["with an empty grant_type", { grant_type: "" }],
    ["with the default client", { client_id: "climate-nextgen" }],
    ["with empty client parameters", { client_id: "", client_secret: "" }],
    ["with parameters that nobody knows", { unheard_of: "1" }],
  ])("is the same %s", async (_, more) => {
    await signIn(service, name, more);
  });

  it("is the default client's with the empty Basic credentials of Swagger UI", async () => {
    const headers = { Authorization: `Basic ${btoa(":")}` };
    const response = await post(service, { username: name, password: PASSWORD }, headers);
    expect(response.status).toBe(200);
  });

  it("grants only the scopes that were requested and exist", async () => {
    expect((await signIn(service, name, { scope: "email admin" })).scope).toBe("email");
    expect((await signIn(service, name, { scope: "admin" })).scope).toBe("profile email");
    expect((await signIn(service, name, { scope: "email profile" })).scope).toBe("profile email");
  });

  it("is 401 with the same body for a wrong password, an unknown and a disabled account", async () => {
    const gone = (await addUser(service.dataDir)).name;
    await new Users(service.dataDir).disable(gone);
    const wrong = await post(service, { username: name, password: "wrong" });
    const unknown = await post(service, { username: "nobody-at-all", password: "wrong" });
    const disabled = await post(service, { username: gone, password: PASSWORD });
    for (const { status } of [wrong, unknown, disabled]) expect(status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toMatch(
      /^Bearer .*error="invalid_grant", error_description="/,
    );
    const text = await wrong.text();
    expect(await unknown.text()).toBe(text);
    expect(await disabled.text()).toBe(text);
    expect(JSON.parse(text)).toMatchObject({
      status: 401,
      error: "invalid_grant",
      error_description: "The user name or the password is wrong.",
    });
  });
});

describe("a token request", () => {
  it.each([
    ["nothing", {}, /Either username and password/],
    ["a name alone", { username: "x" }, /Either username and password/],
    ["an empty name", { password: "x", username: "" }, /Either username and password/],
    ["an empty password", { username: "x", password: "" }, /Either username and password/],
    ["a grant without a name", { grant_type: "password" }, /Either username and password/],
    ["both ways", { username: "x", password: "y", refresh_token: "z" }, /not both/],
    ["a password and a refresh token", { password: "x", refresh_token: "x" }, /not both/],
    [
      "another grant",
      { grant_type: "client_credentials" },
      /must be password, refresh_token or authorization_code/,
    ],
    [
      "a grant that does not fit",
      { grant_type: "password", refresh_token: "x" },
      /there is a refresh token instead/,
    ],
    [
      "another that does not fit",
      { grant_type: "refresh_token", username: "x", password: "y" },
      /there is no refresh token/,
    ],
  ])("is 400 with %s", async (_, form: Record<string, string>, words) => {
    const response = await post(service, form);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const isKnown = form.grant_type !== "client_credentials";
    expect(await problem(response)).toMatchObject({
      status: 400,
      error: isKnown ? "invalid_request" : "unsupported_grant_type",
      error_description: expect.stringMatching(words),
    });
  });

  it("is 422 with a parameter given twice, or far too long", async () => {
    const url = `${service.address}/api/climate-nextgen/auth/v2/token`;
    const twice = new URLSearchParams([
      ["username", "a"],
      ["username", "b"],
      ["password", "c"],
    ]);
    expect((await fetch(url, { method: "POST", body: twice })).status).toBe(422);
    expect((await post(service, { username: "x".repeat(300), password: "y" })).status).toBe(422);
  });

  it.each([
    ["JSON", "application/json", JSON.stringify({ username: "x", password: "y" }), 415],
    ["text", "text/plain", "username=x&password=y", 415],
    ["a multipart form", "multipart/form-data; boundary=x", "--x--", 415],
    [
      "a form that is too large",
      "application/x-www-form-urlencoded",
      "a=".padEnd(20_000, "x"),
      413,
    ],
  ])("is refused as %s", async (_, type, body, expected) => {
    const url = `${service.address}/api/climate-nextgen/auth/v2/token`;
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body });
    expect(response.status).toBe(expected);
    expect((await problem(response)).status).toBe(expected);
  });

  it("is 405 by GET: credentials do not belong in an address", async () => {
    const path = `/auth/v2/token?username=${name}&password=x`;
    expect((await service.get(path)).status).toBe(405);
  });

  it("is 401 invalid_client for an unknown client", async () => {
    for (const client of [
      { client_id: "nobody" },
      { client_id: "climate-nextgen", client_secret: "x" },
    ]) {
      const response = await post(service, { username: name, password: PASSWORD, ...client });
      expect(response.status).toBe(401);
      expect(await problem(response)).toMatchObject({ error: "invalid_client" });
    }
  });
});

describe("a protected operation", () => {
  it("is 401 without a token, with the scheme and without an error code (RFC 6750, 3.1)", async () => {
    for (const headers of [{}, { Authorization: "Basic eDp5" }]) {
      const response = await service.get("/auth/v2/status", { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="climate-nextgen"');
      expect((await problem(response)).type).toMatch(/missing-token$/);
    }
  });

  it.each([
    ["an empty token", ""],
    ["a word", "x"],
    ["three words", "x.y.z"],
    ["half a token", "ey.ey"],
    ["two words", "a b"],
    ["letters of another script", "ü.ü.ü"],
    ["a very long word", "x".repeat(10_000)],
  ])("is 401 with error and description for %s", async (_, token) => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await service.get("/auth/v2/status", { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(
      /^Bearer realm="climate-nextgen", error="invalid_token", error_description=".+"$/,
    );
    expect(await problem(response)).toMatchObject({ error: "invalid_token" });
  });

  it("takes no token from the address or a form", async () => {
    const { access_token: token } = await signIn(service, name);
    expect((await service.get(`/auth/v2/userinfo?access_token=${token}`)).status).toBe(401);
  });

  it("gives the user who is signed in", async () => {
    const { access_token: token } = await signIn(service, name);
    const response = await service.get("/auth/v2/userinfo", bearer(token));
    expect(await response.json()).toEqual({
      sub,
      preferred_username: name,
      email: `${name}@example.org`,
    });
  });

  it("is protected for every method that it has", async () => {
    expect((await service.get("/auth/v2/status", { method: "HEAD" })).status).toBe(401);
    expect((await service.get("/auth/v2/status", { method: "POST" })).status).toBe(405);
  });

  it("is protected under every spelling of its path", async () => {
    for (const path of [
      "/auth/v2/status/",
      "/auth//v2/status",
      "/auth/v2/%73tatus",
      "/AUTH/v2/status",
    ]) {
      expect([401, 404]).toContain((await service.get(path)).status);
    }
  });

  it("can be called from a page of another origin, which may read the reason of a refusal", async () => {
    const headers = {
      Origin: "https://notebook.example.org",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization",
    };
    const preflight = await service.get("/auth/v2/status", { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization");
    const refused = await service.get("/auth/v2/status", { headers: { Origin: headers.Origin } });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-expose-headers")).toMatch(/ETag.*WWW-Authenticate/);
  });

  it("accepts the scheme in any case", async () => {
    const { access_token: token } = await signIn(service, name);
    const headers = { Authorization: `bearer ${token}` };
    expect((await service.get("/auth/v2/status", { headers })).status).toBe(200);
  });
});

describe("an outside Solr", () => {
  it("is refused without the collection state, with its name and the command that makes it", async () => {
    const endpoint = testEndpoint();
    await inspectCollections(endpoint, ["files", "state"]);
    const missing = inspectCollections(endpoint, ["files", "nothing"]);
    await expect(missing).rejects.toThrow(/no collection nothing/);
    expect(new MissingCollections(["state"], endpoint).message).toMatch(
      /no collection state; create missing collections with `climate-nextgen solr setup`\.$/,
    );
  });
});

describe("the files of keys and users", () => {
  it("are readable by their owner alone", async () => {
    const folder = join(service.dataDir, "keys");
    const paths = (await readdir(folder)).map((file) => join(folder, file));
    expect(paths).toHaveLength(1);
    for (const path of [...paths, join(service.dataDir, "users.json")]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});
