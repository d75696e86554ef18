/** Which events there are, and what makes them: the one table, which docs/audit.md explains. */
import type { OperationId } from "../contract/operation.js";

interface EventTraits {
  /** Of the contract; none where the command line, or the recording itself, makes it. */
  readonly operations: readonly OperationId[];
  /** What a line has beside `time`, `event`, `outcome`, `status`, who asked and from where. */
  readonly fields: readonly string[];
  /** Anybody can cause any number of them, or they are many by nature: lines are counts of a minute, done or not. */
  readonly isGathered?: true;
  /** Recorded only where data were handed out, or refused. */
  readonly isReading?: true;
}

const table = {
  "sign-in": { operations: ["issueToken", "signIn"], fields: ["name", "client"] },
  "token-refresh": { operations: [], fields: ["client"] },
  "token-code": { operations: [], fields: ["client"] },
  "token-revoke": { operations: ["revokeToken"], fields: ["client"], isGathered: true },
  "token-introspect": { operations: ["introspectToken"], fields: ["client"], isGathered: true },
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
      ...(["readZarr", "readSharedZarr", "previewData"] as const),
      ...(["showZarr", "showZarrOfAddress", "showSharedZarr"] as const),
    ],
    fields: ["dataset", "sharer", "sharer_name", "bytes"],
    isGathered: true,
    isReading: true,
  },
  account: { operations: [], fields: ["action", "name", "machine_user"] },
  recording: { operations: [], fields: ["action", "process"] },
  lost: { operations: [], fields: ["lost"] },
} as const satisfies Record<string, EventTraits>;

export type EventName = keyof typeof table;

export const EVENTS: Readonly<Record<EventName, EventTraits>> = table;

/** The event of each operation that makes one; what a refresh token or a code gives is told by its grant. */
export const EVENT_OF: ReadonlyMap<string, EventName> = new Map(
  (Object.keys(table) as EventName[]).flatMap((name) =>
    EVENTS[name].operations.map((operation) => [operation, name] as const),
  ),
);
