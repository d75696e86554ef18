/** Connections that another process has accepted, for a server that does not listen itself. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

export class ForwardedConnections {
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  readonly #onClosed: () => void;
  #onDrained: () => void = () => {};

  /** @param onClosed is called when a connection has ended */
  constructor(server: Server, onClosed: () => void) {
    this.#server = server;
    this.#onClosed = onClosed;
    // On this event node:http begins to watch over the time that requests take.
    server.emit("listening");
  }

  get count(): number {
    return this.#open.size;
  }

  /** Answers what comes on a connection, as if it had come to a port of the server. */
  take(socket: Socket): void {
    if (this.#open.size >= this.#server.maxConnections) {
      socket.destroy();
      return;
    }
    // A client that has nothing more to say may still listen; a socket that was handed over would be ended with it.
    socket.allowHalfOpen = true;
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#onClosed();
      if (this.#open.size === 0) this.#onDrained();
    });
    this.#server.emit("connection", socket);
  }

  /** Waits until all have ended. */
  async drained(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }
}
