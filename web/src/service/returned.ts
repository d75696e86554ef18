/**
 * The answer of a sign-in page in the address. It is removed before anything else runs, and the previous address
 * restored, so that it stays out of history, bookmarks and copies. Back leads through the sign-in page, which answers
 * once more: that answer signs nobody in, and leads to the same address.
 */
import { ifAllowed } from "./allowed.js";

/** The address where the user signs in. */
export interface SignInPlace {
  readonly endpoint: string;
  /** The expected issuer (RFC 9207); empty if an outside provider answers under its own name. */
  readonly issuer: string;
  /** The page's redirect URI. */
  readonly page: string;
}

/** Kept in the tab during the sign-in: no token, and useless without the code. */
export interface PendingSignIn {
  readonly place: SignInPlace;
  readonly state: string;
  readonly verifier: string;
  /** Path and query before the sign-in. */
  readonly back: string;
  /** Set if the issuer must not ask the user (`prompt=none`): for a tab that was signed in, or for a new one. */
  readonly silent: "again" | "new tab" | undefined;
}

export interface Returned {
  readonly pending: PendingSignIn;
  readonly code: string | undefined;
  readonly error: string | undefined;
}

const KEY = "climate-nextgen sign-in";
/** The start addresses of answered sign-ins: pairs of state and address, the latest last. */
const ANSWERED = "climate-nextgen answered";
const MAX_ANSWERED = 20;

type Answered = readonly (readonly [state: string, back: string])[];

const session = ifAllowed(() => sessionStorage);

const answered = (): Answered => JSON.parse(session?.getItem(ANSWERED) ?? "[]") as Answered;

/** @throws DOMException if the browser stores nothing: the answer could not be recognised */
export const remember = (pending: PendingSignIn): void =>
  sessionStorage.setItem(KEY, JSON.stringify(pending));

function takePending(): PendingSignIn | undefined {
  const text = session?.getItem(KEY) ?? undefined;
  session?.removeItem(KEY);
  return text === undefined ? undefined : (JSON.parse(text) as PendingSignIn);
}

function takeAnswer(): Returned | undefined {
  const query = new URLSearchParams(location.search);
  const [code, error, state] = ["code", "error", "state"].map((name) => query.get(name));
  const isAnswer = location.pathname.endsWith("/account") && state !== null && (code || error);
  if (!isAnswer) return undefined;
  const pending = takePending();
  // Rejects an answer that this tab has not requested.
  const isOurs =
    pending !== undefined &&
    pending.state === state &&
    (pending.place.issuer === "" || pending.place.issuer === query.get("iss"));
  const known = answered();
  const address = isOurs ? pending.back : known.find(([of]) => of === state)?.[1];
  const back = address === undefined ? undefined : new URL(address, location.origin);
  // Never leads to another origin.
  const isHere = back?.origin === location.origin;
  history.replaceState(null, "", isHere ? back.pathname + back.search : location.pathname);
  if (isOurs) {
    const kept = [...known, [state, pending.back]].slice(-MAX_ANSWERED);
    session?.setItem(ANSWERED, JSON.stringify(kept));
  }
  return isOurs ? { pending, code: code ?? undefined, error: error ?? undefined } : undefined;
}

/** Undefined if the page was not opened by a sign-in page. */
export const returned: Returned | undefined = takeAnswer();
