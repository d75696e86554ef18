/** Aggregates frequent events: one line a minute for all equal ones, with their number. */
import type { Field, Fields } from "./line.js";

/** Groups held at a time. Beyond that all are written at once, so that none is lost. */
const MAX_GROUPS = 5000;
/** Addresses named in one line. */
const MAX_ADDRESSES = 5;

interface Group {
  readonly fields: Fields;
  readonly first: string;
  last: string;
  request: string;
  count: number;
  bytes: number;
  readonly addresses: Set<string>;
  hasMore: boolean;
}

interface Occurrence {
  /** ISO 8601. */
  readonly time: string;
  readonly request: string;
  readonly address: string | undefined;
  readonly bytes: number;
}

export class EventAggregator {
  #groups = new Map<string, Group>();
  readonly #write: (fields: Fields) => void;

  constructor(write: (fields: Fields) => void) {
    this.#write = write;
  }

  /** @param fields equal for all events of a line */
  add(fields: Fields, { time, request, address, bytes }: Occurrence): void {
    const key = JSON.stringify(fields);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= MAX_GROUPS) this.flush();
      const addresses = new Set<string>();
      group = {
        fields,
        first: time,
        last: time,
        request,
        count: 0,
        bytes: 0,
        addresses,
        hasMore: false,
      };
      this.#groups.set(key, group);
    }
    group.last = time;
    group.request = request;
    group.count += 1;
    group.bytes += bytes;
    if (address === undefined || group.addresses.has(address)) return;
    if (group.addresses.size < MAX_ADDRESSES) group.addresses.add(address);
    else group.hasMore = true;
  }

  /** Writes a line for each group. */
  flush(): void {
    const groups = this.#groups;
    this.#groups = new Map();
    for (const group of groups.values()) {
      const { fields, first, last, request, count, addresses } = group;
      const more: Record<string, Field> = { addresses: [...addresses], request, count };
      if (group.hasMore) more.more_addresses = true;
      if (fields.event === "read") more.bytes = group.bytes;
      this.#write({ time: last, first, ...fields, ...more });
    }
  }
}
