/** One account of the memory that reading takes, booked before it is allocated. */
import { TooLarge } from "../../netcdf/errors.js";
import { ReadingBusy } from "../errors.js";

/** Memory that is booked until it is given back; once more is harmless. */
export interface Lease {
  /** Bytes. */
  readonly bytes: number;
  release(): void;
}

/** Somebody who holds memory until a client has taken what is in it. */
export interface Sender {
  /** When the client last took something; by `performance.now()`. */
  readonly since: number;
  /** From now on sends as fast as the client takes it, whatever the client may have. */
  hurry(): void;
  /** Breaks the transfer off, and gives the memory back. */
  abort(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: (lease: Lease) => void;
  readonly timer: NodeJS.Timeout;
}

/** Bytes of `READING_MEMORY` where nobody says otherwise. */
export const READING_MEMORY = 512 << 20;
/** Milliseconds that somebody waits for memory. */
const PATIENCE = 5000;
/** Milliseconds after which a client that takes nothing is broken off, where others wait for its memory. */
const STUCK = 2000;
/** Milliseconds between two looks for such. */
const LOOK = 100;

/**
 * The memory that files may cost the service above its rest, the reading processes included.
 *
 * Whoever asks for more than is left waits in a row, and is sent away in the end: the one who asks
 * is told to come again, and nobody else loses anything.
 */
export class MemoryBudget {
  #booked = 0;
  readonly #noted = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  readonly #givers: (() => void)[] = [];
  readonly #senders = new Set<Sender>();
  #look: NodeJS.Timeout | undefined;
  readonly #holders = new WeakMap<ArrayBufferLike, { readonly lease: Lease; holders: number }>();

  /** @param total bytes */
  constructor(readonly total = READING_MEMORY) {}

  /** Bytes in use. */
  get used(): number {
    let bytes = this.#booked;
    for (const noted of this.#noted.values()) bytes += noted;
    return bytes;
  }

  /** Bytes that somebody has a lease of. */
  get booked(): number {
    return this.#booked;
  }

  /** Notes what somebody has who looks after its size themselves. */
  note(whose: string, bytes: number): void {
    this.#noted.set(whose, bytes);
    this.#serve();
  }

  /** Calls somebody who can give memory back when it runs short. */
  onShort(give: () => void): void {
    this.#givers.push(give);
  }

  /** Knows somebody who sends; they say when they are done. */
  sending(sender: Sender): () => void {
    this.#senders.add(sender);
    return () => this.#senders.delete(sender);
  }

  /** Makes room: what can be given back is, nobody is slowed down any more who holds some, and whoever has been stuck for the longest time is broken off. */
  relieve(): void {
    for (const give of this.#givers) give();
    let stuck: Sender | undefined;
    for (const sender of this.#senders) {
      sender.hurry();
      if (stuck === undefined || sender.since < stuck.since) stuck = sender;
    }
    if (stuck === undefined || performance.now() - stuck.since < STUCK) return;
    this.#senders.delete(stuck);
    stuck.abort();
  }

  #watch(): void {
    if (this.#look !== undefined) return;
    this.#look = setInterval(() => {
      if (this.#waiting.length > 0) this.relieve();
      else {
        clearInterval(this.#look);
        this.#look = undefined;
      }
    }, LOOK).unref();
  }

  /** Books memory, if there is enough and nobody waits for it. */
  tryTake(bytes: number): Lease | undefined {
    if (this.#waiting.length > 0) return undefined;
    if (this.used + bytes > this.total) for (const give of this.#givers) give();
    return this.used + bytes > this.total ? undefined : this.#lease(bytes);
  }

  /** @throws TooLarge: more than there is; ReadingBusy: others did not give it back in time */
  async take(bytes: number, patience = PATIENCE): Promise<Lease> {
    if (bytes > this.total) throw new TooLarge("This takes more memory than reading may have.");
    const lease = this.tryTake(bytes);
    if (lease !== undefined) return lease;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new ReadingBusy("Too much is being read at the moment."));
        this.#serve();
      }, patience);
      const waiting: Waiting = { bytes, resolve, timer };
      this.#waiting.push(waiting);
      this.#watch();
    });
  }

  /**
   * Ties a lease to bytes that several may hold, and is their first holder.
   *
   * @returns lets go of them; the last one to do so gives the memory back
   */
  own(data: Uint8Array, lease: Lease): () => void {
    this.#holders.set(data.buffer, { lease, holders: 0 });
    return this.hold(data);
  }

  /** Is one more holder of bytes; of those that nobody owns, nothing is counted. */
  hold(data: Uint8Array): () => void {
    const held = this.#holders.get(data.buffer);
    if (held === undefined) return () => {};
    held.holders += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held.holders -= 1;
      if (held.holders === 0) held.lease.release();
    };
  }

  #lease(bytes: number): Lease {
    this.#booked += bytes;
    let isBooked = true;
    return {
      bytes,
      release: () => {
        if (!isBooked) return;
        isBooked = false;
        this.#booked -= bytes;
        this.#serve();
      },
    };
  }

  #serve(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (this.used + first.bytes > this.total) return;
      this.#waiting.shift();
      clearTimeout(first.timer);
      first.resolve(this.#lease(first.bytes));
    }
  }
}
