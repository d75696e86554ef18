/**
 * Connections from the one port to the workers: each to the one that has fewest, of those that are awake.
 *
 * A worker is given one at a time and says when it has it; until then this process keeps hold of the connection, unread.
 * So one that hangs holds up a single client, and what a worker had not taken when it died goes to another: nobody waits for
 * an answer that cannot come. (node:cluster keeps such a connection open for ever, and closes the port when all of its
 * workers have died; to share the socket itself leaves it to chance who has how many.)
 */
import type { Socket } from "node:net";

/** A worker, as far as connections are concerned. */
export interface Receiver {
  /** Connections that it has, as far as it is known. */
  open: number;
  /** Whether it can be given some. */
  readonly isAwake: boolean;
  /** Hands a connection over, of which this process keeps its own descriptor. */
  forward(socket: Socket): void;
}

interface Waiting {
  readonly socket: Socket;
  /** By `performance.now()`. */
  readonly since: number;
}

export class Dispatcher {
  /** In the order in which they were last given one. */
  #receivers: Receiver[] = [];
  readonly #given = new Map<Receiver, Waiting>();
  #waiting: Waiting[] = [];

  /** A connection that nobody has read from. */
  add(socket: Socket): void {
    // Whatever becomes of it, it is its worker that acts on it.
    socket.on("error", () => {});
    this.#waiting.push({ socket, since: performance.now() });
    this.serve();
  }

  join(receiver: Receiver): void {
    this.#receivers.push(receiver);
    this.serve();
  }

  /** A worker has what it was given. */
  taken(receiver: Receiver): void {
    const given = this.#given.get(receiver);
    this.#given.delete(receiver);
    // Closes the descriptor of this process alone.
    given?.socket.destroy();
    this.serve();
  }

  /** A worker does not take what it was given, or has ended. */
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

  /** Gives what waits to whoever can take it. */
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

  /** The one with the fewest connections; of several, the one whose turn it is. */
  #choose(): Receiver | undefined {
    let chosen: Receiver | undefined;
    for (const receiver of this.#receivers) {
      if (!receiver.isAwake || this.#given.has(receiver)) continue;
      if (chosen === undefined || receiver.open < chosen.open) chosen = receiver;
    }
    return chosen;
  }

  /** Ends connections that nobody could take for so many milliseconds. */
  dropOlderThan(milliseconds: number): void {
    const since = performance.now() - milliseconds;
    const isOld = (one: Waiting): boolean => one.since < since;
    for (const { socket } of this.#waiting.filter(isOld)) socket.resetAndDestroy();
    this.#waiting = this.#waiting.filter((one) => !isOld(one));
  }
}
