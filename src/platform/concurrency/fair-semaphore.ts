/** A semaphore that is fair to the clients waiting for it: they take turns, and one client can be bounded on its own. */

/** Tells clients apart. In a list, such as an address and a name, clients take turns at every level. */
export type ClientKey = string | readonly string[];

/** A request for a permit. A semaphore whose `mayRun` needs more about its requests extends it. */
export interface PermitRequest {
  /** Undefined: the client is not known, and `perClient` does not apply. */
  readonly client?: ClientKey | undefined;
  /** Ends the waiting. A permit that was granted stays valid. */
  readonly signal?: AbortSignal | undefined;
  /** Goes before all requests that are not preferred. */
  readonly isPreferred?: boolean;
  /**
   * Continues work that gave its permit back. Goes before other requests of its client, so that work which has begun ends
   * first. `maxWaiting`, `perClient.waiting` and `timeoutMs` do not apply.
   */
  readonly isResumed?: boolean;
}

export interface SemaphoreOptions<R> {
  readonly permits: number;
  /** Requests that may wait, over all clients. */
  readonly maxWaiting: number | (() => number);
  /** Permits that one client may hold, and its requests that may wait. Left out: unlimited. */
  readonly perClient?: { readonly permits: number; readonly waiting: number };
  /**
   * In a full queue, drops the last waiting request of the largest client rather than the new one. A client with many
   * requests then cannot lock others out.
   */
  readonly evictsLargest?: boolean;
  /** Milliseconds that a request may wait. Left out: unlimited. */
  readonly timeoutMs?: number;
  /** Whether a request may have a permit at this moment. Call `serve` when its answer may have changed. */
  readonly mayRun?: (request: R) => boolean;
  /** The error of a request that finds a full queue, or waits for too long. */
  readonly refused: () => Error;
  /** The error of a request whose signal is aborted. Left out: as `refused`. */
  readonly aborted?: () => Error;
}

export interface SemaphoreUsage {
  readonly taken: number;
  readonly waiting: number;
  /** Requests that were refused since the start. Aborted requests are not counted. */
  readonly refused: number;
}

export interface Permit {
  isWanted(): boolean;
  /** Gives the permit back. Further calls do nothing. */
  release(): void;
}

export class FairSemaphore<R extends PermitRequest = PermitRequest> {
  readonly #preferred = new RoundRobin<R>();
  readonly #others = new RoundRobin<R>();
  readonly #takenBy = new Map<string, number>();
  readonly #waitingBy = new Map<string, number>();
  #taken = 0;
  #waiting = 0;
  #refused = 0;
  readonly #options: SemaphoreOptions<R>;

  constructor(options: SemaphoreOptions<R>) {
    this.#options = options;
  }

  get usage(): SemaphoreUsage {
    return { taken: this.#taken, waiting: this.#waiting, refused: this.#refused };
  }

  /** A permit, or undefined if none is free for this request. */
  tryAcquire(request: R): Permit | undefined {
    return this.#isFree(request) ? this.#take(request) : undefined;
  }

  acquire(request: R): Promise<Permit> {
    return new Promise((resolve, reject) => this.request(request, resolve, reject));
  }

  /** Does work with a permit; starts before it returns if one is free. */
  run<T>(request: R, work: () => Promise<T>): Promise<T> {
    const hold = async (permit: Permit): Promise<T> => {
      try {
        return await work();
      } finally {
        permit.release();
      }
    };
    return new Promise((resolve, reject) =>
      this.request(request, (permit) => hold(permit).then(resolve, reject), reject),
    );
  }

  /** Calls one of two functions when the request is decided: before it returns if a permit is free or the queue is full. */
  request(request: R, granted: (permit: Permit) => void, failed: (error: Error) => void): void {
    if (request.signal?.aborted) {
      failed(this.#aborted());
      return;
    }
    // A waiting request that may run by this time comes before the new one.
    this.serve();
    const permit = this.tryAcquire(request);
    if (permit !== undefined) granted(permit);
    else if (this.#makeRoom(request)) this.#wait(request, granted, failed);
    else failed(this.#refusal());
  }

  /** Grants free permits to waiting requests. Needed only if `mayRun` depends on anything but the permits held. */
  serve(): void {
    const mayRun = (request: R): boolean => this.#isFree(request);
    while (this.#taken < this.#options.permits) {
      const next = this.#preferred.next(mayRun) ?? this.#others.next(mayRun);
      if (next === undefined) return;
      next.grant();
    }
  }

  failWaiting(matches: (request: R) => boolean, error: () => Error): void {
    for (const waiter of [...this.#preferred.all(), ...this.#others.all()]) {
      if (matches(waiter.request)) waiter.fail(error());
    }
  }

  /** Whether a request may wait; drops another one for it if the options say so. */
  #makeRoom({ client, isResumed = false }: R): boolean {
    const { maxWaiting, perClient, evictsLargest = false } = this.#options;
    if (isResumed) return true;
    if (isFull(this.#waitingBy, client, perClient?.waiting)) return false;
    const max = typeof maxWaiting === "number" ? maxWaiting : maxWaiting();
    if (this.#waiting < max) return true;
    const dropped = evictsLargest ? (this.#others.last() ?? this.#preferred.last()) : undefined;
    dropped?.fail(this.#refusal());
    return dropped !== undefined;
  }

  #wait(request: R, granted: (permit: Permit) => void, failed: (error: Error) => void): void {
    const { client, signal, isPreferred = false, isResumed = false } = request;
    const { timeoutMs } = this.#options;
    const queue = isPreferred ? this.#preferred : this.#others;
    const path = pathOf(client);
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      queue.remove(path, waiter);
      this.#waiting -= 1;
      count(this.#waitingBy, client, -1);
    };
    const waiter: Waiter<R> = {
      request,
      grant: () => {
        leave();
        granted(this.#take(request));
      },
      fail: (error) => {
        leave();
        failed(error);
      },
    };
    const abort = (): void => waiter.fail(this.#aborted());
    const timer =
      isResumed || timeoutMs === undefined
        ? undefined
        : setTimeout(() => waiter.fail(this.#refusal()), timeoutMs).unref();
    signal?.addEventListener("abort", abort, { once: true });
    queue.add(path, waiter);
    this.#waiting += 1;
    count(this.#waitingBy, client, 1);
  }

  #isFree(request: R): boolean {
    const { permits, perClient, mayRun } = this.#options;
    if (this.#taken >= permits) return false;
    if (isFull(this.#takenBy, request.client, perClient?.permits)) return false;
    return mayRun?.(request) ?? true;
  }

  #take({ client }: R): Permit {
    this.#taken += 1;
    count(this.#takenBy, client, 1);
    let isHeld = true;
    return {
      isWanted: () => this.#waiting > 0,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#taken -= 1;
        count(this.#takenBy, client, -1);
        this.serve();
      },
    };
  }

  #refusal(): Error {
    this.#refused += 1;
    return this.#options.refused();
  }

  #aborted(): Error {
    const { aborted, refused } = this.#options;
    return (aborted ?? refused)();
  }
}

interface Waiter<R extends PermitRequest> {
  readonly request: R;
  grant(): void;
  fail(error: Error): void;
}

/** Waiting requests by the path of their clients: each branch has its turn, and then goes behind the others. */
class RoundRobin<R extends PermitRequest> {
  readonly #branches = new Map<string, RoundRobin<R>>();
  readonly #waiters: Waiter<R>[] = [];

  get #size(): number {
    return this.#branches.size + this.#waiters.length;
  }

  add([key, ...rest]: readonly string[], waiter: Waiter<R>): void {
    if (key !== undefined) {
      const branch = this.#branches.get(key) ?? new RoundRobin<R>();
      this.#branches.set(key, branch);
      branch.add(rest, waiter);
      return;
    }
    const { isResumed } = waiter.request;
    const at = isResumed ? this.#waiters.findIndex(({ request }) => !request.isResumed) : -1;
    this.#waiters.splice(at < 0 ? this.#waiters.length : at, 0, waiter);
  }

  /** The request whose turn it is, of those that may run. Its branches go behind the others; it stays where it is. */
  next(mayRun: (request: R) => boolean): Waiter<R> | undefined {
    for (const [key, branch] of this.#branches) {
      const found = branch.next(mayRun);
      if (found === undefined) continue;
      this.#branches.delete(key);
      this.#branches.set(key, branch);
      return found;
    }
    return this.#waiters.find(({ request }) => mayRun(request));
  }

  /** The newest request in the branch with the most entries; of equal branches, the last. */
  last(): Waiter<R> | undefined {
    let largest: RoundRobin<R> | undefined;
    for (const branch of this.#branches.values()) {
      if (largest === undefined || branch.#size >= largest.#size) largest = branch;
    }
    return largest === undefined ? this.#waiters.at(-1) : largest.last();
  }

  remove([key, ...rest]: readonly string[], waiter: Waiter<R>): void {
    if (key === undefined) {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      return;
    }
    const branch = this.#branches.get(key);
    if (branch === undefined) return;
    branch.remove(rest, waiter);
    if (branch.#size === 0) this.#branches.delete(key);
  }

  *all(): Generator<Waiter<R>> {
    yield* this.#waiters;
    for (const branch of this.#branches.values()) yield* branch.all();
  }
}

/** Requests without a client take turns as one. */
const pathOf = (client: ClientKey | undefined): readonly string[] =>
  typeof client === "string" ? [client] : (client ?? [""]);

const keyOf = (client: ClientKey): string =>
  typeof client === "string" ? client : JSON.stringify(client);

/** Whether a client has reached its bound. Clients that are not known have none. */
const isFull = (
  counts: ReadonlyMap<string, number>,
  client: ClientKey | undefined,
  max: number | undefined,
): boolean => client !== undefined && max !== undefined && (counts.get(keyOf(client)) ?? 0) >= max;

/** Adds to the count of a client. Clients whose count is 0 take no memory. */
function count(counts: Map<string, number>, client: ClientKey | undefined, change: 1 | -1): void {
  if (client === undefined) return;
  const key = keyOf(client);
  const value = (counts.get(key) ?? 0) + change;
  if (value > 0) counts.set(key, value);
  else counts.delete(key);
}
