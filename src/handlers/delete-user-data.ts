import type { Handler } from "../contract/operation.js";
import { selectionClauses } from "../query/selection.js";
import { deletedMessage } from "../userdata/messages.js";
import { callingOwner } from "./calling-owner.js";
import type { Services } from "./services.js";

/** Deletes those of the caller's own documents that are meant. */
export function deleteUserData({ solr }: Services): Handler<"deleteUserData"> {
  return async (request) => {
    const owner = callingOwner(request);
    const clauses = selectionClauses(owner.id, request.body);
    const deleted = await solr.userDocuments.remove(owner, clauses);
    return { status: 202, type: "application/json", body: { status: deletedMessage(deleted) } };
  };
}
