/** Signing in with a browser where accounts are at an outside provider: its page, its codes, its tokens. */
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { IssuerMetadata, Token } from "../../../generated/schemas.js";
import { pageAddress } from "../../../src/identity/sign-in/authorization-request.js";
import {
  AUTHORIZE,
  asked,
  CookieBrowser,
  leadsTo,
  pkce,
  redeem,
} from "../../support/service/code-flow.js";
import { CLIENT, useProvider } from "../../support/service/identity-provider.js";
import { startService } from "../../support/service/service.js";
import { addUser, PASSWORD, post, status } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

/** What people reach the service by; the requests of this test go to it directly. */
const BASE = "https://data.example.org/climate";

const provider = useProvider(undefined, () => [pageAddress(BASE)]);
const service = useService(() => ({ baseUrl: BASE, auth: { outside: provider.outside } }));

const parameters = (challenge: string) => asked(service, challenge, BASE);
const page = { redirect_uri: pageAddress(BASE) };

/** Goes through the provider's pages as a browser does, until it is sent back to the page. */
async function atProvider(start: URL, cookies = new Map<string, string>()): Promise<URL> {
  let to = start;
  for (let hops = 0; hops < 8 && to.origin === new URL(provider.issuer).origin; hops += 1) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(to, { headers: { Cookie }, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`${answer.status}: ${await answer.text()}`);
    to = new URL(location, to);
  }
  return to;
}

describe("the authorization endpoint", () => {
  it("redirects to the provider, whose code this service exchanges for the provider's tokens", async () => {
    const { verifier, challenge } = pkce();
    const away = leadsTo(await new CookieBrowser(service).open(parameters(challenge)));
    expect(away.origin).toBe(provider.issuer);
    expect(Object.fromEntries(away.searchParams)).toEqual({
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: pageAddress(BASE),
      scope: "openid profile email",
      state: "a state",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const cookies = new Map<string, string>();
    const back = await atProvider(away, cookies);
    expect(back.origin + back.pathname).toBe(pageAddress(BASE));
    expect(back.searchParams.get("state")).toBe("a state");
    const code = back.searchParams.get("code") ?? "";
    const response = await redeem(service, code, verifier, page);
    expect(response.status).toBe(200);
    const token = (await response.json()) as Token;
    const known = await status(service, token.access_token);
    expect(await known.json()).toMatchObject({ sub: "olga" });
    expect((await redeem(service, code, verifier, page)).status).toBe(401);

    const next = pkce();
    const silent = { ...parameters(next.challenge), prompt: "none" };
    const again = await atProvider(leadsTo(await new CookieBrowser(service).open(silent)), cookies);
    const renewed = await redeem(
      service,
      again.searchParams.get("code") ?? "",
      next.verifier,
      page,
    );
    expect(renewed.status).toBe(200);
    const stranger = await atProvider(leadsTo(await new CookieBrowser(service).open(silent)));
    expect(stranger.searchParams.get("error")).toBe("login_required");
  });

  it("forwards no password of a form, and redirects only to the page", async () => {
    const { name } = await addUser(service.dataDir);
    const browser = new CookieBrowser(service);
    const form = { ...parameters(pkce().challenge), username: name, password: PASSWORD };
    expect(leadsTo(await browser.submit(form)).origin).toBe(provider.issuer);
    for (const redirect_uri of [pageAddress(service.address), "https://evil.example/account"]) {
      expect((await browser.open({ ...form, redirect_uri })).status).toBe(400);
    }
    await service.auth.clients.add("my-program", false);
    const program = { client_id: "my-program", redirect_uri: "http://127.0.0.1:49152/callback" };
    const refused = leadsTo(await browser.open({ ...parameters(pkce().challenge), ...program }));
    expect(refused.searchParams.get("error")).toBe("unauthorized_client");
  });

  it("states that answers come under the provider's name", async () => {
    const answer = await service.get("/.well-known/oauth-authorization-server");
    const described = (await answer.json()) as IssuerMetadata;
    expect(described.authorization_endpoint).toBe(BASE + AUTHORIZE);
    expect(described.issuer).toBe(BASE + PREFIX);
    expect(described.authorization_response_iss_parameter_supported).toBe(false);
    expect(described.end_session_endpoint).toBe(`${provider.issuer}/session/end`);
  });
});

it("a code of the provider is accepted from the page alone, with the verifier of its request", async () => {
  const { verifier, challenge } = pkce();
  const fresh = async () => {
    const away = leadsTo(await new CookieBrowser(service).open(parameters(challenge)));
    return (await atProvider(away)).searchParams.get("code") ?? "";
  };
  for (const wrong of [
    { ...page, client_id: "" },
    { ...page, code_verifier: pkce().verifier },
    { redirect_uri: "https://evil.example/account" },
  ]) {
    expect((await redeem(service, await fresh(), verifier, wrong)).status).toBe(401);
  }
});

it("the page learns when to try again while the provider is away", async () => {
  await provider.stop();
  const late = await startService({ baseUrl: BASE, auth: { outside: provider.outside } });
  try {
    const to = leadsTo(await new CookieBrowser(late).open(parameters(pkce().challenge)));
    expect(to.origin + to.pathname).toBe(pageAddress(BASE));
    expect(to.searchParams.get("error")).toBe("temporarily_unavailable");
    const form = { grant_type: "authorization_code", client_id: "climate-nextgen-page", ...page };
    const answer = await post(late, { ...form, code: "x", code_verifier: "y" });
    expect(answer.status).toBe(503);
  } finally {
    await late.close();
    await provider.start();
  }
});
