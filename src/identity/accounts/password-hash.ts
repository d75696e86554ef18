/**
 * Password hashes: argon2id (RFC 9106) in threads of their own, so that a sign-in never holds up other
 * requests, as many as there are processors, in turns. hash-wasm is WebAssembly inside one JavaScript file: it installs everywhere.
 */
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FairSemaphore } from "../../platform/fair-semaphore.js";
import { type SignInClient, signInSemaphore } from "../sign-in/sign-in-semaphore.js";

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 };

/**
 * What the thread runs. Text, as the thread must find plain JavaScript whether this file runs compiled or
 * straight from TypeScript, as it does in tests.
 */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const { argon2id, argon2Verify } = require(workerData.library);
parentPort.on("message", async ({ hash, ...rest }) => {
  try {
    const result = hash === undefined ? await argon2id(rest) : await argon2Verify({ ...rest, hash });
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ failure: String(error) });
  }
});`;

type Task = { readonly password: string; readonly hash?: string } & Readonly<
  Record<string, unknown>
>;
interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** As many hashes at once as there are processors, each in a thread of its own with 19 MiB. */
export const THREADS = Math.min(4, availableParallelism());
/** Milliseconds that somebody waits for a hash; as many may wait as are done in that time. */
const MAX_WAIT = 1500;
const MIN_WAITING = 20;
const NO_CLIENT: SignInClient = ["", ""];

export class PasswordHasher {
  readonly #hashing: FairSemaphore;
  readonly #idle: HashThread[] = [];
  /** Milliseconds that a hash takes, of late. */
  #pace = 50;
  #decoy: Promise<string> | undefined;

  constructor(threads = THREADS) {
    const maxWaiting = (): number =>
      Math.max(MIN_WAITING, Math.round((MAX_WAIT * threads) / this.#pace));
    this.#hashing = signInSemaphore(threads, maxWaiting);
  }

  /** The hash of a password with a salt of its own, in the PHC string format. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return (await this.#run(
      { ...COST, password, salt, outputType: "encoded" },
      NO_CLIENT,
    )) as string;
  }

  /**
   * Whether a password belongs to a hash. Without a hash, as for a name that does not exist, it takes as long
   * and says no.
   *
   * @param client takes turns with others, so that many attempts of one do not delay them
   * @param isPreferred whether it goes before attempts that are not preferred
   * @throws SignInBusy when too many wait
   */
  async verify(
    password: string,
    hash: string | undefined,
    client = NO_CLIENT,
    isPreferred = false,
  ): Promise<boolean> {
    this.#decoy ??= this.hash(randomBytes(32).toString("base64"));
    const task = { password, hash: hash ?? (await this.#decoy) };
    const matches = await this.#run(task, client, isPreferred);
    return matches === true && hash !== undefined;
  }

  /** Makes ready what the first `verify` needs, so that it takes no longer than the others. */
  async warmUp(): Promise<void> {
    await this.verify("any", undefined);
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.close()));
  }

  #run(job: Task, client: SignInClient, isPreferred = false): Promise<unknown> {
    // The same characters can be typed in several encodings (RFC 8265, 4.2.2).
    const normal = { ...job, password: job.password.normalize("NFC") };
    const work = async (): Promise<unknown> => {
      const begin = performance.now();
      const thread = this.#idle.pop() ?? new HashThread();
      const result = await thread.run(normal);
      this.#idle.push(thread);
      this.#pace += (performance.now() - begin - this.#pace) / 10;
      return result;
    };
    return this.#hashing.run({ client, isPreferred }, work);
  }
}

/** One thread, which does one job at a time. */
class HashThread {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;

  constructor() {
    const library = createRequire(import.meta.url).resolve("hash-wasm");
    this.#worker = new Worker(THREAD, { eval: true, workerData: { library } });
    this.#worker.on("message", ({ result, failure }) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      // An idle thread does not keep the process alive.
      this.#worker.unref();
      if (failure === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(failure));
    });
    const ended = (): void => this.#waiting?.reject(new Error("the thread ended"));
    this.#worker.on("error", ended).on("exit", ended);
  }

  run(job: Task): Promise<unknown> {
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
