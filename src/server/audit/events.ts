/** The table of events; docs/audit.md explains each. */
import { OPERATIONS } from "../../../generated/operations.js";

interface EventTraits {
  /** Fields beside `time`, `event`, `outcome`, `status`, the caller and the address. */
  readonly fields: readonly string[];
  /** Anybody can cause any number of these events, so lines are counts of a minute. */
  readonly isAggregated?: true;
  /** Recorded only if data were sent or refused. */
  readonly isReading?: true;
}

const table = {
  "sign-in": { fields: ["name", "client"] },
  "token-refresh": { fields: ["client"] },
  "token-code": { fields: ["client"] },
  "token-revoke": { fields: ["client"], isAggregated: true },
  "token-introspect": { fields: ["client"], isAggregated: true },
  "script-token-made": { fields: ["seconds"] },
  "script-token-ended": { fields: [] },
  "share-made": { fields: ["dataset", "seconds"] },
  "share-ended": { fields: ["dataset"] },
  "user-data-added": { fields: ["added", "duplicates"] },
  "user-data-deleted": { fields: ["deleted"] },
  "flavour-made": { fields: ["flavour", "for_all"] },
  "flavour-changed": { fields: ["flavour", "for_all"] },
  "flavour-removed": { fields: ["flavour", "for_all"] },
  read: {
    fields: ["dataset", "sharer", "sharer_name", "bytes"],
    isAggregated: true,
    isReading: true,
  },
  account: { fields: ["action", "name", "machine_user"] },
  recording: { fields: ["action", "process"] },
  lost: { fields: ["lost"] },
} as const satisfies Record<string, EventTraits>;

export type EventName = keyof typeof table;

export const EVENTS: Readonly<Record<EventName, EventTraits>> = table;

/** The events by the operation that causes them (`x-audit`). For `issueToken` the grant decides between three events. */
export const EVENT_OF: ReadonlyMap<string, EventName> = new Map(
  Object.entries(OPERATIONS).flatMap(([id, { audit }]) => (audit ? [[id, named(audit)]] : [])),
);

function named(event: string): EventName {
  if (Object.hasOwn(table, event)) return event as EventName;
  throw new Error(`openapi.yaml has an unknown event of the audit: ${event}`);
}
