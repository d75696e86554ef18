/**
 * Who is signed in. Tokens are kept in the memory of this tab and nowhere else.
 *
 * After a reload they are gone. A tab that had been signed in then goes once to the authorization endpoint, which asks nobody
 * and sends it back with a code where the browser's session is still good; the page stays where it was.
 */
import { signal } from "@preact/signals";
import { PREFIX } from "../../../generated/prefix.js";
import { root } from "../address/address.js";
import { words } from "../words/session.js";
import { CLIENT, giveUp, issuerMetadata, type Tokens, tokensFor, whoHas } from "./issuer.js";
import { challengeOf, randomText } from "./pkce.js";
import { Refused } from "./problem.js";
import { type Returned, remember, returned, type SignInPlace } from "./returned.js";

export interface Holder {
  readonly name: string;
  readonly email?: string | undefined;
}

/** Undefined where nobody is signed in. */
export const holder = signal<Holder | undefined>(undefined);
/** What is to be said about it: why nobody is signed in, where that was not asked for, and what is left to do. */
export interface SignInNote {
  /** In sentences. */
  readonly text: string;
  /** Where the outside provider ends its own session with this browser. */
  readonly signOutThere?: string;
}

export const signInNote = signal<SignInNote | undefined>(undefined);
const note = (text: string): void => {
  signInNote.value = { text };
};

/** That this tab was signed in; where its sign-in page is, so that a reload need not ask for that. */
const FLAG = "climate-nextgen signed in";

/** The last tenth of a token's life, and no more than so many seconds: in it a token is renewed. */
const EARLY = 30;

interface Held {
  readonly access: string;
  readonly refresh: string;
  /** By this machine's clock, in milliseconds since 1970. */
  readonly ends: number;
  readonly renewed: number;
}

let held: Held | undefined;
let renewing: Promise<void> | undefined;
/** While a code is being redeemed requests wait, so that none goes out unsigned. */
let entering: Promise<void> | undefined;

function heldOf({ access_token, refresh_token, expires_in }: Tokens): Held {
  const ends = Date.now() + expires_in * 1000;
  const renewed = ends - Math.min(EARLY, expires_in / 10) * 1000;
  return { access: access_token, refresh: refresh_token, ends, renewed };
}

/** For the Authorization header of a request to the service, renewed where it has run out. */
export async function accessToken(): Promise<string | undefined> {
  await entering;
  if (held !== undefined && held.renewed < Date.now()) {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
  return held?.access;
}

async function renew(): Promise<void> {
  const { refresh = "", ends = 0 } = held ?? {};
  if (refresh === "") {
    if (ends < Date.now()) forget(words.over);
    return;
  }
  try {
    held = heldOf(await tokensFor({ grant_type: "refresh_token", refresh_token: refresh }));
  } catch (error) {
    // A service that is away or busy says nothing about who is signed in.
    if (error instanceof Refused && error.status === 401) forget(words.over);
  }
}

/** @param why where that was not asked for */
function forget(why?: string): void {
  held = undefined;
  sessionStorage.removeItem(FLAG);
  holder.value = undefined;
  signInNote.value = why === undefined ? undefined : { text: why };
}

/** Tells the other tabs of this browser that somebody has signed out; nothing else is ever said there. */
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(FLAG);
if (tabs) tabs.onmessage = () => forget(words.elsewhere);

async function placeOf(): Promise<SignInPlace> {
  const metadata = await issuerMetadata();
  const { issuer, authorization_endpoint: endpoint } = metadata;
  const isOwn = metadata.authorization_response_iss_parameter_supported;
  const base = issuer.slice(0, -PREFIX.length);
  return { endpoint, issuer: isOwn ? issuer : "", page: `${base}/account` };
}

async function leave(place: SignInPlace, silent: boolean): Promise<void> {
  const [state, verifier] = [randomText(), randomText()];
  const address = new URL(place.endpoint);
  const parameters = {
    ...{ response_type: "code", client_id: CLIENT, redirect_uri: place.page, state },
    ...{ code_challenge: await challengeOf(verifier), code_challenge_method: "S256" },
    ...(silent && { prompt: "none" }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const back = location.pathname + location.search;
  remember({ place, state, verifier, back, silent });
  if (silent) location.replace(address);
  else location.assign(address);
}

/** Leads to the sign-in page and back to where the page is now. */
export function signIn(): void {
  signInNote.value = undefined;
  begin().catch((error: unknown) => {
    note(error instanceof Error ? error.message : words.failed);
  });
}

async function begin(): Promise<void> {
  const place = await placeOf();
  // Codes go to the service's one public address; somebody who came by another one goes there first.
  if (new URL(place.page).origin !== location.origin) {
    const here = location.pathname.slice(root.length) + location.search;
    location.assign(new URL(here, place.page));
    return;
  }
  if (!isSecureContext) throw new Error(words.needsHttps);
  await leave(place, false);
}

/**
 * Ends the sign-in, in all tabs, and with this browser. An outside provider goes on knowing the browser: the note says so, and
 * leads to where it forgets it.
 *
 * @throws Refused, Unreachable where the service could not be told; this tab has forgotten its tokens all the same
 */
export async function signOut(): Promise<void> {
  const { refresh, access } = held ?? {};
  const isOutside = refresh !== undefined && !refresh.startsWith("cnr_");
  forget(isOutside ? words.outside : undefined);
  tabs?.postMessage("signed out");
  const token = refresh || access;
  const [there] = await Promise.all([
    isOutside ? issuerMetadata() : undefined,
    token === undefined ? undefined : giveUp(token),
  ]);
  const signOutThere = there?.end_session_endpoint;
  if (signOutThere !== undefined && signInNote.value?.text === words.outside) {
    signInNote.value = { text: words.outside, signOutThere };
  }
}

/** Takes up what a sign-in page gave, or what a reload has interrupted. @returns true where the page is being left */
export async function resume(): Promise<boolean> {
  const place = sessionStorage.getItem(FLAG);
  // Set again once it has worked, so that what goes wrong goes wrong once.
  sessionStorage.removeItem(FLAG);
  if (returned !== undefined) {
    entering = enter(returned).finally(() => {
      entering = undefined;
    });
    return false;
  }
  if (place === null || !isSecureContext) return false;
  try {
    await leave(JSON.parse(place) as SignInPlace, true);
    return true;
  } catch {
    return false;
  }
}

async function enter({ leaving, code, error }: Returned): Promise<void> {
  const { place, verifier, silent } = leaving;
  if (code === undefined) {
    // Nobody was asked, and nobody answers; or somebody went back by themselves.
    const isPlain = error === "access_denied" || (silent && error === "login_required");
    if (!isPlain) note(words.failed);
    else if (silent) note(words.over);
    return;
  }
  try {
    const tokens = await tokensFor({
      ...{ grant_type: "authorization_code", code, code_verifier: verifier },
      redirect_uri: place.page,
    });
    const { preferred_username: name, email } = await whoHas(tokens.access_token);
    held = heldOf(tokens);
    sessionStorage.setItem(FLAG, JSON.stringify(place));
    holder.value = { name, email };
  } catch (failure) {
    note(failure instanceof Refused ? words.failed : words.unreachable);
  }
}
