/** Gets the expected results by plain HTTP, and compares those of a client with them. */
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { unzipSync } from "fflate";
import { exampleCalls } from "./example-calls.js";

/** The output of a program of sdk/clients. */
export interface Report {
  /** From the overview. */
  readonly flavours: readonly string[];
  readonly facets_of_cmip6: readonly string[];
  /** Result of a search by two values of one facet. */
  readonly files: readonly string[];
  /** Count of the same search. */
  readonly total: number;
  readonly variables: readonly string[];
  /** Bytes of the STAC archive, which the program writes to stac.zip. */
  readonly archive: number;
  /** From the token obtained with a refresh token. */
  readonly email: string;
  /** Whether the refresh returned a new refresh token. */
  readonly renewed: boolean;
  /** The service's message. */
  readonly added: string;
  /** Result of a search after two files were added, and after one was deleted again. */
  readonly found: readonly string[];
  readonly deleted: string;
  readonly left: readonly string[];
  /** The answer to `time=tomorrow`, in the generated types. */
  readonly problem: Problem;
  /** For programs that call all search operations: each answer as text, or the number of its bytes. */
  readonly answers?: Answers;
}

type Answers = Readonly<Record<string, string | number>>;

interface Problem {
  readonly type: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly {
    readonly name: string;
    readonly location: string;
    readonly reason: string;
  }[];
}

/** The same values, obtained without a generated client. */
export interface Truth
  extends Pick<
    Report,
    "flavours" | "facets_of_cmip6" | "files" | "total" | "variables" | "email" | "problem"
  > {
  /** Files in the STAC archive. */
  readonly entries: readonly string[];
  /** The answer to the example of each operation. */
  readonly answers: Answers;
}

/** The facets that every program registers, as they must be in the index. */
const REGISTERED = {
  // Solr sorts the values.
  variable: ["pr", "tas"],
  model: ["my-model"],
  time_frequency: ["mon"],
  product: ["output"],
  bbox: "ENVELOPE(-10,30,70,35)",
};
const FREE = {
  additional_info: 'bias adjusted: "äöü"',
  modle: "no misspelling here",
  run: { seed: 7, ratio: 0.25, tags: ["a", "b"], final: true },
};

const SEARCH = "experiment_id=historical&variable_id=tas&variable_id=pr";

/** The account that clients use. */
interface Account {
  /** Address of the service, without the prefix. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

/** Asks the service by plain HTTP. @throws Error unless each of the two values adds results */
export async function truthOf(account: Account, email: string): Promise<Truth> {
  const { address } = account;
  const root = `${address}/api/climate-nextgen`;
  const api = `${root}/databrowser`;
  const get = async (path: string): Promise<Response> => fetch(`${api}/${path}`);
  const lines = async (query: string): Promise<string[]> =>
    (await (await get(`data-search/cmip6/file?${query}`)).text()).trim().split("\n");
  const overview = (await (await get("overview")).json()) as {
    flavours: string[];
    attributes: Record<string, string[]>;
  };
  const files = await lines(SEARCH);
  const single = ["tas", "pr"].map((name) => lines(`experiment_id=historical&variable_id=${name}`));
  const union = (await Promise.all(single)).flat().sort();
  if (union.length === Math.max(...(await Promise.all(single)).map(({ length }) => length))) {
    throw new Error("the catalogue has nothing that tells one value from two");
  }
  if (!isDeepStrictEqual([...files].sort(), union))
    throw new Error("two values are not their union");
  const counts = (await (await get(`metadata-search/cmip6/file?${SEARCH}`)).json()) as {
    total_count: number;
    facets: Record<string, string[]>;
  };
  const archive = await (await get(`stac-catalogue/cmip6/file?${SEARCH}`)).arrayBuffer();
  const refusal = await get("data-search/cmip6/file?time=tomorrow");
  return {
    ...{
      flavours: overview.flavours,
      facets_of_cmip6: overview.attributes.cmip6 ?? [],
      files,
      email,
    },
    total: counts.total_count,
    variables: counts.facets.variable_id ?? [],
    entries: namesIn(new Uint8Array(archive)),
    answers: await answersOf(root, account),
    problem: (await refusal.json()) as Problem,
  };
}

async function answersOf(root: string, { username, password }: Account): Promise<Answers> {
  const body = new URLSearchParams({ username, password });
  const signedIn = await fetch(`${root}/auth/v2/token`, { method: "POST", body });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${token}` };
  const answers: Record<string, string | number> = {};
  for (const { id, address } of await exampleCalls()) {
    const response = await fetch(root + address, { headers });
    if (!response.ok) throw new Error(`${id}: ${await response.text()}`);
    const isText = /json|text/.test(response.headers.get("content-type") ?? "");
    answers[id] = isText ? await response.text() : (await response.arrayBuffer()).byteLength;
  }
  return answers;
}

/** The members of a problem that the contract declares; some clients keep the others. */
const declared = ({ type, status, detail, errors }: Problem): Problem => ({
  ...{ type, status, detail },
  errors: errors.map(({ name, location, reason }) => ({ name, location, reason })),
});

/** An answer in JSON as its value, without timestamps; others as they are. */
function timeless(answer: string | number | undefined): unknown {
  if (typeof answer !== "string" || !/^[{[]/.test(answer)) return answer;
  const value: unknown = JSON.parse(answer);
  return Array.isArray(value) ? value : { ...(value as object), last_updated: "" };
}

const namesIn = (archive: Uint8Array): string[] => Object.keys(unzipSync(archive)).sort();

interface Traces {
  readonly project: string;
  readonly kept: string;
  readonly deleted: string;
  readonly archive: string;
  readonly callsAll: boolean;
  stored(file: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Differences between a client's results and the expected ones, one line each. */
export async function differences(report: Report, truth: Truth, traces: Traces): Promise<string[]> {
  const found: string[] = [];
  const compare = (what: string, got: unknown, wanted: unknown): void => {
    if (isDeepStrictEqual(got, wanted)) return;
    found.push(`${what}: ${shown(got)} instead of ${shown(wanted)}`);
  };
  compare("overview: flavours", report.flavours, truth.flavours);
  compare("overview: facets", report.facets_of_cmip6, truth.facets_of_cmip6);
  compare("search by two values", report.files, truth.files);
  compare("counts: total", report.total, truth.total);
  compare("counts: variables", report.variables, truth.variables);
  const archive = await readFile(traces.archive);
  compare("archive: bytes", report.archive, archive.length);
  compare("archive: entries", namesIn(archive), truth.entries);
  if (traces.callsAll) {
    for (const [id, answer] of Object.entries(truth.answers)) {
      compare(`${id}: its example`, timeless(report.answers?.[id]), timeless(answer));
    }
  }
  compare("sign-in: e-mail", report.email, truth.email);
  compare("sign-in: renewed", report.renewed, true);
  compare("user data: added", /^2 have been success/.test(report.added), true);
  compare("user data: found", [...report.found].sort(), [traces.deleted, traces.kept].sort());
  compare("user data: deleted", /\b1 documents?\b/.test(report.deleted), true);
  compare("user data: left", report.left, [traces.kept]);
  compare("user data: what was deleted", await traces.stored(traces.deleted), undefined);
  const stored = (await traces.stored(traces.kept)) ?? {};
  for (const [key, value] of Object.entries({ ...REGISTERED, project: [traces.project] })) {
    compare(`user data: ${key}`, stored[key], value);
  }
  compare("user data: free keys", JSON.parse(String(stored.extra ?? null)), FREE);
  compare("problem", declared(report.problem), declared(truth.problem));
  return found;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
