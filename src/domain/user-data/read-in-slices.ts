import { setImmediate as turn } from "node:timers/promises";
import { SLICE } from "../../platform/time-slices.js";
import { Issues } from "../errors.js";
import {
  type Examined,
  examineUserData,
  type RawUserData,
  type UserDocument,
} from "./read-user-data.js";

/**
 * As examineUserData, for any number of entries: in slices, between which the service answers its other callers.
 *
 * @param isTold of what nothing more is said, by its name
 */
export async function examineInTurns(
  { user_metadata, facets }: RawUserData,
  isTold?: (name: string) => boolean,
): Promise<Examined> {
  const documents: (UserDocument | undefined)[] = [];
  const issues = new Issues(isTold);
  for (let from = 0; from === 0 || from < user_metadata.length; from += SLICE) {
    const slice = { user_metadata: user_metadata.slice(from, from + SLICE), facets };
    const examined = examineUserData(slice, from);
    for (const document of examined.documents) documents.push(document);
    issues.join(examined.issues);
    if (from + SLICE < user_metadata.length) await turn();
  }
  return { documents, issues };
}
