/** Serves connections that another process has accepted. */
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
    // On this event node:http starts to check the request timeouts.
    server.emit("listening");
  }

  get count(): number {
    return this.#open.size;
  }

  /** Serves a connection as if the server had accepted it. */
  take(socket: Socket): void {
    if (this.#open.size >= this.#server.maxConnections) {
      socket.destroy();
      return;
    }
    // A client may half-close and still read. A socket that was sent to this process would end by default.
    socket.allowHalfOpen = true;
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#onClosed();
      if (this.#open.size === 0) this.#onDrained();
    });
    this.#server.emit("connection", socket);
  }

  /** Waits until all connections have ended. */
  async drained(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }
}
