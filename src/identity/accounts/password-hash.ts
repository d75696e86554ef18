/**
 * Password hashes: argon2id (RFC 9106) in threads of their own, so that a sign-in never holds up other
 * requests. hash-wasm is WebAssembly inside one JavaScript file: it installs everywhere.
 */
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { plainError } from "../../platform/workers/pool-options.js";
import { WorkerPool } from "../../platform/workers/worker-pool.js";
import { SignInBusy } from "../errors.js";
import type { SignInClient } from "../sign-in/sign-in-semaphore.js";
import type { HashQuestion } from "./hash-program.js";

const PROGRAM = new URL("./hash-program.js", import.meta.url);

/** Hashes at a time: one for each processor, each in a thread of its own with 19 MiB. */
export const THREADS = Math.min(4, availableParallelism());
/** Milliseconds to wait for a hash; as many requests may wait as are served in that time. */
const MAX_WAIT = 1500;
const MIN_WAITING = 20;
const NO_CLIENT: SignInClient = ["", ""];

export class PasswordHasher {
  readonly #pool: WorkerPool<HashQuestion, string | boolean>;
  /** Milliseconds that a hash takes: a moving average. */
  #pace = 50;
  #decoy: Promise<string> | undefined;

  constructor(threads = THREADS) {
    const maxWaiting = (): number =>
      Math.max(MIN_WAITING, Math.round((MAX_WAIT * threads) / this.#pace));
    this.#pool = new WorkerPool({
      program: PROGRAM,
      max: threads,
      queue: { maxWaiting, evictsLargest: true },
      errorOf: (loss, cause) => (loss === "refused" ? new SignInBusy() : plainError(loss, cause)),
    });
  }

  /** The hash of a password with a new salt, in the PHC string format. */
  async hash(password: string): Promise<string> {
    return (await this.#run({ password, salt: randomBytes(16) }, NO_CLIENT)) as string;
  }

  /**
   * Whether a password belongs to a hash. Without a hash, as for a name that does not exist, it takes as long
   * and gives false.
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

  async close(): Promise<void> {
    this.#pool.close();
  }

  #run(
    question: HashQuestion,
    client: SignInClient,
    isPreferred = false,
  ): Promise<string | boolean> {
    // The same characters can be typed in several encodings (RFC 8265, 4.2.2).
    const normal = { ...question, password: question.password.normalize("NFC") };
    const spent = (milliseconds: number): void => {
      this.#pace += (milliseconds - this.#pace) / 10;
    };
    return this.#pool.ask(normal, { client, isPreferred, spent });
  }
}
