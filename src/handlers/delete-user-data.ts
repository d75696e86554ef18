import type { AlsoWrong, Handler } from "../contract/operation.js";
import { InvalidParameters, Issues } from "../errors.js";
import { selectionClauses } from "../query/selection.js";
import { deletedMessage } from "../userdata/messages.js";
import { callingOwner } from "./calling-owner.js";
import type { Services } from "./services.js";

/** Deletes those of the caller's own documents that are meant. */
export function deleteUserData({ solr }: Services): Handler<"deleteUserData"> {
  const handle: Handler<"deleteUserData"> = async (request) => {
    const owner = callingOwner(request);
    const clauses = selectionClauses(owner.id, request.body);
    const deleted = await solr.userDocuments.remove(owner, clauses);
    request.exchange.tells({ deleted });
    return { status: 202, type: "application/json", body: { status: deletedMessage(deleted) } };
  };
  return Object.assign(handle, { alsoWrong });
}

const alsoWrong: AlsoWrong<"deleteUserData"> = async ({ principal, caller, body, isTold }) => {
  const issues = new Issues(isTold);
  const selection = Object.entries(body ?? {}).map(([key, value]) => [key, String(value)] as const);
  try {
    selectionClauses(callingOwner({ principal, caller }).id, Object.fromEntries(selection));
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    issues.join(error);
  }
  return issues;
};
