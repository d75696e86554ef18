/** The access token of a long command, renewed before it expires. */
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { refreshTokenOf } from "../accounts/refresh-token.js";
import { optionalToken } from "../client/authenticate.js";
import { DEFAULT_HOST } from "../client/service-address.js";

interface SignInOptions {
  readonly host?: string | undefined;
  readonly username?: string | undefined;
  readonly refreshTokenFile?: string | undefined;
}

interface Known {
  readonly text: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** A token for scripts, which needs no renewal. */
const VARIABLE = "CLIMATE_NEXTGEN_TOKEN";
/** Seconds of lifetime that a token must have left. */
const MIN_LEFT = 60;

export class TokenSource {
  readonly #host: string;
  readonly #username: string | undefined;
  readonly #refreshToken: string | undefined;
  #known: Known | undefined;
  /** Several transfers share one. */
  readonly #renewals = new SingleFlight<Known | undefined>();

  private constructor(host: string, username?: string, refreshToken?: string) {
    this.#host = host;
    this.#username = username;
    this.#refreshToken = refreshToken;
  }

  static async open(options: SignInOptions): Promise<TokenSource> {
    const { host = DEFAULT_HOST, username } = options;
    const refreshToken = await refreshTokenOf(options);
    const source = new TokenSource(host, username, refreshToken);
    const fixed = process.env[VARIABLE]?.trim();
    if (fixed && username === undefined && refreshToken === undefined) {
      source.#known = { text: fixed, expires: Number.POSITIVE_INFINITY };
    }
    return source;
  }

  /** A token that is valid for a while; undefined if nobody has signed in. */
  async get(): Promise<string | undefined> {
    const now = Date.now() / 1000;
    if (this.#known !== undefined && this.#known.expires > now + MIN_LEFT) return this.#known.text;
    this.#known = await this.#renewals.join(() => this.#renew());
    return this.#known?.text;
  }

  async #renew(): Promise<Known | undefined> {
    const [host, username, refreshToken] = [this.#host, this.#username, this.#refreshToken];
    const token = await optionalToken({ host, username, refreshToken });
    return token && { text: token.access_token, expires: token.expires };
  }
}
