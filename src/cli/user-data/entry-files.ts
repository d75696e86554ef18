/** Reads entries of user data from JSON files, with the checks that the service makes. */
import { isObject } from "../../domain/text/json-object.js";
import { examineUserData } from "../../domain/user-data/read-user-data.js";
import { inputOf, readDocuments } from "../../index/loading/read-documents.js";
import { UnreadableInput } from "../index/load-files.js";
import { STAND_INS, type UserEntry } from "./file-entries.js";

type Facets = Readonly<Record<string, string>>;

/** Reasons reported one by one. */
const MAX_REPORTED = 100;

/**
 * Reads the entries of files. Facets fill in required members that an entry lacks.
 *
 * @throws UnreadableInput with the line and the reason of every invalid entry
 */
export async function readEntries(
  paths: readonly string[],
  facets: Facets,
): Promise<readonly UserEntry[]> {
  const entries: UserEntry[] = [];
  const lines: string[] = [];
  let more = 0;
  for (const input of paths.map(inputOf)) {
    const documents = readDocuments(input);
    for (let next = await documents.next(); !next.done; next = await documents.next()) {
      const read = "reason" in next.value ? [next.value.reason] : entryOf(next.value.text, facets);
      if (!Array.isArray(read)) entries.push(read as UserEntry);
      else if (lines.length === MAX_REPORTED) more += 1;
      else lines.push(`${input.name}:${next.value.line}: ${read.join("; ")}`);
    }
  }
  if (more > 0) lines.push(`and ${more} more entries that are not right`);
  if (lines.length > 0) throw new UnreadableInput(lines.join("\n"));
  return entries;
}

const isText = (value: unknown): boolean => typeof value === "string";

/** An entry, or all reasons why it is invalid. */
function entryOf(text: string, facets: Facets): UserEntry | string[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return [`not JSON: ${(error as Error).message}`];
  }
  if (!isObject(given)) return ["not a JSON object"];
  const standIns = STAND_INS.filter((key) => Object.hasOwn(facets, key));
  const entry: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(standIns.map((key) => [key, facets[key]])),
    ...given,
  };
  const missing = ["file", ...STAND_INS].flatMap((key) => {
    const value = entry[key];
    const isList = key === "variable" && Array.isArray(value) && value.length > 0;
    if (isText(value) || (isList && value.every(isText))) return [];
    const kind = key === "variable" ? "a string or a list of strings" : "a string";
    return [`${key}: must be ${kind}`];
  });
  const named = new Set(missing.map((reason) => reason.split(":")[0]));
  const others = problemsOf(entry, facets).filter((reason) => !named.has(reason.split(":")[0]));
  const reasons = [...missing, ...others];
  return reasons.length > 0 ? reasons : (entry as UserEntry);
}

/** Why the service would refuse an entry; undefined if it would not. */
export function problemOf(entry: UserEntry, facets: Facets): string | undefined {
  const reasons = problemsOf(entry, facets);
  return reasons.length > 0 ? reasons.join("; ") : undefined;
}

function problemsOf(entry: unknown, facets: Facets): string[] {
  const { issues } = examineUserData({ user_metadata: [entry], facets });
  return issues.issues.map(
    ({ name, reason }) => `${name.replace(/^(?:facets|.*?\])\./, "")}: ${reason}`,
  );
}
