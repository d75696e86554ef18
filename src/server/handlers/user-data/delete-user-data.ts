import { InvalidParameters, Issues } from "../../../domain/errors.js";
import { selectionClauses } from "../../../domain/search/user-data-clause.js";
import { deletedMessage } from "../../../domain/user-data/messages.js";
import type { Handler, MoreIssues } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingOwner } from "./calling-owner.js";

/** Deletes the selected documents of the caller. */
export function deleteUserData({ solr }: Services): Handler<"deleteUserData"> {
  const handle: Handler<"deleteUserData"> = async (request) => {
    const owner = callingOwner(request);
    const clauses = selectionClauses(owner.id, request.body);
    const deleted = await solr.userDocuments.remove(clauses);
    request.context.record({ deleted });
    return { status: 202, type: "application/json", body: { status: deletedMessage(deleted) } };
  };
  return Object.assign(handle, { moreIssues });
}

const moreIssues: MoreIssues<"deleteUserData"> = async ({
  principal,
  caller,
  body,
  isReported,
}) => {
  const issues = new Issues(isReported);
  const selection = Object.entries(body ?? {}).map(([key, value]) => [key, String(value)] as const);
  try {
    selectionClauses(callingOwner({ principal, caller }).id, Object.fromEntries(selection));
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    issues.join(error);
  }
  return issues;
};
