/** Starts the client process and sends it jobs. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Answer, Jobs, Order } from "./client.js";

export class RemoteClient {
  readonly #process: ChildProcess = fork(fileURLToPath(new URL("client.ts", import.meta.url)));

  /** Runs one job; only one at a time. */
  async do<K extends keyof Jobs>(kind: K, job: Jobs[K][0]): Promise<Jobs[K][1]> {
    const order: Order<K> = { kind, job };
    this.#process.send(order);
    const [answer] = (await once(this.#process, "message")) as [Answer];
    if ("error" in answer) throw new Error(`${kind}: ${answer.error}`);
    return answer.result as Jobs[K][1];
  }

  close(): void {
    this.#process.disconnect();
  }
}
