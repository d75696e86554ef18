/**
 * Password hashes: argon2id (RFC 9106) in a thread of its own, so that a sign-in never holds up other
 * requests. hash-wasm is WebAssembly inside one JavaScript file: it installs everywhere.
 */
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 };

/**
 * What the thread runs. Text, as the thread must find plain JavaScript whether this file runs compiled or
 * straight from TypeScript, as it does in tests.
 */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const { argon2id, argon2Verify } = require(workerData.library);
parentPort.on("message", async ({ id, hash, ...rest }) => {
  try {
    const result = hash === undefined ? await argon2id(rest) : await argon2Verify({ ...rest, hash });
    parentPort.postMessage({ id, result });
  } catch (error) {
    parentPort.postMessage({ id, failure: String(error) });
  }
});`;

type Job = { readonly password: string; readonly hash?: string } & Readonly<
  Record<string, unknown>
>;
interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

export class PasswordHasher {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 0;
  #decoy: Promise<string> | undefined;

  /** The hash of a password with a salt of its own, in the PHC string format. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return (await this.#run({ ...COST, password, salt, outputType: "encoded" })) as string;
  }

  /**
   * Whether a password belongs to a hash. Without a hash, as for a name that does not exist, it takes as long
   * and says no.
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    this.#decoy ??= this.hash(randomBytes(32).toString("base64"));
    const right = await this.#run({ password, hash: hash ?? (await this.#decoy) });
    return hash !== undefined && right === true;
  }

  /** Makes ready what the first `verify` needs, so that it takes no longer than the others. */
  async warmUp(): Promise<void> {
    await this.verify("any", undefined);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run(job: Job): Promise<unknown> {
    // The same characters can be typed in several encodings (RFC 8265, 4.2.2).
    const normal = { ...job, password: job.password.normalize("NFC") };
    const id = this.#next++;
    const worker = this.#start();
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...normal });
    });
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const library = createRequire(import.meta.url).resolve("hash-wasm");
    const worker = new Worker(THREAD, { eval: true, workerData: { library } });
    worker.on("message", ({ id, result, failure }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      // An idle thread does not keep the process alive.
      if (this.#waiting.size === 0) worker.unref();
      if (failure === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(failure));
    });
    const ended = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error("the thread ended"));
      this.#waiting.clear();
    };
    worker.on("error", ended).on("exit", ended);
    this.#worker = worker;
    return worker;
  }
}
