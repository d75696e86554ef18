/** Attacks on signing in with a browser: codes that others get hold of, addresses that lead elsewhere, forms that others send. */

import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../../generated/schemas.js";
import { PAGE_CLIENT, pageAddress } from "../../../src/identity/sign-in/authorization-request.js";
import { expectWithin } from "../../support/run/bounds.js";
import { attempts, tried } from "../../support/run/trials.js";
import {
  AUTHORIZE,
  asked,
  CookieBrowser,
  fieldsOf,
  leadsTo,
  pkce,
  redeem,
} from "../../support/service/code-flow.js";
import { PASSWORD, post, refresh, signIn, status } from "../../support/service/sign-in.js";
import { useService, useUser } from "../../support/service/use-service.js";

let browser: CookieBrowser;
const service = useService();
const other = useService(() => ({ dataDir: service.dataDir, baseUrl: service.address }));
const name = useUser(service);
beforeAll(async () => {
  await service.auth.clients.add("my-program", false);
  browser = new CookieBrowser(service);
  await browser.signIn(asked(service, pkce().challenge), name);
});

/** A fresh code of somebody who is signed in, and its verifier. */
async function freshCode() {
  const { verifier, challenge } = pkce();
  const to = leadsTo(await browser.open(asked(service, challenge)));
  return { code: to.searchParams.get("code") ?? "", verifier };
}
const redeemed = async (response: Response): Promise<Token> => {
  expect(response.status).toBe(200);
  return (await response.json()) as Token;
};
/** Whether neither of two tokens is good for anything. */
async function areEnded(token: Token): Promise<boolean> {
  const again = await post(service, { refresh_token: token.refresh_token, client_id: PAGE_CLIENT });
  return again.status === 401 && (await status(service, token.access_token)).status === 401;
}

describe("a code", () => {
  it("ends the tokens it gave if it is used twice, through any instance", async () => {
    const { code, verifier } = await freshCode();
    const token = await redeemed(await redeem(service, code, verifier));
    expect((await status(service, token.access_token)).status).toBe(200);
    const page = { redirect_uri: pageAddress(service.address) };
    expect((await redeem(other, code, verifier, page)).status).toBe(401);
    const form = { refresh_token: token.refresh_token, client_id: PAGE_CLIENT };
    expect((await post(service, form)).status).toBe(401);
    // What another instance has revoked is known here within two seconds.
    await expectWithin(4000, () => areEnded(token));
  });

  it("gives tokens at most once if it is used many times at once, and none is valid after a second use", async () => {
    const count = attempts(3, 100);
    for (let i = 0; i < count; i += 1) {
      const { code, verifier } = await freshCode();
      const page = { redirect_uri: pageAddress(service.address) };
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          redeem(at % 2 ? other : service, code, verifier, page),
        ),
      );
      const good = answers.filter((answer) => answer.status === 200);
      expect(good.length).toBeLessThanOrEqual(1);
      for (const answer of good) {
        const token = (await answer.json()) as Token;
        const again = { refresh_token: token.refresh_token, client_id: PAGE_CLIENT };
        expect((await post(service, again)).status).toBe(401);
      }
    }
    tried(count);
  });

  it.each([
    ["another verifier", () => ({ code_verifier: pkce().verifier })],
    [
      "its challenge as verifier",
      (verifier: string) => ({ code_verifier: pkce(verifier).challenge }),
    ],
    ["a verifier that is too short", () => ({ code_verifier: "x" })],
    ["another address", () => ({ redirect_uri: `${service.address}/` })],
    ["another client", () => ({ client_id: "my-program" })],
    ["the client of whoever names none", () => ({ client_id: "" })],
  ])("gives nothing with %s, and is worthless afterwards", async (_, change) => {
    const { code, verifier } = await freshCode();
    expect((await redeem(service, code, verifier, change(verifier))).status).toBe(401);
    expect((await redeem(service, code, verifier)).status).toBe(401);
  });

  it.each([["code_verifier"], ["redirect_uri"], ["code"]])(
    "gives nothing without %s",
    async (left) => {
      const { code, verifier } = await freshCode();
      expect((await redeem(service, code, verifier, { [left]: "" })).status).toBe(400);
    },
  );

  it("gives nothing if it is invented or changed", async () => {
    const { code, verifier } = await freshCode();
    const count = attempts(30, 3000);
    for (let i = 0; i < count; i += 1) {
      const at = 4 + (i % 43);
      const changed = code.slice(0, at) + (code[at] === "A" ? "B" : "A") + code.slice(at + 1);
      const made = i % 2 ? changed : `cnc_${randomBytes(32).toString("base64url")}`;
      expect((await redeem(service, made, verifier)).status).toBe(401);
    }
    tried(count);
    await redeemed(await redeem(service, code, verifier));
  });

  it("is no access token, no refresh token and no cookie", async () => {
    const { code } = await freshCode();
    expect((await status(service, code)).status).toBe(401);
    expect((await refresh(service, code)).status).toBe(401);
    const thief = new CookieBrowser(service);
    thief.cookies.set("climate-nextgen-sign-in", code.slice(4));
    const to = leadsTo(await thief.open({ ...asked(service, pkce().challenge), prompt: "none" }));
    expect(to.searchParams.get("error")).toBe("login_required");
  });
});

describe("an address to return to", () => {
  const page = () => pageAddress(service.address);
  const port = () => new URL(service.address).port;
  const odd = (): readonly string[] => [
    "",
    "x",
    "/account",
    "//evil.example",
    "https://evil.example/account",
    "javascript:alert(1)",
    `${page()}/`,
    `${page()}?x=1`,
    `${page()}#x`,
    `${page()}%2f`,
    `${page()}/../docs`,
    `${page()} `,
    `${page()}\n`,
    `${page()}\u0000`,
    page().toUpperCase(),
    page().replace("http:", "https:"),
    page().replace("127.0.0.1", "localhost"),
    page().replace("127.0.0.1", "[::1]"),
    page().replace("127.0.0.1", "127.1"),
    page().replace("127.0.0.1", "2130706433"),
    page().replace("127.0.0.1", "127.0.0.1.evil.example"),
    page().replace("http://", "http://evil.example@"),
    page().replace("http://", "http:\\\\"),
    page().replace("/account", "@evil.example/account"),
    page().replace("/account", "\\account"),
    page().replace("/account", ""),
    page().replace("/account", "/"),
    page().replace("/account", "/docs"),
    page().replace(`:${port()}`, ""),
    page().replace(port(), "80"),
    `${page()},https://evil.example`,
    "data:text/html,x",
    "urn:ietf:wg:oauth:2.0:oob",
    "http://127.0.0.1:49152/callback",
  ];
  const oddOfPrograms: readonly string[] = [
    "http://localhost:1234/callback",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:0/callback",
    "http://127.0.0.1:65536/callback",
    "http://127.0.0.2:1234/callback",
    "http://[::2]:1234/callback",
    "http://127.0.0.1:1234/",
    "http://127.0.0.1:1234/callback/",
    "http://127.0.0.1:1234/callback?x",
    "https://127.0.0.1:1234/callback",
    "http://127.0.0.1:1234@evil.example/callback",
    "http://evil.example:1234/callback",
    "http://127.0.0.1:12345678/callback",
  ];

  it("redirects nobody if it is not the client's, signed in or not", async () => {
    const all = [
      ...odd().map((address) => [PAGE_CLIENT, address] as const),
      ...[...oddOfPrograms, page()].map((address) => ["my-program", address] as const),
      ...["", "nobody", "climate-nextgen"].map((client) => [client, page()] as const),
    ];
    expect(all.length).toBeGreaterThan(45);
    for (const [client_id, redirect_uri] of all) {
      for (const prompt of ["none", undefined]) {
        const parameters = { ...asked(service, pkce().challenge), client_id, redirect_uri, prompt };
        for (const answer of [
          await browser.open(parameters),
          await browser.submit({ ...parameters, username: name, password: PASSWORD }),
        ]) {
          expect(answer.status, `${client_id} ${redirect_uri}`).toBe(400);
          expect(answer.headers.get("location")).toBeNull();
          expect(answer.headers.get("cache-control")).toBe("no-store");
        }
      }
    }
  });

  it("is refused and redirects nobody if it or any other parameter is given twice", async () => {
    const parameters = asked(service, pkce().challenge);
    for (const key of ["redirect_uri", "client_id", "state", "code_challenge"]) {
      const query = new URLSearchParams(parameters as Record<string, string>);
      query.append(key, "https://evil.example/account");
      const answer = await fetch(`${service.address}${AUTHORIZE}?${query}`, { redirect: "manual" });
      expect(answer.status).toBe(422);
    }
  });
});

describe("a form", () => {
  const form = async (one: CookieBrowser): Promise<Record<string, string | undefined>> => {
    const page = await one.open({ ...asked(service, pkce().challenge), prompt: "login" });
    return { ...fieldsOf(await page.text()), username: name, password: PASSWORD };
  };

  it("signs nobody in if another site sends it, with its own key or none", async () => {
    const attacker = new CookieBrowser(service);
    const theirs = await form(attacker);
    const victim = new CookieBrowser(service);
    await form(victim);
    const before = victim.cookies.get("climate-nextgen-sign-in");
    for (const key of [theirs.form_key, "", undefined, "x".repeat(43)]) {
      const answer = await victim.submit({ ...theirs, form_key: key });
      expect(answer.status).toBe(403);
      expect(answer.headers.get("location")).toBeNull();
    }
    expect(victim.cookies.get("climate-nextgen-sign-in")).toBe(before);
    const bare = new CookieBrowser(service);
    expect((await bare.submit(theirs)).status).toBe(403);
  });

  it("is refused with the right key if a browser says that it comes from elsewhere", async () => {
    const one = new CookieBrowser(service);
    for (const headers of [
      ...["cross-site", "same-site"].map((site) => ({ "Sec-Fetch-Site": site })),
      ...["https://evil.example", "http://127.0.0.1:1"].map((Origin) => ({ Origin })),
    ] as Record<string, string>[]) {
      expect((await one.submit(await form(one), headers)).status).toBe(403);
    }
    const own = { Origin: service.address, "Sec-Fetch-Site": "same-origin" };
    expect((await one.submit(await form(one), own)).status).toBe(303);
  });

  it("gives a new cookie, and ends the session of the one before", async () => {
    const planted = randomBytes(32).toString("base64url");
    const victim = new CookieBrowser(service);
    victim.cookies.set("climate-nextgen-sign-in", planted);
    expect((await victim.submit(await form(victim))).status).toBe(303);
    const first = victim.cookies.get("climate-nextgen-sign-in") ?? "";
    expect(first).not.toBe(planted);
    expect((await victim.submit(await form(victim))).status).toBe(303);
    for (const old of [planted, first]) {
      const attacker = new CookieBrowser(service);
      attacker.cookies.set("climate-nextgen-sign-in", old);
      const to = leadsTo(
        await attacker.open({ ...asked(service, pkce().challenge), prompt: "none" }),
      );
      expect(to.searchParams.get("error")).toBe("login_required");
    }
  });

  it("sends its password nowhere else, nor does its answer lead elsewhere", async () => {
    const page = await new CookieBrowser(service).open(asked(service, pkce().challenge));
    expect(page.headers.get("content-security-policy")).toContain(
      `form-action 'self' ${service.address};`,
    );
    expect(await page.text()).toMatch(/<form method="post" action="authorize">/);
  });
});

it("does not sign in at any other address of the service, and no page elsewhere reads an answer by its cookie", async () => {
  const cookie = `climate-nextgen-sign-in=${browser.cookies.get("climate-nextgen-sign-in")}`;
  const answer = await service.get("/auth/v2/status", { headers: { Cookie: cookie } });
  expect(answer.status).toBe(401);
  const cross = await fetch(`${service.address}${AUTHORIZE}`, {
    headers: { Cookie: cookie, Origin: "https://evil.example" },
  });
  expect(cross.headers.get("access-control-allow-credentials")).toBeNull();
});

it("leaves no password, code, cookie, verifier or token in log, address or store", async () => {
  const { verifier, challenge } = pkce();
  const one = new CookieBrowser(service);
  const to = await one.signIn({ ...asked(service, challenge), state: "told-to-nobody" }, name);
  const code = to.searchParams.get("code") ?? "";
  const token = await redeemed(await redeem(service, code, verifier));
  await signIn(service, name);
  const cookie = one.cookies.get("climate-nextgen-sign-in") ?? "";
  expect(cookie).toHaveLength(43);
  const kinds = ["authorization-code", "sign-in-session", "refresh-family", "sign-in-attempts"];
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const stored = JSON.stringify(await service.solr.state.list(kinds));
  expect(stored).toContain(challenge);
  for (const secret of [
    PASSWORD,
    code,
    cookie,
    verifier,
    token.access_token,
    token.refresh_token,
    "told-to-nobody",
  ]) {
    expect(service.log.join("")).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
  expect(to.href).not.toContain(token.access_token);
  expect([...to.searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
});
