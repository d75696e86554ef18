import { issuerOf } from "../auth/auth.js";
import type { Handler } from "../contract/operation.js";
import { selectionClauses } from "../query/selection.js";
import { deletedMessage } from "../userdata/messages.js";
import { ownerOf } from "../userdata/owner.js";
import type { Services } from "./services.js";

/** Deletes those of the caller's own documents that are meant. */
export function deleteUserData({ solr }: Services): Handler<"deleteUserData"> {
  return async ({ body, principal, caller }) => {
    const owner = ownerOf(principal, issuerOf(caller.base));
    const clauses = selectionClauses(owner.id, body);
    const deleted = await solr.userDocuments.remove(owner, clauses);
    return { status: 202, type: "application/json", body: { status: deletedMessage(deleted) } };
  };
}
