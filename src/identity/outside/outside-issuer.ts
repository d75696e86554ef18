/**
 * The outside identity provider: its metadata, and the verification of its access tokens.
 *
 * Metadata and keys are fetched again when they are old, and when a token names an unknown key, but at most once in COOL_DOWN_MS,
 * whether the provider answers or not. While it is away, the last keys stay in use. jose's createRemoteJWKSet does not keep
 * these two rules: bench/outside-keys.ts.
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
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { IdentityUnavailable, InvalidToken } from "../errors.js";
import type { Principal } from "../principal.js";
import { ACCESS_TOKEN_TYPE, isCanonical, rejected } from "../tokens/access-token.js";
import { type AccountClaims, type AdministratorClaim, claimedAccount, hasClaim } from "./claims.js";
import { requestProvider } from "./provider-request.js";

export interface OutsideOptions {
  /** The address of the discovery document. */
  readonly discoveryUrl: string;
  /** The `aud` that a token must have. */
  readonly audience: string;
  /** The claim of administrators; without it nobody is one. */
  readonly administrators?: AdministratorClaim;
  /** The claims of accounts on this machine; without them users have none. */
  readonly accounts?: AccountClaims;
}

/** Asymmetric algorithms only: with a shared secret, everybody who can verify can sign. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

const FRESH_MS = 10 * 60_000;
const COOL_DOWN_MS = 15_000;
const TIMEOUT_MS = 5000;
/** Seconds by which the provider's clock may differ. */
const TOLERANCE = 5;

const metadata = z.looseObject({
  issuer: z.string(),
  jwks_uri: z.url(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  end_session_endpoint: z.url({ protocol: /^https?$/ }).optional(),
});
type OutsideMetadata = z.infer<typeof metadata>;

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

interface Known {
  readonly metadata: OutsideMetadata;
  readonly key: JWTVerifyGetKey;
  readonly fetched: number;
}

export class OutsideIssuer {
  #known: Known | undefined;
  #tried = Number.NEGATIVE_INFINITY;
  readonly #fetches = new SingleFlight<Known | undefined>();
  readonly #options: OutsideOptions;
  /** Gets one line if the provider cannot be reached or its answer is wrong. */
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

  async metadata(): Promise<OutsideMetadata> {
    return (await this.#current()).metadata;
  }

  /**
   * Verifies an access token: issuer, audience, algorithm, type and key must all fit.
   *
   * @throws IdentityUnavailable if the provider has never answered
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
    const { sub } = payload;
    // Everybody with an empty subject would be one person.
    if (typeof sub !== "string" || sub.trim() === "") {
      throw new InvalidToken("The access token names no subject.");
    }
    const text = (...names: string[]): string =>
      names.map((name) => payload[name]).find((value) => typeof value === "string") ?? "";
    const { administrators, accounts } = this.#options;
    const account = accounts && claimedAccount(payload, accounts);
    return {
      sub,
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
    const isFresh = this.#known !== undefined && this.#isWithin(FRESH_MS, this.#known.fetched);
    const renewing = isFresh ? undefined : this.#fetchSoon();
    // Old metadata and keys are used while they are renewed: the provider may hang.
    const known = this.#known ?? (await renewing);
    if (known === undefined) throw new IdentityUnavailable("nothing is known of the provider");
    return known;
  }

  /** Whether less time has passed since a moment. A moment to come is from a clock that was ahead, and long past. */
  #isWithin(milliseconds: number, since: number): boolean {
    const passed = this.#clock() - since;
    return passed >= 0 && passed < milliseconds;
  }

  /** Fetches, at most once in COOL_DOWN_MS. Concurrent callers share one request. */
  #fetchSoon(): Promise<Known | undefined> {
    return this.#fetches.join(async () => {
      if (this.#isWithin(COOL_DOWN_MS, this.#tried)) return this.#known;
      this.#tried = this.#clock();
      this.#known = (await this.#fetch()) ?? this.#known;
      return this.#known;
    });
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

/** Fetches a provider's metadata and keys. @throws Error if it does not answer, or answers for another issuer */
export async function askProvider(discoveryUrl: string, signal: AbortSignal) {
  const described = metadata.parse(await getJson(discoveryUrl, signal));
  checkIssuer(described.issuer, discoveryUrl);
  const keys = keySet.parse(await getJson(described.jwks_uri, signal));
  return { described, keys };
}

/** RFC 8414, 3.3: without this check one issuer could answer for another. */
function checkIssuer(issuer: string, discoveryUrl: string): void {
  const end = discoveryUrl.indexOf("/.well-known/");
  const expected = end < 0 ? discoveryUrl : discoveryUrl.slice(0, end);
  if (issuer.replace(/\/$/, "") === expected) return;
  throw new Error(`${discoveryUrl} speaks for another issuer, ${issuer}`);
}

/** RFC 9068 defines a `typ` header for access tokens; Keycloak has a `typ` claim instead. */
function isAccessToken(typ: unknown, payload: JWTPayload): boolean {
  const type = String(typ ?? "")
    .toLowerCase()
    .replace(/^application\//, "");
  return type === ACCESS_TOKEN_TYPE || (type === "jwt" && payload.typ === "Bearer");
}

async function getJson(url: string, signal: AbortSignal) {
  const headers = { Accept: "application/json" };
  const { isOk, status, text } = await requestProvider(url, { headers, signal });
  if (!isOk) throw new Error(`${url} answers ${status}`);
  return JSON.parse(text) as unknown;
}
