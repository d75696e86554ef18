import { setImmediate as turn } from "node:timers/promises";
import { InvalidParameters, MOST_ISSUES, type ParameterIssue } from "../errors.js";
import { SLICE } from "./in-turns.js";
import { readUserData, type UserDataInput, type UserDocument } from "./read-user-data.js";

/**
 * As readUserData, for any number of entries: in slices, between which the service answers its other callers.
 *
 * @throws InvalidParameters as readUserData
 */
export async function readUserDataInTurns(input: UserDataInput): Promise<UserDocument[]> {
  const { user_metadata: entries, facets } = input;
  const documents: UserDocument[] = [];
  const issues: ParameterIssue[] = [];
  for (let from = 0; from === 0 || from < entries.length; from += SLICE) {
    try {
      const slice = { user_metadata: entries.slice(from, from + SLICE), facets };
      documents.push(...readUserData(slice, from));
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      // What is wrong in `facets` is told once.
      issues.push(...error.issues.filter(({ name }) => from === 0 || !name.startsWith("facets.")));
      if (issues.length > MOST_ISSUES) break;
    }
    if (from + SLICE < entries.length) await turn();
  }
  if (issues.length > 0) throw new InvalidParameters(issues);
  return documents;
}
