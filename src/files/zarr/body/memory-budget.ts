/** The budget of the memory that reading files takes, booked before it is allocated. */
import { Budget, type Lease } from "../../../platform/concurrency/budget.js";
import { type ClientKey, FairSemaphore } from "../../../platform/concurrency/fair-semaphore.js";
import { TooLarge } from "../../netcdf/errors.js";
import { ReadingBusy } from "../errors.js";

/** A transfer that holds memory until its client has received it. */
interface Sender {
  /** When the client last received something, by `performance.now()`. */
  readonly since: number;
  /** Whether it sends as fast as the client receives, without regard to quotas. */
  isUrgent: boolean;
  /** Breaks the transfer off, and gives its memory back. */
  abort(): void;
}

/** Default of `READING_MEMORY`, in bytes. */
const READING_MEMORY = 512 << 20;
/** Milliseconds that a booking waits for memory. */
const TIMEOUT = 5000;
/** Milliseconds without progress after which a transfer may be broken off, if others wait for its memory. */
const STUCK = 2000;
/** The part of the memory that small chunks take while they are made, their number, and how many wait for how many milliseconds. */
const MADE_SHARE = 1 / 8;
const MAX_MADE = 8;
const MAX_WAITING = 1000;
const MADE_TIMEOUT = 20_000;

const tooLarge = () => new TooLarge("This takes more memory than reading may have.");

/**
 * The memory, in bytes, that files may cost the service above its baseline, the reading processes included.
 *
 * Bookings throw TooLarge if they exceed the whole budget, and ReadingBusy if memory is not given back in time.
 */
export class MemoryBudget extends Budget {
  readonly #senders = new Set<Sender>();
  /** Turns of small and of large chunks that are made here: together they leave the most to their readers. Clients alternate. */
  readonly #small: FairSemaphore;
  readonly #large: FairSemaphore;
  readonly #holders = new WeakMap<ArrayBufferLike, { readonly lease: Lease; holders: number }>();

  constructor(total = READING_MEMORY) {
    const errors = {
      tooLarge,
      refused: () => new ReadingBusy("Too much is being read at the moment."),
    };
    super(total, errors);
    const { refused } = errors;
    const turns = { maxWaiting: MAX_WAITING, timeoutMs: MADE_TIMEOUT, refused };
    const perClient = { permits: MAX_MADE, waiting: MAX_WAITING / 2 };
    this.#small = new FairSemaphore({ ...turns, perClient, permits: MAX_MADE });
    this.#large = new FairSemaphore({ ...turns, perClient, permits: 1 });
  }

  override take(bytes: number, timeoutMs = TIMEOUT): Promise<Lease> {
    return super.take(bytes, timeoutMs);
  }

  /** Registers a transfer. @returns removes it when the transfer ends */
  sending(sender: Sender): () => void {
    this.#senders.add(sender);
    return () => this.#senders.delete(sender);
  }

  /** Also lifts the quotas of all transfers, and breaks off the one that has been stuck for longest. */
  override relieve(): void {
    super.relieve();
    let stuck: Sender | undefined;
    for (const sender of this.#senders) {
      sender.isUrgent = true;
      if (stuck === undefined || sender.since < stuck.since) stuck = sender;
    }
    if (stuck === undefined || performance.now() - stuck.since < STUCK) return;
    this.#senders.delete(stuck);
    stuck.abort();
  }

  /** Makes a chunk in this process, of what readers return. @param bytes of its values @throws TooLarge, ReadingBusy */
  async making(
    bytes: number,
    client: ClientKey | undefined,
    make: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    // The answer of a reader may take as much memory again.
    if (2 * bytes > this.total) throw tooLarge();
    const isSmall = bytes <= (this.total * MADE_SHARE) / MAX_MADE;
    return (isSmall ? this.#small : this.#large).run({ client }, async () => {
      const lease = await this.take(bytes);
      try {
        const data = await make();
        lease.shrink(data.buffer.byteLength);
        setImmediate(this.own(data, lease));
        return data;
      } catch (error) {
        lease.release();
        throw error;
      }
    });
  }

  /** Ties a lease to bytes that several holders may share, and adds the first holder. The last one releases it. */
  own(data: Uint8Array, lease: Lease): () => void {
    this.#holders.set(data.buffer, { lease, holders: 0 });
    return this.hold(data);
  }

  /** Adds a holder of bytes, until the result is called. Does nothing for bytes without an owner. */
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
}
