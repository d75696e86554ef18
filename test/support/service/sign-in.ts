/** Accounts and sign-ins for tests. */
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem, Token } from "../../../generated/schemas.js";
import { sharedAccounts } from "../../../src/identity/accounts/accounts.js";
import { PasswordHasher } from "../../../src/identity/accounts/password-hash.js";
import { Users } from "../../../src/identity/accounts/users.js";
import { StateCopy } from "../../../src/index/state/state-copy.js";
import type { StateStore } from "../../../src/index/state/state-store.js";
import type { TestService } from "./service.js";

/** A service to sign in at. */
export type SignInPlace = Pick<TestService, "address">;

export const PASSWORD = "correct horse battery staple";

/** Adds a user to a data folder; the name is new each time. */
export async function addUser(dataDir: string, name = `user-${crypto.randomUUID()}`) {
  const hasher = new PasswordHasher();
  const hash = await hasher.hash(PASSWORD);
  await hasher.close();
  return new Users(dataDir).add(name, `${name}@example.org`, hash);
}

/** Adds a user to the state that services of an outside Solr share; the name is new each time. */
export async function addSharedUser(state: StateStore, name = `user-${crypto.randomUUID()}`) {
  const hasher = new PasswordHasher();
  const hash = await hasher.hash(PASSWORD);
  await hasher.close();
  const quiet = { progress: () => {}, report: () => {} };
  const { users } = sharedAccounts(new StateCopy(state), "", {}, quiet);
  return users.add(name, `${name}@example.org`, hash);
}

/** Posts a form to the token endpoint, or to another one. */
export function post(
  service: SignInPlace,
  form: Record<string, string>,
  headers: Record<string, string> = {},
  endpoint = "token",
): Promise<Response> {
  return fetch(`${service.address}${PREFIX}/auth/v2/${endpoint}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
}

export async function signIn(
  service: SignInPlace,
  username: string,
  more: Record<string, string> = {},
): Promise<Token> {
  const response = await post(service, { username, password: PASSWORD, ...more });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Token;
}

export const refresh = (service: TestService, token: string): Promise<Response> =>
  post(service, { refresh_token: token });

export const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** A request with a body of JSON. @param token of its caller, if there is one */
export const jsonRequest = (method: string, body: unknown, token?: string): RequestInit => ({
  method,
  headers: {
    ...(token !== undefined && bearer(token).headers),
    "Content-Type": "application/json",
  },
  body: JSON.stringify(body),
});

export const status = (service: TestService, token: string): Promise<Response> =>
  service.get("/auth/v2/status", bearer(token));

export const problem = async (response: Response): Promise<Problem> =>
  (await response.json()) as Problem;
