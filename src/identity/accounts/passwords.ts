/** Checks names and passwords, as counted attempts. No other code checks passwords. */
import type { LoginLimiter } from "../sign-in/login-limiter.js";
import { network } from "../sign-in/network.js";
import type { PasswordHasher } from "./password-hash.js";
import type { User, Users } from "./users.js";

interface PasswordParts {
  readonly users: Users;
  readonly hasher: PasswordHasher;
  readonly limiter: LoginLimiter;
}

export class Passwords {
  readonly #parts: PasswordParts;

  constructor(parts: PasswordParts) {
    this.#parts = parts;
  }

  /**
   * The account that a name and a password belong to.
   *
   * @param fallback another check if name and password match no account; receives the account of that name, if there is one
   * @param next goes on with the account while the attempt is subtracted from the failed ones
   * @returns undefined if name or password is wrong
   */
  async check<T = never, R = User | T>(
    username: string,
    password: string,
    address: string,
    fallback?: (user: User | undefined, from: string) => Promise<T | undefined>,
    next?: (found: User | T) => Promise<R>,
  ): Promise<R | undefined> {
    const { hasher, limiter, users } = this.#parts;
    const client = [network(address), username] as const;
    let user: User | undefined;
    const check = async (isKnown: boolean): Promise<User | T | undefined> => {
      const isRight = await hasher.verify(password, user?.password, client, isKnown);
      // A disabled account is refused after the same work as a wrong password.
      return isRight && user?.disabled === false ? user : fallback?.(user, client[0]);
    };
    return limiter.guard<User | T, R>(username, address, check, {
      // Every name is read from the store: otherwise response times would reveal which names exist.
      isCounted: async () => {
        user = await users.current(username);
      },
      ...(next && { isGivenBack: next }),
    });
  }
}
