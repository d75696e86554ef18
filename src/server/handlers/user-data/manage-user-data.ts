/** The operations on users' own files: register and delete. */
import { InvalidParameters, Issues } from "../../../domain/errors.js";
import { selectionClauses } from "../../../domain/search/user-data-clause.js";
import { addedMessage, deletedMessage } from "../../../domain/user-data/messages.js";
import type { Owner } from "../../../domain/user-data/owner.js";
import { examineInSlices, type RawUserData } from "../../../domain/user-data/read-user-data.js";
import { DomainError } from "../../../platform/errors.js";
import { FileProbe } from "../../../platform/file-system/file-probe.js";
import { type Registrable, registrable } from "../../access/registrable.js";
import type { WrongRequest } from "../../contract/operation.js";
import { callingOwner } from "../common/client.js";
import type { Handler, Services } from "../services.js";

const probe = new FileProbe();

async function examine(
  body: RawUserData,
  owner: Owner,
  services: Services,
  isReported?: (name: string) => boolean,
): Promise<Registrable> {
  const { documents, issues } = await examineInSlices(body, isReported);
  if (issues.isFull) return { documents: [], issues };
  try {
    const found = await registrable(documents, owner, services, probe);
    issues.join(found.issues);
    return { documents: found.documents, issues };
  } catch (error) {
    // Known issues are reported even if a further check is not possible now.
    if (!issues.any || !(error instanceof DomainError)) throw error;
    return { documents: [], issues };
  }
}

const add: Handler<"addUserData"> = async (request, services) => {
  const owner = callingOwner(request);
  const { documents, issues } = await examine(request.body, owner, services);
  if (issues.any) throw issues.error;
  const added = await services.solr.userDocuments.add(owner, documents);
  request.context.record({ added: added.added, duplicates: added.duplicates });
  return { status: 202, type: "application/json", body: { status: addedMessage(added) } };
};

/** Registers a user's own files. It finishes even if the client disconnects. */
export const addUserData: Handler<"addUserData"> = Object.assign(add, {
  async moreIssues(request: WrongRequest, services: Services) {
    const { user_metadata: entries, facets } = (request.body ?? {}) as Partial<RawUserData>;
    const body = { user_metadata: Array.isArray(entries) ? entries : [], facets };
    return (await examine(body, callingOwner(request), services, request.isReported)).issues;
  },
});

const remove: Handler<"deleteUserData"> = async (request, { solr }) => {
  const clauses = selectionClauses(callingOwner(request).id, request.body);
  const deleted = await solr.userDocuments.remove(clauses);
  request.context.record({ deleted });
  return { status: 202, type: "application/json", body: { status: deletedMessage(deleted) } };
};

export const deleteUserData: Handler<"deleteUserData"> = Object.assign(remove, {
  async moreIssues(request: WrongRequest) {
    const issues = new Issues(request.isReported);
    const texts = Object.entries(request.body ?? {}).map(([key, value]) => [key, String(value)]);
    try {
      selectionClauses(callingOwner(request).id, Object.fromEntries(texts));
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      issues.join(error);
    }
    return issues;
  },
});
