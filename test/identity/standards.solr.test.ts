/** What standard clients do with the service: discovery, grants, revocation, introspection. */

import { createRemoteJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import { expectBelow } from "../support/run/bounds.js";
import { startService, type TestService } from "../support/service/service.js";
import { addUser, bearer, PASSWORD, post, signIn, status } from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";

const service = useService();
let other: TestService;
let name: string;
let sub: string;
let secret: string;
beforeAll(async () => {
  const baseUrl = "https://data.example.org/climate";
  other = await startService({ dataDir: service.dataDir, baseUrl });
  ({ name, sub } = await addUser(service.dataDir));
  secret = (await service.auth.clients.add("portal", true)) ?? "";
});
afterAll(() => other.close());

const insecure = { execute: [client.allowInsecureRequests] };
const issuer = () => new URL(service.address + PREFIX);

describe("openid-client", () => {
  it.each(["oidc", "oauth2"] as const)(
    "reads the discovery document (%s), gets, refreshes, introspects and revokes tokens",
    async (algorithm) => {
      const config = await client.discovery(issuer(), "portal", secret, undefined, {
        ...insecure,
        algorithm,
      });
      const first = await client.genericGrantRequest(config, "password", {
        username: name,
        password: PASSWORD,
      });
      expect(first.token_type).toBe("bearer");
      expect(first.expiresIn()).toBeGreaterThan(0);
      expectBelow(600 - (first.expiresIn() ?? 0), 10);
      const second = await client.refreshTokenGrant(config, first.refresh_token ?? "");
      const info = await client.fetchUserInfo(config, second.access_token, sub);
      expect(info.preferred_username).toBe(name);
      const known = await client.tokenIntrospection(config, second.access_token);
      expect(known).toMatchObject({ active: true, sub, client_id: "portal", username: name });
      await client.tokenRevocation(config, second.refresh_token ?? "");
      const gone = await client.tokenIntrospection(config, second.refresh_token ?? "");
      expect(gone).toEqual({ active: false });
      await expect(client.refreshTokenGrant(config, second.refresh_token ?? "")).rejects.toThrow();
    },
  );

  it("works without a secret as the default client, and by HTTP Basic authentication with one", async () => {
    for (const [id, authentication] of [
      ["climate-nextgen", client.None()],
      ["portal", client.ClientSecretBasic(secret)],
    ] as const) {
      const config = await client.discovery(issuer(), id, undefined, authentication, insecure);
      const form = { username: name, password: PASSWORD };
      const token = await client.genericGrantRequest(config, "password", form);
      expect((await status(service, token.access_token)).status).toBe(200);
    }
  });

  it("gets the reasons in the words of RFC 6749", async () => {
    const config = await client.discovery(
      issuer(),
      "climate-nextgen",
      undefined,
      client.None(),
      insecure,
    );
    const form = { username: name, password: "wrong" };
    const failing = client.genericGrantRequest(config, "password", form);
    await expect(failing).rejects.toMatchObject({
      cause: [{ scheme: "bearer", parameters: { error: "invalid_grant" } }],
    });
  });
});

describe("the discovery documents", () => {
  it("are the same at all their addresses, and name the issuer of the tokens", async () => {
    for (const one of [service, other]) {
      const places = [
        `${PREFIX}/.well-known/openid-configuration`,
        `${PREFIX}/.well-known/oauth-authorization-server`,
        `/.well-known/oauth-authorization-server${PREFIX}`,
      ];
      const documents = await Promise.all(
        places.map(async (place) => (await fetch(one.address + place)).json()),
      );
      expect(new Set(documents.map((document) => JSON.stringify(document))).size).toBe(1);
    }
    const document = (await (await other.get("/.well-known/openid-configuration")).json()) as {
      issuer: string;
    };
    expect(document.issuer).toBe(`https://data.example.org/climate${PREFIX}`);
  });

  it("link to keys with which anybody can verify a token", async () => {
    const { access_token: token } = await signIn(service, name);
    const keys = createRemoteJWKSet(new URL(`${issuer()}/auth/v2/jwks`));
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuer().href,
      audience: issuer().href,
      typ: "at+jwt",
    });
    expect(payload.sub).toBe(sub);
  });

  it("follow a proxy only if it is trusted", async () => {
    const headers = { "X-Forwarded-Host": "evil.example.org", "X-Forwarded-Proto": "https" };
    const read = async (one: TestService) => {
      const response = await one.get("/.well-known/openid-configuration", { headers });
      return ((await response.json()) as { issuer: string }).issuer;
    };
    expect(await read(service)).toBe(issuer().href);
    const trustedHosts = ["evil.example.org"];
    const behind = await startService({ dataDir: service.dataDir, trustProxy: 1, trustedHosts });
    expect(await read(behind)).toBe(`https://evil.example.org${PREFIX}`);
    await behind.close();
  });

  it("are not valid with tokens under another name of the service", async () => {
    const { access_token: token } = await signIn(service, name);
    expect((await status(other, token)).status).toBe(401);
  });
});

describe("a revoked token", () => {
  it("is still revoked after a restart", async () => {
    const { access_token: token } = await signIn(service, name);
    await post(service, { token }, {}, "revoke");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const again = await startService({ dataDir: service.dataDir, baseUrl: service.address });
    expect((await status(again, token)).status).toBe(401);
    await again.close();
  });

  it("may be an unknown one", async () => {
    for (const token of ["x", "x.y.z", "cnr_x"]) {
      expect((await post(service, { token }, {}, "revoke")).status).toBe(200);
    }
  });
});

describe("introspection", () => {
  it("is for holders of a token and clients with a secret", async () => {
    const { access_token: token } = await signIn(service, name);
    const refused = await post(service, { token }, {}, "introspect");
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBeTruthy();
    const wrong = await post(service, { token }, bearer("x.y.z").headers, "introspect");
    expect(wrong.status).toBe(401);
    const form = { token, client_id: "portal", client_secret: secret };
    const asked = await post(service, form, {}, "introspect");
    expect(await asked.json()).toMatchObject({ active: true, sub, token_type: "Bearer" });
  });

  it("answers only that anything else is not active", async () => {
    const { access_token: by } = await signIn(service, name);
    for (const token of ["x", "x.y.z", `${by}x`]) {
      const response = await post(service, { token }, bearer(by).headers, "introspect");
      expect(await response.json()).toEqual({ active: false });
    }
  });
});
