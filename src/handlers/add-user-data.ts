import type { Handler } from "../contract/operation.js";
import { addedMessage } from "../userdata/messages.js";
import { readUserDataInTurns } from "../userdata/read-in-turns.js";
import { callingOwner } from "./calling-owner.js";
import type { Services } from "./services.js";

/** Registers a user's own files; once begun it is brought to its end, also when the caller has left. */
export function addUserData({ solr }: Services): Handler<"addUserData"> {
  return async (request) => {
    const documents = await readUserDataInTurns(request.body);
    const owner = callingOwner(request);
    const added = await solr.userDocuments.add(owner, documents);
    return { status: 202, type: "application/json", body: { status: addedMessage(added) } };
  };
}
