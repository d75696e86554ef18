/** The table of events and the operations that cause them; docs/audit.md explains each. */
import type { OperationId } from "../contract/operation.js";

interface EventTraits {
  /** Operations of the contract that cause it; none if a command or the recording itself does. */
  readonly operations: readonly OperationId[];
  /** Fields beside `time`, `event`, `outcome`, `status`, the caller and the address. */
  readonly fields: readonly string[];
  /** Anybody can cause any number of these events, so lines are counts of a minute. */
  readonly isAggregated?: true;
  /** Recorded only if data were sent or refused. */
  readonly isReading?: true;
}

const table = {
  "sign-in": { operations: ["issueToken", "signIn"], fields: ["name", "client"] },
  "token-refresh": { operations: [], fields: ["client"] },
  "token-code": { operations: [], fields: ["client"] },
  "token-revoke": { operations: ["revokeToken"], fields: ["client"], isAggregated: true },
  "token-introspect": { operations: ["introspectToken"], fields: ["client"], isAggregated: true },
  "script-token-made": { operations: ["createScriptToken"], fields: ["seconds"] },
  "script-token-ended": { operations: ["endScriptToken"], fields: [] },
  "share-made": { operations: ["shareZarr"], fields: ["dataset", "seconds"] },
  "share-ended": { operations: ["unshareZarr"], fields: ["dataset"] },
  "user-data-added": { operations: ["addUserData"], fields: ["added", "duplicates"] },
  "user-data-deleted": { operations: ["deleteUserData"], fields: ["deleted"] },
  "flavour-made": { operations: ["addFlavour"], fields: ["flavour", "for_all"] },
  "flavour-changed": { operations: ["changeFlavour"], fields: ["flavour", "for_all"] },
  "flavour-removed": { operations: ["deleteFlavour"], fields: ["flavour", "for_all"] },
  read: {
    operations: [
      ...(["readZarr", "readSharedZarr", "previewData", "readFile", "readSharedFile"] as const),
      ...(["showZarr", "showZarrOfAddress", "showSharedZarr"] as const),
      ...(["readReferences", "readParquetReferences", "showJoinPlan"] as const),
    ],
    fields: ["dataset", "sharer", "sharer_name", "bytes"],
    isAggregated: true,
    isReading: true,
  },
  account: { operations: [], fields: ["action", "name", "machine_user"] },
  recording: { operations: [], fields: ["action", "process"] },
  lost: { operations: [], fields: ["lost"] },
} as const satisfies Record<string, EventTraits>;

export type EventName = keyof typeof table;

export const EVENTS: Readonly<Record<EventName, EventTraits>> = table;

/** The event of each operation. For `issueToken` the grant decides between three events. */
export const EVENT_OF: ReadonlyMap<string, EventName> = new Map(
  (Object.keys(table) as EventName[]).flatMap((name) =>
    EVENTS[name].operations.map((operation) => [operation, name] as const),
  ),
);
