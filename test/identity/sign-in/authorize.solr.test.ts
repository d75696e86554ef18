/** Signing in with a browser: the page, the codes, the cookie, and what a real client makes of it. */
import * as client from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Token } from "../../../generated/schemas.js";
import { Users } from "../../../src/identity/accounts/users.js";
import { PAGE_CLIENT, pageAddress } from "../../../src/identity/sign-in/authorization-request.js";
import {
  AUTHORIZE,
  asked,
  CookieBrowser,
  fieldsOf,
  leadsTo,
  pkce,
  redeem,
} from "../../support/service/code-flow.js";
import { startService } from "../../support/service/service.js";
import { addUser, PASSWORD, post, refresh, status } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

let name: string;
let sub: string;
const service = useService();
beforeAll(async () => {
  ({ name, sub } = await addUser(service.dataDir));
  await service.auth.clients.add("my-program", false);
});

const issuer = () => service.address + PREFIX;
const insecure = { execute: [client.allowInsecureRequests] };

/** Signs in and redeems, as the page does. */
async function enter(browser = new CookieBrowser(service), username = name) {
  const { verifier, challenge } = pkce();
  const to = await browser.signIn(asked(service, challenge), username);
  const code = to.searchParams.get("code") ?? "";
  const response = await redeem(service, code, verifier);
  expect(response.status).toBe(200);
  return { browser, code, verifier, token: (await response.json()) as Token };
}

/** What the page asks after a reload. */
const silently = (browser: CookieBrowser, more = {}) =>
  browser.open({ ...asked(service, pkce().challenge), prompt: "none", ...more }).then(leadsTo);

describe("openid-client", () => {
  it.each([
    ["the page", PAGE_CLIENT, () => pageAddress(service.address)],
    ["a program at a loopback address", "my-program", () => "http://127.0.0.1:49152/callback"],
  ])("passes the code flow as %s", async (_, id, address) => {
    const config = await client.discovery(
      new URL(issuer()),
      id,
      undefined,
      client.None(),
      insecure,
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: address(),
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    expect(url.href.startsWith(service.address + AUTHORIZE)).toBe(true);
    const to = await new CookieBrowser(service).signIn(Object.fromEntries(url.searchParams), name);
    expect(to.searchParams.get("iss")).toBe(issuer());
    const tokens = await client.authorizationCodeGrant(config, to, {
      pkceCodeVerifier,
      expectedState,
    });
    expect(tokens.token_type).toBe("bearer");
    expect((await client.fetchUserInfo(config, tokens.access_token, sub)).preferred_username).toBe(
      name,
    );
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    await client.tokenRevocation(config, next.refresh_token ?? "");
    await expect(client.refreshTokenGrant(config, next.refresh_token ?? "")).rejects.toThrow();
  });
});

describe("the sign-in page", () => {
  it("is HTML without scripts, caches and frames", async () => {
    const page = await new CookieBrowser(service).open(asked(service, pkce().challenge));
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-store");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    const text = await page.text();
    expect(text).not.toMatch(/<script|\son\w+=/i);
    expect(text).toContain('autocomplete="current-password"');
  });

  it("shows the values of a request as text", async () => {
    const state = '"><script>alert(1)</script>';
    const page = await new CookieBrowser(service).open({
      ...asked(service, pkce().challenge),
      state,
    });
    const text = await page.text();
    expect(text).not.toContain("<script>");
    expect(fieldsOf(text).state).toBe(state);
  });

  it("is shown again for a wrong name or password, with one sentence for every reason", async () => {
    const browser = new CookieBrowser(service);
    const fields = fieldsOf(await (await browser.open(asked(service, pkce().challenge))).text());
    const texts = new Set<string>();
    for (const username of [name, "nobody-at-all"]) {
      const again = await browser.submit({ ...fields, username, password: "wrong" });
      expect(again.status).toBe(403);
      const text = await again.text();
      expect(text).not.toContain("wrong</");
      expect(fieldsOf(text)).toEqual(fields);
      texts.add(text.replaceAll(username, "..."));
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).toMatch(/user name or the password/);
    expect((await browser.submit({ ...fields, username: name })).status).toBe(200);
    const right = await browser.submit({ ...fields, username: name, password: PASSWORD });
    expect(leadsTo(right).searchParams.get("code")).toBeTruthy();
  });

  it("counts failures together with those of the token endpoint", async () => {
    const limits = { perUser: 2, perAddress: 100, window: 60 };
    const strict = await startService({ dataDir: service.dataDir, auth: { limits } });
    try {
      const user = await addUser(service.dataDir);
      const browser = new CookieBrowser(strict);
      const fields = fieldsOf(await (await browser.open(asked(strict, pkce().challenge))).text());
      const wrong = { ...fields, username: user.name, password: "x" };
      expect((await browser.submit(wrong)).status).toBe(403);
      expect((await post(strict, { username: user.name, password: "x" })).status).toBe(401);
      const locked = await browser.submit({ ...wrong, password: PASSWORD });
      expect(locked.status).toBe(429);
      expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await locked.text()).toContain("too many failed sign-ins");
    } finally {
      await strict.close();
    }
  });

  it("can be cancelled, which the client learns", async () => {
    const page = await new CookieBrowser(service).open(asked(service, pkce().challenge));
    const [, href = ""] = /<a class="away" href="([^"]+)"/.exec(await page.text()) ?? [];
    const to = new URL(href.replaceAll("&amp;", "&"));
    expect(to.href.startsWith(pageAddress(service.address))).toBe(true);
    expect(to.searchParams.get("error")).toBe("access_denied");
  });
});

describe("a wrong request", () => {
  it.each([
    ["no response type", { response_type: undefined }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["a hybrid flow", { response_type: "code id_token" }, "unsupported_response_type"],
    ["an answer in the fragment", { response_mode: "fragment" }, "invalid_request"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["a challenge without a method", { code_challenge_method: undefined }, "invalid_request"],
    ["a challenge that is no hash", { code_challenge: "short" }, "invalid_request"],
    ["a prompt that there is not", { prompt: "consent" }, "invalid_request"],
  ])("is reported to the client, with state and iss: %s", async (_, change, error) => {
    const response = await new CookieBrowser(service).open({
      ...asked(service, pkce().challenge),
      ...change,
    });
    const to = leadsTo(response);
    expect(to.origin + to.pathname).toBe(pageAddress(service.address));
    expect(to.searchParams.get("error")).toBe(error);
    expect(to.searchParams.get("error_description")).toBeTruthy();
    expect(to.searchParams.get("state")).toBe("a state");
    expect(to.searchParams.get("iss")).toBe(issuer());
    expect(to.searchParams.get("code")).toBeNull();
  });

  it("ignores unknown parameters, and treats empty ones as missing", async () => {
    const more = { ui_locales: "de", nonce: "x", prompt: "", request: "x" };
    const page = await new CookieBrowser(service).open({
      ...asked(service, pkce().challenge),
      ...more,
    });
    expect(page.status).toBe(200);
  });
});

describe("a reload", () => {
  it("a new code is issued without a form, to the page alone", async () => {
    const { browser } = await enter();
    const { verifier, challenge } = pkce();
    const to = leadsTo(await browser.open({ ...asked(service, challenge), prompt: "none" }));
    const code = to.searchParams.get("code") ?? "";
    const again = await redeem(service, code, verifier);
    expect(again.status).toBe(200);
    const program = { client_id: "my-program", redirect_uri: "http://127.0.0.1:49152/callback" };
    expect((await silently(browser, program)).searchParams.get("error")).toBe("login_required");
    const forced = await browser.open({ ...asked(service, challenge), prompt: "login" });
    expect(forced.status).toBe(200);
  });

  it("another browser is not signed in", async () => {
    const to = await silently(new CookieBrowser(service));
    expect(to.searchParams.get("error")).toBe("login_required");
  });

  it("no tab is signed in after a sign-out in one of them", async () => {
    const { browser, token } = await enter();
    const { verifier, challenge } = pkce();
    const tab = leadsTo(await browser.open(asked(service, challenge)));
    const other = (await (
      await redeem(service, tab.searchParams.get("code") ?? "", verifier)
    ).json()) as Token;
    const form = { token: token.refresh_token, client_id: PAGE_CLIENT };
    expect((await post(service, form, {}, "revoke")).status).toBe(200);
    expect((await silently(browser)).searchParams.get("error")).toBe("login_required");
    const late = { refresh_token: other.refresh_token, client_id: PAGE_CLIENT };
    expect((await post(service, late)).status).toBe(401);
  });

  it.each([
    ["is disabled", (users: Users, user: string) => users.disable(user)],
    ["is removed", (users: Users, user: string) => users.remove(user)],
    [
      "gets another password",
      async (users: Users, user: string) =>
        users.setPassword(user, (await users.byName(user))?.password ?? ""),
    ],
  ])("the browser is signed out when its account %s", async (_, change) => {
    const user = await addUser(service.dataDir);
    const { browser, token } = await enter(undefined, user.name);
    const { verifier, challenge } = pkce();
    const code = leadsTo(await browser.open(asked(service, challenge))).searchParams.get("code");
    await new Promise((resolve) => setTimeout(resolve, 5));
    await change(new Users(service.dataDir), user.name);
    expect((await silently(browser)).searchParams.get("error")).toBe("login_required");
    expect((await redeem(service, code ?? "", verifier)).status).toBe(401);
    expect((await refresh(service, token.refresh_token)).status).toBe(401);
  });
});

describe("the cookie", () => {
  it("is sent to the authorization endpoint alone, and hidden from scripts", async () => {
    const page = await new CookieBrowser(service).open(asked(service, pkce().challenge));
    expect(page.headers.get("set-cookie")).toMatch(
      new RegExp(`^climate-nextgen-sign-in=[\\w-]{43}; Path=${AUTHORIZE}; HttpOnly; SameSite=Lax$`),
    );
  });

  it("is for https alone if the service has such an address, below the path of a proxy", async () => {
    const baseUrl = "https://data.example.org/climate";
    const one = await startService({ dataDir: service.dataDir, baseUrl });
    try {
      const browser = new CookieBrowser(one);
      const page = await browser.open(asked(one, pkce().challenge, baseUrl));
      expect(page.headers.get("set-cookie")).toMatch(
        new RegExp(`^__Secure-climate-nextgen-sign-in=.*; Path=/climate${AUTHORIZE}; .*; Secure$`),
      );
      const to = await browser.signIn(asked(one, pkce().challenge, baseUrl), name);
      expect(to.origin + to.pathname).toBe(`${baseUrl}/account`);
      expect(to.searchParams.get("iss")).toBe(baseUrl + PREFIX);
    } finally {
      await one.close();
    }
  });
});

it("a code of one instance is accepted by another", async () => {
  const baseUrl = service.address;
  const other = await startService({ dataDir: service.dataDir, baseUrl });
  try {
    const { verifier, challenge } = pkce();
    const to = await new CookieBrowser(service).signIn(asked(service, challenge), name);
    const more = { redirect_uri: pageAddress(baseUrl) };
    const response = await redeem(other, to.searchParams.get("code") ?? "", verifier, more);
    expect(response.status).toBe(200);
    const { access_token: token } = (await response.json()) as Token;
    expect((await status(service, token)).status).toBe(200);
  } finally {
    await other.close();
  }
});
