/**
 * The signed-in user. Tokens are kept in this tab's memory only.
 *
 * A new or reloaded tab has none. If somebody is signed in with this browser, it goes once to the authorization
 * endpoint with `prompt=none`. If the browser's session there is still valid, it comes back with a code and shows the
 * same address. No tab gets a token of another.
 */
import { signal } from "@preact/signals";
import { PREFIX } from "../../../generated/prefix.js";
import { root } from "../address/address.js";
import { words } from "../words/account.js";
import { ifAllowed } from "./allowed.js";
import {
  CLIENT,
  challengeOf,
  issuerMetadata,
  randomText,
  revokeToken,
  type Tokens,
  tokensFor,
  userOf,
} from "./issuer.js";
import { Refused } from "./problem.js";
import {
  type PendingSignIn,
  type Returned,
  remember,
  returned,
  type SignInPlace,
} from "./returned.js";

interface CurrentUser {
  readonly name: string;
  readonly email?: string | undefined;
}

/** Undefined if nobody is signed in. */
export const currentUser = signal<CurrentUser | undefined>(undefined);
/** A message about the sign-in: why it ended by itself, or what is left to do. */
interface SignInNote {
  readonly text: string;
  /** The address where the outside provider ends its own session. */
  readonly signOutThere?: string;
}

export const signInNote = signal<SignInNote | undefined>(undefined);
const note = (text: string): void => {
  signInNote.value = { text };
};

/**
 * Marks a browser that is signed in, for all its tabs; holds the sign-in page, so that a new tab need not request it.
 * Several services may share an origin.
 */
const FLAG = `climate-nextgen signed in ${root}`;
/** Marks a tab that was signed in. */
const WAS_IN = "climate-nextgen was signed in";
/** Marks a tab whose silent sign-in has not come back: it is not repeated at once. */
const TRIED = "climate-nextgen tried to sign in";

const local = ifAllowed(() => localStorage);
const session = ifAllowed(() => sessionStorage);

/** Seconds. A token is renewed in the last tenth of its life, but no earlier than this before its end. */
const MAX_EARLY = 30;

interface Held {
  readonly access: string;
  readonly refresh: string;
  /** By this machine's clock, in milliseconds since 1970. */
  readonly ends: number;
  readonly renewed: number;
}

let held: Held | undefined;
/** How many sign-ins of this tab have ended: tokens that were requested before the last of them are not taken. */
let endings = 0;
let renewing: Promise<void> | undefined;
/** Requests wait while a code is redeemed, so that none is sent without its token. */
let redeeming: Promise<void> | undefined;
/** Whether a code is being redeemed. */
export const signingIn = signal(false);

function heldOf({ access_token, refresh_token, expires_in }: Tokens): Held {
  const ends = Date.now() + expires_in * 1000;
  const renewed = ends - Math.min(MAX_EARLY, expires_in / 10) * 1000;
  return { access: access_token, refresh: refresh_token, ends, renewed };
}

/** The token for a request, renewed if it has expired. */
export async function accessToken(): Promise<string | undefined> {
  await redeeming;
  if (held !== undefined && held.renewed < Date.now()) {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
  return held?.access;
}

/** Keeps new tokens; revokes them if a sign-in has ended since the request. @param before `endings` at the request */
async function keep(tokens: Tokens, before: number): Promise<boolean> {
  const found = heldOf(tokens);
  if (endings === before) held = found;
  else await revokeToken(found.refresh || found.access);
  return endings === before;
}

async function renew(): Promise<void> {
  const { refresh = "", ends = 0 } = held ?? {};
  const before = endings;
  if (refresh === "") {
    if (ends < Date.now()) forget(words.over);
    return;
  }
  try {
    await keep(await tokensFor({ grant_type: "refresh_token", refresh_token: refresh }), before);
  } catch (error) {
    // An unreachable or busy service says nothing about the sign-in.
    const isOver = error instanceof Refused && error.status === 401;
    if (isOver && endings === before) forget(words.over);
  }
}

/** @param why if the user did not sign out */
function forget(why?: string): void {
  held = undefined;
  endings += 1;
  session?.removeItem(WAS_IN);
  currentUser.value = undefined;
  signInNote.value = why === undefined ? undefined : { text: why };
}

/** Tells the other tabs about a sign-out; carries nothing else. */
const tabs = ifAllowed(() => new BroadcastChannel(FLAG));
if (tabs) tabs.onmessage = () => forget(words.elsewhere);

async function placeOf(): Promise<SignInPlace> {
  const metadata = await issuerMetadata();
  const { issuer, authorization_endpoint: endpoint } = metadata;
  const isOwn = metadata.authorization_response_iss_parameter_supported;
  const base = issuer.slice(0, -PREFIX.length);
  return { endpoint, issuer: isOwn ? issuer : "", page: `${base}/account` };
}

async function goToSignIn(place: SignInPlace, silent: PendingSignIn["silent"]): Promise<void> {
  const [state, verifier] = [randomText(), randomText()];
  const address = new URL(place.endpoint);
  const parameters = {
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: place.page,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: "S256",
    ...(silent !== undefined && { prompt: "none" }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const back = location.pathname + location.search;
  remember({ place, state, verifier, back, silent });
  if (silent !== undefined) location.replace(address);
  else location.assign(address);
}

/** Goes to the sign-in page and back to the current address. */
export function signIn(): void {
  signInNote.value = undefined;
  begin().catch((error: unknown) => {
    note(error instanceof Error ? error.message : words.failed);
  });
}

async function begin(): Promise<void> {
  const place = await placeOf();
  // Codes are sent to the service's one public address; users of another address go there first.
  if (new URL(place.page).origin !== location.origin) {
    const here = location.pathname.slice(root.length) + location.search;
    location.assign(new URL(here, place.page));
    return;
  }
  if (!isSecureContext) throw new Error(words.needsHttps);
  await goToSignIn(place, undefined);
}

/**
 * Signs out in all tabs of this browser. An outside provider still knows the browser: the note says so, with a link to
 * sign out there.
 *
 * @throws Refused, Unreachable if the service could not be told; this tab has dropped its tokens all the same
 */
export async function signOut(): Promise<void> {
  const { refresh, access } = held ?? {};
  const isOutside = refresh !== undefined && !refresh.startsWith("cnr_");
  forget(isOutside ? words.outside : undefined);
  local?.removeItem(FLAG);
  tabs?.postMessage("signed out");
  const token = refresh || access;
  const [there] = await Promise.all([
    isOutside ? issuerMetadata() : undefined,
    token === undefined ? undefined : revokeToken(token),
  ]);
  const signOutThere = there?.end_session_endpoint;
  if (signOutThere !== undefined && signInNote.value?.text === words.outside) {
    signInNote.value = { text: words.outside, signOutThere };
  }
}

/** Completes a sign-in, or begins a silent one. @returns true if the page is being left */
export async function resume(): Promise<boolean> {
  const place = local?.getItem(FLAG) ?? undefined;
  const [wasIn, wasTried] = [taken(WAS_IN), taken(TRIED)];
  if (returned !== undefined) {
    signingIn.value = true;
    redeeming = redeemCode(returned).finally(() => {
      redeeming = undefined;
      signingIn.value = false;
    });
    return false;
  }
  if (place === undefined || wasTried || !isSecureContext) return false;
  try {
    sessionStorage.setItem(TRIED, "");
    await goToSignIn(JSON.parse(place) as SignInPlace, wasIn ? "again" : "new tab");
    return true;
  } catch {
    return false;
  }
}

/** Whether the tab has a mark, which it loses. */
function taken(mark: string): boolean {
  const isMarked = typeof session?.getItem(mark) === "string";
  session?.removeItem(mark);
  return isMarked;
}

async function redeemCode({ pending, code, error }: Returned): Promise<void> {
  const { place, verifier, silent } = pending;
  if (code === undefined) {
    // The silent sign-in found no session, or the user went back.
    const isOver = silent !== undefined && error === "login_required";
    if (isOver) local?.removeItem(FLAG);
    if (isOver && silent === "again") note(words.over);
    if (!isOver && error !== "access_denied") note(words.failed);
    return;
  }
  const before = endings;
  try {
    const tokens = await tokensFor({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: place.page,
    });
    const { preferred_username: name, email } = await userOf(tokens.access_token);
    if (!(await keep(tokens, before))) return;
    local?.setItem(FLAG, JSON.stringify(place));
    session?.setItem(WAS_IN, "");
    currentUser.value = { name, email };
  } catch (failure) {
    if (endings !== before) return;
    note(failure instanceof Refused ? words.failed : words.unreachable);
  }
}
