/** The budget of the memory that reading files takes, booked before it is allocated. */
import { Budget, type Lease } from "../../../platform/concurrency/budget.js";
import {
  type ClientKey,
  FairSemaphore,
  type Permit,
  type PermitRequest,
} from "../../../platform/concurrency/fair-semaphore.js";
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
/** The part of the memory that chunks take while they are made, their number, and how many wait for how many milliseconds. */
const MADE_SHARE = 1 / 8;
const MAX_MADE = 64;
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
  /** Chunks that are made here: together they take a small part, or there is only one, as their readers need the rest. */
  readonly #turns: FairSemaphore<PermitRequest & { readonly bytes: number }>;
  /** Bytes of chunks that are being made. */
  #making = 0;
  readonly #holders = new WeakMap<ArrayBufferLike, { readonly lease: Lease; holders: number }>();

  constructor(total = READING_MEMORY) {
    const errors = {
      tooLarge,
      refused: () => new ReadingBusy("Too much is being read at the moment."),
    };
    super(total, errors);
    this.#turns = new FairSemaphore({
      permits: MAX_MADE,
      maxWaiting: MAX_WAITING,
      perClient: { permits: MAX_MADE, waiting: MAX_WAITING / 2 },
      timeoutMs: MADE_TIMEOUT,
      mayRun: ({ bytes }) => this.#making === 0 || this.#making + bytes <= total * MADE_SHARE,
      refused: errors.refused,
    });
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

  /** Without chunks that are being made, so that these do not wait for the readers that wait for them. */
  override get booked(): number {
    return Math.max(0, super.booked - this.#making);
  }

  /** Makes a chunk in this process, of what readers return. @param bytes of its values @throws TooLarge, ReadingBusy */
  async making(
    bytes: number,
    client: ClientKey | undefined,
    make: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    // What a reader returns for it may be as large.
    if (2 * bytes > this.total) throw tooLarge();
    const turn = await new Promise<Permit>((resolve, reject) => {
      const begin = (permit: Permit): void => {
        this.#making += bytes;
        resolve(permit);
      };
      this.#turns.request({ client, bytes }, begin, reject);
    });
    let lease: Lease | undefined;
    try {
      lease = await this.take(bytes);
      const data = await make();
      lease.shrink(data.buffer.byteLength);
      setImmediate(this.own(data, lease));
      return data;
    } catch (error) {
      lease?.release();
      throw error;
    } finally {
      this.#making -= bytes;
      turn.release();
    }
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
