/** The streams of a file, and of a dataset as one. */
import { literally } from "../../../src/domain/search/lucene.js";
import { countFacets } from "../search/facets.js";
import { Refused } from "../service/problem.js";
import { type Pairs, send } from "../service/request.js";
import { currentUser } from "../service/session.js";
import { words } from "../words/look.js";
import { NotFound } from "./look-failure.js";

/** The identifier in the first address of a text; undefined if there is none. */
function idIn(addresses: string): string | undefined {
  const [, id] = /\/data-portal\/(?:zarr|files)\/([^/\s]+?)(?:\.zarr|\/)/.exec(addresses) ?? [];
  return id === undefined ? undefined : decodeURIComponent(id);
}

/** Addresses of the streams that a search finds, a line each. @throws as send */
const loadAddresses = async (flavour: string, query: Pairs, signal: AbortSignal) =>
  (
    await send("get", "/databrowser/load/{flavour}", {
      in: { flavour },
      query,
      signal,
      headers: { Accept: "text/plain" },
    })
  ).text();

/** Addresses of the downloads that a search finds, a line each. @throws as send */
const downloadAddresses = async (flavour: string, query: Pairs, signal: AbortSignal) =>
  (
    await send("get", "/databrowser/download/{flavour}/{uniq_key}", {
      in: { flavour, uniq_key: "file" },
      query: [...query, ["as", "urls"]],
      signal,
    })
  ).text();

/**
 * The identifier of a file's stream. Somebody who is not signed in gets it from the address of the file.
 *
 * @throws as send; NotFound if no file has this path
 */
export async function streamId(
  file: string,
  flavour: string,
  signal: AbortSignal,
): Promise<string> {
  const query: Pairs = [
    ["file", literally(file)],
    ["multi-version", "true"],
  ];
  const isSignedIn = currentUser.value !== undefined;
  const addresses = isSignedIn ? loadAddresses : downloadAddresses;
  const id = idIn(
    await addresses(flavour, query, signal).catch((error: unknown) => {
      // The service answers 400 if the search for addresses finds nothing.
      throw error instanceof Refused && error.status === 400
        ? new NotFound(words.notFound(file))
        : error;
    }),
  );
  if (id === undefined) throw new NotFound(words.notFound(file));
  return id;
}

/**
 * The identifier of a dataset's joined store, with the variable and member of a file if there are several; undefined if there is
 * none, or nobody is signed in. Whether the files fit together is known once the store is opened.
 *
 * @throws as send
 */
export async function joinedId(
  dataset: string,
  file: string,
  flavour: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (currentUser.value === undefined) return undefined;
  const query: Pairs = [
    ["dataset_id", literally(dataset)],
    ["join", "dataset"],
    ["translate", "false"],
  ];
  const addresses = await loadAddresses(flavour, query, signal);
  if (addresses.trim().split("\n").length < 2) return idIn(addresses);
  const own = await seriesOf(file, flavour, signal);
  return idIn(await loadAddresses(flavour, [...query, ...own], signal));
}

/** The variable and the member of a file: some datasets have a store for each. @throws as send */
async function seriesOf(file: string, flavour: string, signal: AbortSignal): Promise<Pairs> {
  const query: Pairs = [
    ["file", literally(file)],
    ["multi-version", "true"],
    ["translate", "false"],
  ];
  const facets = await countFacets(flavour, query, ["variable", "ensemble"], signal);
  return facets.flatMap(({ name, values }) =>
    values.map(({ value }) => [name, literally(value)] as const),
  );
}
