/** Files that list entries of user data, as JSON, and the checks that the service makes of them. */
import { InvalidParameters } from "../errors.js";
import { inputOf, readDocuments } from "../ingest/read-documents.js";
import { readUserData } from "../userdata/read-user-data.js";
import { type Entry, STAND_INS } from "./file-entries.js";
import { UnreadableInput } from "./load-files.js";

type Facets = Readonly<Record<string, string>>;

/**
 * The entries of a file. Facets stand in for what an entry must have and does not.
 *
 * @throws UnreadableInput with the line of the first entry that is not right
 */
export async function readEntries(path: string, facets: Facets): Promise<Entry[]> {
  const entries: Entry[] = [];
  const input = inputOf(path);
  const documents = readDocuments(input);
  for (let next = await documents.next(); !next.done; next = await documents.next()) {
    const where = `${input.name}:${next.value.line}`;
    if ("reason" in next.value) throw new UnreadableInput(`${where}: ${next.value.reason}`);
    entries.push(entryOf(next.value.text, where, facets));
  }
  return entries;
}

const isText = (value: unknown): boolean => typeof value === "string";

function entryOf(text: string, where: string, facets: Facets): Entry {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new UnreadableInput(`${where}: not JSON: ${(error as Error).message}`);
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new UnreadableInput(`${where}: not a JSON object`);
  }
  const standIns = STAND_INS.filter((key) => Object.hasOwn(facets, key));
  const entry: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(standIns.map((key) => [key, facets[key]])),
    ...given,
  };
  for (const key of ["file", ...STAND_INS]) {
    const value = entry[key];
    const isList = key === "variable" && Array.isArray(value) && value.length > 0;
    if (isText(value) || (isList && value.every(isText))) continue;
    const kind = key === "variable" ? "a string or a list of strings" : "a string";
    throw new UnreadableInput(`${where}: ${key}: must be ${kind}`);
  }
  const complete = entry as Entry;
  const problem = problemOf(complete, facets);
  if (problem !== undefined) throw new UnreadableInput(`${where}: ${problem}`);
  return complete;
}

/** Why the service would refuse an entry; undefined when it would not. */
export function problemOf(entry: Entry, facets: Facets): string | undefined {
  try {
    readUserData({ user_metadata: [entry], facets });
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    const reasons = error.issues.map(
      ({ name, reason }) => `${name.replace(/^.*?\]\./, "")}: ${reason}`,
    );
    return reasons.join("; ");
  }
}
