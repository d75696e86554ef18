/** Computes and checks password hashes in a thread; see PasswordHasher. */
import { argon2id, argon2Verify } from "hash-wasm";
import { answerQuestions } from "../../platform/workers/worker-program.js";

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 };

export type HashQuestion =
  | { readonly password: string; readonly salt: Uint8Array }
  /** Whether the password belongs to the hash. */
  | { readonly password: string; readonly hash: string };

answerQuestions(
  (question: HashQuestion): Promise<string | boolean> =>
    "hash" in question
      ? argon2Verify(question)
      : argon2id({ ...COST, ...question, outputType: "encoded" }),
);
