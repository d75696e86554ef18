/** Events that are many: one line a minute of all that are alike, with how many they were. */
import type { Field, Fields } from "./line.js";

/** More kinds at a time are written at once, so that nothing is lost. */
const MAX_KINDS = 5000;
/** Addresses that a line names. */
const MAX_ADDRESSES = 5;

interface Kind {
  readonly fields: Fields;
  readonly first: string;
  last: string;
  request: string;
  count: number;
  bytes: number;
  readonly addresses: Set<string>;
  hasMore: boolean;
}

export interface Occurrence {
  /** When, as in a line. */
  readonly time: string;
  readonly request: string;
  readonly address: string | undefined;
  readonly bytes: number;
}

export class Gathered {
  #kinds = new Map<string, Kind>();
  readonly #write: (fields: Fields) => void;

  constructor(write: (fields: Fields) => void) {
    this.#write = write;
  }

  /** @param fields in which all of a line are alike */
  add(fields: Fields, { time, request, address, bytes }: Occurrence): void {
    const key = JSON.stringify(fields);
    let kind = this.#kinds.get(key);
    if (kind === undefined) {
      if (this.#kinds.size >= MAX_KINDS) this.flush();
      const addresses = new Set<string>();
      kind = {
        fields,
        first: time,
        last: time,
        request,
        count: 0,
        bytes: 0,
        addresses,
        hasMore: false,
      };
      this.#kinds.set(key, kind);
    }
    kind.last = time;
    kind.request = request;
    kind.count += 1;
    kind.bytes += bytes;
    if (address === undefined || kind.addresses.has(address)) return;
    if (kind.addresses.size < MAX_ADDRESSES) kind.addresses.add(address);
    else kind.hasMore = true;
  }

  /** Writes a line of each kind. */
  flush(): void {
    const kinds = this.#kinds;
    this.#kinds = new Map();
    for (const {
      fields,
      first,
      last,
      request,
      count,
      bytes,
      addresses,
      hasMore,
    } of kinds.values()) {
      const more: Record<string, Field> = { addresses: [...addresses], request, count };
      if (hasMore) more.more_addresses = true;
      if (fields.event === "read") more.bytes = bytes;
      this.#write({ time: last, first, ...fields, ...more });
    }
  }
}
