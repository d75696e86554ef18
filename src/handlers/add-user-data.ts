import { registrable } from "../access/registrable.js";
import type { Handler } from "../contract/operation.js";
import { addedMessage } from "../userdata/messages.js";
import { Places } from "../userdata/places.js";
import { readUserDataInTurns } from "../userdata/read-in-turns.js";
import { callingOwner } from "./calling-owner.js";
import type { Services } from "./services.js";

/** Registers a user's own files; once begun it is brought to its end, also when the caller has left. */
export function addUserData(services: Services): Handler<"addUserData"> {
  const places = new Places();
  return async (request) => {
    const owner = callingOwner(request);
    const named = await readUserDataInTurns(request.body);
    const documents = await registrable(named, owner, services, places);
    const added = await services.solr.userDocuments.add(owner, documents);
    return { status: 202, type: "application/json", body: { status: addedMessage(added) } };
  };
}
