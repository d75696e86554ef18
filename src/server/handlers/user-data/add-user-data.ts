import { addedMessage } from "../../../domain/user-data/messages.js";
import type { Owner } from "../../../domain/user-data/owner.js";
import { examineInSlices, type RawUserData } from "../../../domain/user-data/read-user-data.js";
import { DomainError } from "../../../platform/errors.js";
import { FileProbe } from "../../../platform/file-system/file-probe.js";
import { type Registrable, registrable } from "../../access/registrable.js";
import type { Handler, MoreIssues } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingOwner } from "./calling-owner.js";

/** Registers a user's own files. It finishes even if the client disconnects. */
export function addUserData(services: Services): Handler<"addUserData"> {
  const probe = new FileProbe();
  const examine = async (
    body: RawUserData,
    owner: Owner,
    isReported?: (name: string) => boolean,
  ): Promise<Registrable> => {
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
  };
  const handle: Handler<"addUserData"> = async (request) => {
    const owner = callingOwner(request);
    const { documents, issues } = await examine(request.body, owner);
    if (issues.any) throw issues.error;
    const added = await services.solr.userDocuments.add(owner, documents);
    request.context.record({ added: added.added, duplicates: added.duplicates });
    return { status: 202, type: "application/json", body: { status: addedMessage(added) } };
  };
  const moreIssues: MoreIssues<"addUserData"> = async (request) => {
    const { user_metadata: entries, facets } = (request.body ?? {}) as Partial<RawUserData>;
    const body = { user_metadata: Array.isArray(entries) ? entries : [], facets };
    return (await examine(body, callingOwner(request), request.isReported)).issues;
  };
  return Object.assign(handle, { moreIssues });
}
