/**
 * Forwards connections from the port to the workers: each goes to the awake worker with the fewest.
 *
 * A worker receives one connection at a time and confirms it; until then this process holds the connection, unread.
 * So a worker that hangs delays a single client, and a connection that a dead worker had not confirmed goes to another.
 * (node:cluster would keep such a connection open for ever, and closes the port when all workers have died. A shared
 * socket would distribute connections at random.)
 */
import type { Socket } from "node:net";

/** A worker that takes connections. */
export interface Receiver {
  /** Number of its connections, as last reported. */
  open: number;
  /** Whether it can take connections. */
  readonly isAwake: boolean;
  /** Forwards a connection. This process keeps its own descriptor. */
  forward(socket: Socket): void;
}

interface Waiting {
  readonly socket: Socket;
  /** By `performance.now()`. */
  readonly since: number;
}

export class Dispatcher {
  /** In the order of their last connections. */
  #receivers: Receiver[] = [];
  readonly #given = new Map<Receiver, Waiting>();
  #waiting: Waiting[] = [];

  /** Adds a connection from which nothing was read. */
  add(socket: Socket): void {
    // The worker handles errors of the connection.
    socket.on("error", () => {});
    this.#waiting.push({ socket, since: performance.now() });
    this.serve();
  }

  join(receiver: Receiver): void {
    this.#receivers.push(receiver);
    this.serve();
  }

  /** A worker confirms its connection. */
  taken(receiver: Receiver): void {
    const given = this.#given.get(receiver);
    this.#given.delete(receiver);
    // Closes only the descriptor of this process.
    given?.socket.destroy();
    this.serve();
  }

  /** A worker refuses its connection, or has ended. */
  refused(receiver: Receiver): void {
    const given = this.#given.get(receiver);
    this.#given.delete(receiver);
    if (given !== undefined) this.#waiting.unshift(given);
    this.serve();
  }

  leave(receiver: Receiver): void {
    this.#receivers = this.#receivers.filter((other) => other !== receiver);
    this.refused(receiver);
  }

  /** Forwards waiting connections to workers that can take them. */
  serve(): void {
    while (this.#waiting.length > 0) {
      const receiver = this.#choose();
      const next = receiver && this.#waiting.shift();
      if (receiver === undefined || next === undefined) return;
      this.#given.set(receiver, next);
      receiver.open += 1;
      this.#receivers = [...this.#receivers.filter((other) => other !== receiver), receiver];
      receiver.forward(next.socket);
    }
  }

  /** The worker with the fewest connections; of equals, the one whose turn it is. */
  #choose(): Receiver | undefined {
    let chosen: Receiver | undefined;
    for (const receiver of this.#receivers) {
      if (!receiver.isAwake || this.#given.has(receiver)) continue;
      if (chosen === undefined || receiver.open < chosen.open) chosen = receiver;
    }
    return chosen;
  }

  /** Ends connections that have waited for the given milliseconds. */
  dropOlderThan(milliseconds: number): void {
    const since = performance.now() - milliseconds;
    const isOld = (one: Waiting): boolean => one.since < since;
    for (const { socket } of this.#waiting.filter(isOld)) socket.resetAndDestroy();
    this.#waiting = this.#waiting.filter((one) => !isOld(one));
  }
}
