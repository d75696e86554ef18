/**
 * What a sign-in page has put into the address. It is taken out of there before anything else of the page runs, and the page is
 * again where the person had left it, so that nothing of it stands in history, in a bookmark or in what is copied.
 */

/** Where one signs in. */
export interface SignInPlace {
  readonly endpoint: string;
  /** Who must have answered (RFC 9207); empty where an outside provider does, under its own name. */
  readonly issuer: string;
  /** The one address of the page that answers come to. */
  readonly page: string;
}

/** What the tab remembers while somebody is on the sign-in page: no token, and of no use to anybody without the code. */
export interface Leaving {
  readonly place: SignInPlace;
  readonly state: string;
  readonly verifier: string;
  /** Where the page was: path and query. */
  readonly back: string;
  /** Whether nobody was to be asked. */
  readonly silent: boolean;
}

export interface Returned {
  readonly leaving: Leaving;
  readonly code: string | undefined;
  readonly error: string | undefined;
}

const KEY = "climate-nextgen sign-in";

/** For the way back. */
export const remember = (leaving: Leaving): void =>
  sessionStorage.setItem(KEY, JSON.stringify(leaving));

function taken(): Leaving | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as Leaving);
}

function take(): Returned | undefined {
  const query = new URLSearchParams(location.search);
  const [code, error, state] = ["code", "error", "state"].map((name) => query.get(name));
  const isAnswer = location.pathname.endsWith("/account") && state !== null && (code || error);
  if (!isAnswer) return undefined;
  const leaving = taken();
  // An answer that this tab has not asked for is nobody's.
  const isOurs =
    leaving !== undefined &&
    leaving.state === state &&
    (leaving.place.issuer === "" || leaving.place.issuer === query.get("iss"));
  const back = isOurs ? new URL(leaving.back, location.origin) : undefined;
  // What is remembered came from this page, and leads nowhere else.
  const isHere = back?.origin === location.origin;
  history.replaceState(null, "", isHere ? back.pathname + back.search : location.pathname);
  return isOurs ? { leaving, code: code ?? undefined, error: error ?? undefined } : undefined;
}

/** Undefined where nobody comes back from a sign-in page. */
export const returned: Returned | undefined = take();
