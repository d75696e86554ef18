/** The code flow as a browser without scripts goes through it: cookies, the form as it stands on the page, redirects. */
import { createHash, randomBytes } from "node:crypto";
import { PREFIX } from "../../../generated/prefix.js";
import { PAGE_CLIENT, pageAddress } from "../../../src/identity/sign-in/authorization-request.js";
import type { TestService } from "./service.js";
import { PASSWORD, post } from "./sign-in.js";

type Place = Pick<TestService, "address">;
type Parameters = Readonly<Record<string, string | undefined>>;

export const AUTHORIZE = `${PREFIX}/auth/v2/authorize`;

/** A verifier and its hash. */
export function pkce(verifier = randomBytes(32).toString("base64url")) {
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The parameters of the page. @param base the public address, if it is not the server's own */
export const asked = ({ address }: Place, challenge: string, base = address): Parameters => ({
  response_type: "code",
  client_id: PAGE_CLIENT,
  redirect_uri: pageAddress(base),
  state: "a state",
  code_challenge: challenge,
  code_challenge_method: "S256",
});

const given = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined),
  );

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The hidden fields of a page. */
export const fieldsOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = "", value = ""]) => [name, unescaped(value)],
    ),
  );

/** A browser that keeps its cookies. */
export class CookieBrowser {
  /** Name to value. */
  readonly cookies = new Map<string, string>();
  readonly #service: Place;

  constructor(service: Place) {
    this.#service = service;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, ...(cookie !== "" && { Cookie: cookie }) };
    const response = await fetch(this.#service.address + path, {
      ...init,
      headers,
      redirect: "manual" as const,
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }

  /** Opens the authorization endpoint. */
  open(parameters: Parameters): Promise<Response> {
    return this.#send(`${AUTHORIZE}?${new URLSearchParams(given(parameters))}`, {});
  }

  /** Sends the form of a page. */
  submit(fields: Parameters, headers: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams(given(fields));
    return this.#send(AUTHORIZE, { method: "POST", headers, body });
  }

  /** Opens the page and signs in on it. @returns where the answer leads */
  async signIn(parameters: Parameters, username: string, password = PASSWORD): Promise<URL> {
    const page = await this.open(parameters);
    if (page.status !== 200) throw new Error(`${page.status} ${page.headers.get("location")}`);
    const answer = await this.submit({ ...fieldsOf(await page.text()), username, password });
    return leadsTo(answer);
  }
}

/** Where a redirect leads. */
export function leadsTo(response: Response): URL {
  if (response.status !== 303) throw new Error(`no redirect but ${response.status}`);
  return new URL(response.headers.get("location") ?? "");
}

/** Sends a code to the token endpoint, as the page does. */
export const redeem = (
  service: Place,
  code: string,
  verifier: string,
  more: Record<string, string> = {},
): Promise<Response> =>
  post(service, {
    grant_type: "authorization_code",
    client_id: PAGE_CLIENT,
    code,
    code_verifier: verifier,
    redirect_uri: pageAddress(service.address),
    ...more,
  });
