/** Charges requests to clients. */
import { network } from "../../../identity/sign-in/network.js";
import type { Admit } from "../../contract/mount.js";
import type { OperationId } from "../../contract/operation.js";
import type { Limits } from "../../limits/limits.js";
import { callingOwner } from "../user-data/calling-owner.js";

const STREAMS: ReadonlySet<string> = new Set<OperationId>([
  ...(["searchData", "createIntakeCatalogue", "createStacCatalogue", "searchExtended"] as const),
  ...(["searchExtendedCsv", "searchExtendedParquet", "createZarrCatalogue"] as const),
  ...([
    "loadData",
    "loadDataByKey",
    "listStreams",
    "cite",
    "citeBibtex",
    "citeCsl",
    "downloadCart",
    "downloadData",
    "downloadMetalink",
  ] as const),
  ...(["readZarr", "readSharedZarr", "previewData", "readFile", "readSharedFile"] as const),
  ...(["readReferences", "readParquetReferences"] as const),
]);

/** Whether the answer of an operation grows with what it finds. */
export const isStream = (operation: string): boolean => STREAMS.has(operation);

/** Charges each request to its client. */
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
