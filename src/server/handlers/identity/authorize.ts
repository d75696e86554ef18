/** The authorization endpoint: a sign-in page that leads to authorization codes (RFC 6749, 3.1). */
import { PREFIX } from "../../../../generated/prefix.js";
import { issuerOf } from "../../../identity/auth.js";
import type { ReadRequest } from "../../../identity/authorization.js";
import { InvalidGrant, InvalidTokenRequest } from "../../../identity/errors.js";
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  answerAddress,
  PAGE_CLIENT,
  pageAddress,
  type Refusal,
} from "../../../identity/sign-in/authorization-request.js";
import { formKey, isCookie, newCookie } from "../../../identity/sign-in/sign-in-sessions.js";
import { DomainError, RetryLater } from "../../../platform/errors.js";
import type { Caller } from "../../contract/caller.js";
import { httpTraits } from "../../contract/error-table.js";
import type { AnyRequest } from "../../contract/operation.js";
import { refusedPage, signInPage } from "../../formats/pages/sign-in-page.js";
import { NO_STORE } from "../common/caching.js";
import type { Handler, Services } from "../services.js";

/** The path of the operation, and the cookie's Path. */
const PATH = `${PREFIX}/auth/v2/authorize`;

const to = (address: string, headers: Record<string, string> = {}) =>
  ({
    status: 303,
    headers: { Location: address, ...NO_STORE, ...headers },
  }) as const;

const isSecure = ({ base }: Caller): boolean => base.startsWith("https:");
/** Browsers accept the `__Secure-` prefix only over https (RFC 6265bis, 4.1.3.1). */
const cookieName = (caller: Caller): string =>
  `${isSecure(caller) ? "__Secure-" : ""}climate-nextgen-sign-in`;

/** A session cookie; the store may end the session earlier. */
function setCookie(caller: Caller, value: string): Record<string, string> {
  const path = new URL(caller.base + PATH).pathname;
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${isSecure(caller) ? "; Secure" : ""}`;
  return { "Set-Cookie": `${cookieName(caller)}=${value}; ${attributes}` };
}

function cookieOf(caller: Caller): string | undefined {
  const value = caller.cookie(cookieName(caller));
  return isCookie(value) ? value : undefined;
}

/** Answers a request that cannot lead to a code. */
function refused(received: Exclude<ReadRequest, { kind: "asks" }>, request: AnyRequest) {
  const { caller, context } = request;
  if (received.kind === "refused") {
    return to(answerAddress(received.to, issuerOf(caller.base), received.refusal));
  }
  context.problem = new InvalidTokenRequest(received.reason);
  return { status: 400, type: "text/html", ...refusedPage(received.reason) } as const;
}

const LOGIN_REQUIRED: Refusal = {
  error: "login_required",
  description: "No user is signed in with this browser.",
};
const CANCELLED: Refusal = { error: "access_denied", description: "The user did not sign in." };

function form(
  request: AuthorizationRequest,
  caller: Caller,
  cookie: string,
  given: { readonly username: string; readonly problem: string | undefined },
) {
  const { clientId, redirectUri, scope, state, challenge, prompt } = request;
  const shown = {
    hidden: {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      prompt,
      form_key: formKey(cookie),
    },
    application: clientId === PAGE_CLIENT ? undefined : clientId,
    cancel: answerAddress(request, issuerOf(caller.base), CANCELLED),
    ...given,
  };
  const { body, headers } = signInPage(shown, redirectUri);
  return {
    body,
    headers: { ...headers, ...setCookie(caller, cookie) },
    type: "text/html",
  } as const;
}

/** Redirects to the outside provider, if configured. If it is not available, the client receives an error. */
async function toProvider(request: AuthorizationRequest, caller: Caller, services: Services) {
  const issuer = issuerOf(caller.base);
  const address = await services.auth.authorization.providerAddress(request).catch((error) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return answerAddress(request, issuer, refusal);
  });
  return address && to(address);
}

/** Shows a sign-in page, or issues a code at once if this browser is signed in. */
export const authorize: Handler<"authorize"> = async ({ query, caller, context }, services) => {
  const { authorization } = services.auth;
  const received = await authorization.read(query, pageAddress(caller.base));
  if (received.kind !== "asks") return refused(received, { caller, context });
  const { request } = received;
  const away = await toProvider(request, caller, services);
  if (away) return away;
  const issuer = issuerOf(caller.base);
  const cookie = cookieOf(caller);
  try {
    const code = cookie && (await authorization.codeOfSession(request, cookie));
    if (code) return to(answerAddress(request, issuer, { code }));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    // Otherwise the sign-in page follows: the failure may have passed by then.
    if (request.prompt === "none") return to(answerAddress(request, issuer, refusal));
  }
  if (request.prompt === "none") return to(answerAddress(request, issuer, LOGIN_REQUIRED));
  const blank = { username: "", problem: undefined };
  return { status: 200, ...form(request, caller, cookie ?? newCookie(), blank) };
};

/** Message for a form that was not made for this browser, or is too old. */
const STALE =
  "This form cannot be used any more. Please sign in once more; if that happens again, your browser keeps no cookies of this service.";

/** Exchanges the name and password of the sign-in form for a code. */
export const signIn: Handler<"signIn"> = async ({ body, caller, context }, services) => {
  const arrived = Date.now();
  const { authorization } = services.auth;
  const { username = "", password = "", form_key: key, ...parameters } = body;
  const received = await authorization.read(
    parameters as AuthorizationParameters,
    pageAddress(caller.base),
  );
  if (received.kind !== "asks") return refused(received, { caller, context });
  const { request } = received;
  const away = await toProvider(request, caller, services);
  if (away) return away;
  const cookie = cookieOf(caller);
  const formWith = (problem: string) =>
    form(request, caller, cookie ?? newCookie(), { username, problem });
  if (cookie === undefined || key !== formKey(cookie) || caller.isFromElsewhere()) {
    context.problem = new InvalidTokenRequest(STALE);
    return { status: 403, ...formWith(STALE) };
  }
  if (username === "" || password === "") {
    return { status: 200, ...formWith("Please give your user name and your password.") };
  }
  context.record({ grant: "password", client: request.clientId });
  try {
    const signedIn = await authorization.signIn(
      request,
      { username, password },
      { address: caller.address, arrived },
      cookie,
    );
    const { sub, name } = signedIn.user;
    const issuer = issuerOf(caller.base);
    context.record({ holder: { sub, name, issuer } });
    const { code } = signedIn;
    return to(answerAddress(request, issuer, { code }), setCookie(caller, signedIn.cookie));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Only counted attempts are recorded, so that nobody can fill the audit with names.
    if (error instanceof InvalidGrant) context.record({ name: username });
    context.problem = error;
    const { status, detail, retryAfter } = httpTraits(error.kind);
    const seconds = error instanceof RetryLater ? error.retryAfter : (retryAfter ?? 1);
    const page = formWith(detail ?? error.message);
    const waiting = { ...page, headers: { ...page.headers, "Retry-After": String(seconds) } };
    if (status === 401) return { status: 403, ...page };
    if (status === 429 || status === 503) return { status, ...waiting };
    throw error;
  }
};

/** The error for the client that requested a code: only temporary failures are reported to it (RFC 6749, 4.1.2.1). */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof DomainError) || httpTraits(error.kind).status !== 503) return undefined;
  const { detail } = httpTraits(error.kind);
  return { error: "temporarily_unavailable", description: detail ?? error.message };
}
