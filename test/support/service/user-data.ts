/** Registers and deletes user data in tests, and reads the index. */
import type { StateStore } from "../../../src/index/state/state-store.js";
import type { TestService } from "./service.js";
import { addSharedUser, addUser, type SignInPlace, signIn } from "./sign-in.js";

/** A service that takes requests. */
export type Reached = Pick<TestService, "get">;

export interface Person {
  readonly name: string;
  /** Identifies the account. */
  readonly sub: string;
  readonly token: string;
}

/** A new user who is signed in; the name is new each time unless it is given. */
export async function person(
  service: SignInPlace & Pick<TestService, "dataDir"> & { readonly state?: StateStore | undefined },
  name?: string,
): Promise<Person> {
  const { dataDir, state } = service;
  const user = state ? await addSharedUser(state, name) : await addUser(dataDir, name);
  const { access_token: token } = await signIn(service, user.name);
  return { name: user.name, sub: user.sub, token };
}

export type Entry = Readonly<Record<string, unknown>>;

/** An entry with all required fields. */
export const entry = (file: string, more: Entry = {}): Entry => ({
  file,
  variable: "tas",
  time: "[1985-01-01T00:00:00Z TO 1989-12-31T23:59:59Z]",
  time_frequency: "mon",
  ...more,
});

const request = (service: Reached, method: string, { token }: Person, body: unknown) =>
  service.get("/databrowser/userdata", {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

export const add = (
  service: Reached,
  who: Person,
  entries: readonly Entry[],
  facets?: Entry,
): Promise<Response> =>
  request(service, "POST", who, { user_metadata: entries, ...(facets && { facets }) });

export const send = request;

export const remove = (service: Reached, who: Person, selection: unknown): Promise<Response> =>
  request(service, "DELETE", who, selection);

/** The message of a 202. */
export async function message(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status !== 202) throw new Error(`${response.status}: ${text}`);
  return (JSON.parse(text) as { status: string }).status;
}

export const added = (count: number, duplicates = 0): string => {
  const success =
    count > 0
      ? `${count} have been successfully added to the databrowser.`
      : "No data was added to the databrowser.";
  const files = duplicates === 1 ? "1 file was a duplicate" : `${duplicates} files were duplicates`;
  return `${success} ${files} and not added.`;
};

export const deleted = (count: number): string =>
  `User data has been deleted successfully. ${
    count === 1 ? "1 document of user data has" : `${count} documents of user data have`
  } been deleted`;

export type Stored = Readonly<Record<string, unknown>> & { readonly file: string };

/** The documents that a query finds, by file. */
export async function stored(service: Pick<TestService, "solr">, query = "*:*"): Promise<Stored[]> {
  const form = { q: query, rows: "100000", sort: "file asc", fl: "*", wt: "json" };
  const { text } = await service.solr.http.send({
    method: "POST",
    path: "files/select",
    body: new URLSearchParams(form).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  const { response } = JSON.parse(text) as { response: { docs: Stored[] } };
  return response.docs.map(
    ({ _version_, latest, _dataset_, _dataset_version_, ...rest }) => rest as Stored,
  );
}

/** The files that a search in the flavour `user` lists. */
export async function listed(
  service: Reached,
  query: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const found = await service.get(
    `/databrowser/data-search/user/file?${new URLSearchParams(query)}`,
  );
  if (found.status !== 200) throw new Error(`${found.status}: ${await found.text()}`);
  return (await found.text()).split("\n").slice(0, -1).sort();
}
