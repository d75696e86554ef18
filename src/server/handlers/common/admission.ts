/** Whom a request counts for, and whether its answer may be long. */
import { network } from "../../../identity/sign-in/network.js";
import type { Admit } from "../../contract/mount.js";
import type { OperationId } from "../../contract/operation.js";
import type { Limits } from "../../limits/limits.js";
import { callingOwner } from "../user-data/calling-owner.js";

const STREAMS: ReadonlySet<string> = new Set<OperationId>([
  ...(["searchData", "createIntakeCatalogue", "createStacCatalogue", "searchExtended"] as const),
  ...(["loadData", "loadDataByKey", "downloadCart"] as const),
  ...(["readZarr", "readSharedZarr", "previewData"] as const),
]);

/** Whether an answer of an operation is as long as what it finds. */
export const isStream = (operation: string): boolean => STREAMS.has(operation);

/** Lets the limits count each request. */
export const admission =
  (limits: Limits): Admit =>
  (context, caller) => {
    const { principal, operation = "" } = context;
    const account = principal && callingOwner({ principal, caller }).id;
    return limits.admit(
      context,
      { account, network: network(caller.address) },
      isStream(operation),
    );
  };
