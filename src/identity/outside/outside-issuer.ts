/**
 * The outside identity provider: what it says of itself, and its access tokens.
 *
 * Its keys are kept while it is away. They are fetched again when they are old, or when a token names one
 * that is not known, but not more often than once in a while, whatever tokens are sent.
 */
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import { z } from "zod";
import { type AccountClaims, claimedAccount } from "../accounts/claimed-account.js";
import { type AdministratorClaim, hasClaim } from "../administrators.js";
import { IdentityUnavailable, InvalidToken } from "../errors.js";
import type { Principal } from "../principal.js";
import { ACCESS_TOKEN_TYPE, isCanonical, rejected } from "../tokens/access-token.js";

export interface OutsideOptions {
  /** The address of its discovery document. */
  readonly discoveryUrl: string;
  /** Which `aud` a token must have. */
  readonly audience: string;
  /** What its tokens say of administrators; undefined: nobody is one. */
  readonly administrators?: AdministratorClaim;
  /** What its tokens say of accounts on this machine; undefined: nothing. */
  readonly accounts?: AccountClaims;
}

/** Asymmetric algorithms only: with a shared secret, whoever can verify could sign. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

const FRESH_MS = 10 * 60_000;
const COOL_DOWN_MS = 15_000;
const TIMEOUT_MS = 5000;
const MAX_ANSWER = 1_000_000;
/** Clocks of two organisations. */
const TOLERANCE = 5;

const metadata = z.looseObject({
  issuer: z.string(),
  jwks_uri: z.url(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  end_session_endpoint: z.url({ protocol: /^https?$/ }).optional(),
});
export type OutsideMetadata = z.infer<typeof metadata>;

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

interface Known {
  readonly metadata: OutsideMetadata;
  readonly key: JWTVerifyGetKey;
  readonly fetched: number;
}

export class OutsideIssuer {
  #known: Known | undefined;
  #tried = Number.NEGATIVE_INFINITY;
  #fetching: Promise<Known | undefined> | undefined;
  readonly #options: OutsideOptions;
  /** Gets one line when it cannot be reached or is not what it says. */
  readonly #report: (problem: string) => void;
  readonly #clock: () => number;

  constructor(
    options: OutsideOptions,
    report: (problem: string) => void,
    clock: () => number = Date.now,
  ) {
    this.#options = options;
    this.#report = report;
    this.#clock = clock;
  }

  /** What the provider says of itself. @throws IdentityUnavailable */
  async metadata(): Promise<OutsideMetadata> {
    return (await this.#current()).metadata;
  }

  /**
   * Verifies one of its access tokens: issuer, audience, algorithm, type and key must all fit.
   *
   * @throws InvalidToken; IdentityUnavailable when nothing is known of the provider yet
   */
  async verify(token: string): Promise<Principal> {
    if (!isCanonical(token)) throw new InvalidToken("The access token is not valid.");
    const known = await this.#current();
    try {
      return await this.#verifyWith(token, known);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw rejected(error);
    }
    const renewed = await this.#fetchSoon();
    if (renewed === undefined || renewed === known) {
      throw new InvalidToken("The access token is not valid.");
    }
    return await this.#verifyWith(token, renewed).catch((error) => {
      throw rejected(error);
    });
  }

  async #verifyWith(token: string, { metadata, key }: Known): Promise<Principal> {
    const { typ } = decodeProtectedHeader(token);
    const { payload } = await jwtVerify(token, key, {
      issuer: metadata.issuer,
      audience: this.#options.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ["sub", "exp"],
      clockTolerance: TOLERANCE,
      currentDate: new Date(this.#clock()),
    });
    if (!isAccessToken(typ, payload)) throw new InvalidToken("This is not an access token.");
    const text = (...names: string[]): string =>
      names.map((name) => payload[name]).find((value) => typeof value === "string") ?? "";
    const { administrators, accounts } = this.#options;
    const account = accounts && claimedAccount(payload, accounts);
    return {
      sub: payload.sub ?? "",
      username: text("preferred_username", "username", "sub"),
      email: text("email"),
      scope: text("scope"),
      clientId: text("client_id", "azp"),
      issuer: metadata.issuer,
      expires: payload.exp ?? 0,
      isAdministrator: administrators !== undefined && hasClaim(payload, administrators),
      ...(account && { account }),
    };
  }

  async #current(): Promise<Known> {
    const isFresh = this.#known !== undefined && this.#clock() - this.#known.fetched < FRESH_MS;
    const renewing = isFresh ? undefined : this.#fetchSoon();
    // What is known goes on while it is renewed: the provider may hang.
    const known = this.#known ?? (await renewing);
    if (known === undefined) throw new IdentityUnavailable("nothing is known of the provider");
    return known;
  }

  /** Fetches unless that was tried a moment ago; many who ask at once share one request. */
  async #fetchSoon(): Promise<Known | undefined> {
    if (this.#fetching !== undefined) return this.#fetching;
    if (this.#clock() - this.#tried < COOL_DOWN_MS) return this.#known;
    this.#tried = this.#clock();
    this.#fetching = this.#fetch();
    try {
      this.#known = (await this.#fetching) ?? this.#known;
      return this.#known;
    } finally {
      this.#fetching = undefined;
    }
  }

  async #fetch(): Promise<Known | undefined> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { described, keys } = await askProvider(this.#options.discoveryUrl, signal);
      const key = createLocalJWKSet(keys as JSONWebKeySet);
      return { metadata: described, key, fetched: this.#clock() };
    } catch (error) {
      this.#report(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

/** What a provider says of itself now, and its keys. @throws where it does not answer, or is not who was asked */
export async function askProvider(discoveryUrl: string, signal: AbortSignal) {
  const { value, date } = await getJson(discoveryUrl, signal);
  const described = metadata.parse(value);
  checkIssuer(described.issuer, discoveryUrl);
  const keys = keySet.parse((await getJson(described.jwks_uri, signal)).value);
  return { described, keys, date };
}

/** RFC 8414, 3.3: who answers must be who was asked, or one issuer could speak for another. */
function checkIssuer(issuer: string, discoveryUrl: string): void {
  const end = discoveryUrl.indexOf("/.well-known/");
  const expected = end < 0 ? discoveryUrl : discoveryUrl.slice(0, end);
  if (issuer.replace(/\/$/, "") === expected) return;
  throw new Error(`${discoveryUrl} speaks for another issuer, ${issuer}`);
}

/** RFC 9068 has a type of its own; Keycloak says in the claims what kind of token it is. */
function isAccessToken(typ: unknown, payload: JWTPayload): boolean {
  const type = String(typ ?? "")
    .toLowerCase()
    .replace(/^application\//, "");
  return type === ACCESS_TOKEN_TYPE || (type === "jwt" && payload.typ === "Bearer");
}

/** @returns what it answers, and when that was by its own clock, as it says */
async function getJson(url: string, signal: AbortSignal) {
  const response = await fetch(url, {
    headers: { Accept: "application/json" },
    redirect: "error",
    signal,
  });
  const text = await response.text();
  if (!response.ok || text.length > MAX_ANSWER)
    throw new Error(`${url} answers ${response.status}`);
  return { value: JSON.parse(text) as unknown, date: response.headers.get("Date") ?? undefined };
}
