/** A worker, as seen by the supervisor. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { scrubbedEnvironment } from "../../platform/processes/scrubbed-environment.js";
import type { Receiver } from "./dispatcher.js";
import type { Member } from "./gathering.js";
import type { Order, Report, Start } from "./messages.js";

const SCRIPT = fileURLToPath(new URL("./worker-process.js", import.meta.url));

/**
 * Kills the worker, even if it hangs, when the supervisor ends for any reason. Descriptor 4 is open while the
 * supervisor lives; 3 is the channel.
 */
const WATCHDOG = `
(exec </dev/null >/dev/null 2>&1 3>&-; read _ <&4; kill -9 $$) &
exec "$@" 4<&-
`;

/** Seconds without a message after which a worker gets no connections, and after which it is killed. */
const LATE = 3;
const HUNG = 30;

export interface WorkerEvents {
  report(report: Report): void;
  /** No message has arrived for this number of seconds. */
  silent(seconds: number): void;
  /** Called once, after the last message. @param how in words */
  ended(how: string): void;
}

export class Worker implements Receiver, Member {
  open = 0;
  isReady = false;
  readonly #child: ChildProcess;
  readonly #events: WorkerEvents;
  #isEnding = false;
  #hasEnded = false;
  #silence = 0;

  constructor(start: Start, events: WorkerEvents) {
    // A separate process group: Ctrl-C in the terminal must reach only the supervisor.
    const child = spawn(
      "/bin/sh",
      ["-c", WATCHDOG, "worker", process.execPath, ...process.execArgv, SCRIPT],
      {
        env: scrubbedEnvironment(),
        stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
        detached: true,
      },
    );
    this.#child = child;
    this.#events = events;
    let how = "it ended";
    const end = (): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      child.stdio[4]?.destroy();
      events.ended(how);
    };
    child.on("message", (report: Report) => {
      this.#silence = 0;
      if ("open" in report) this.open = report.open;
      if (report.kind === "ready") this.isReady = true;
      if (report.kind === "ending") this.#isEnding = true;
      events.report(report);
    });
    child.once("error", (error) => {
      how = error.message;
      end();
    });
    child.once("exit", (code, signal) => {
      how = signal ?? `status ${code}`;
      // Its last messages may still be in the channel.
      if (child.connected) child.once("disconnect", end);
      else end();
    });
    this.tell(start);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isAwake(): boolean {
    return this.isReady && !this.#isEnding && this.#silence < LATE;
  }

  /** Counts a second without a message. */
  tick(): void {
    if (!this.isReady) return;
    this.#silence += 1;
    if (this.#silence === LATE || this.#silence === HUNG) this.#events.silent(this.#silence);
    if (this.#silence >= HUNG) this.kill();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  tell(order: Order): void {
    // The end of a worker is reported by its event.
    if (this.#child.connected) this.#child.send(order, () => {});
  }

  ask(round: number): void {
    this.tell({ kind: "measure", round });
  }

  forward(socket: Socket): void {
    if (!this.#child.connected) return;
    this.#child.send({ kind: "connection" } satisfies Order, socket, { keepOpen: true }, () => {});
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
