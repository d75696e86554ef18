/** Retries of a request at other nodes. */
import type { Deadline } from "./deadline.js";
import type { Node, Nodes } from "./nodes.js";

/**
 * How a request failed:
 * - `unsent`: nothing was sent;
 * - `broken`: the answer was cut off, or never started;
 * - `unavailable`: Solr reports that something is missing at the moment, such as a leader or a shard;
 * - `failed`: Solr reports a failure, which may be specific to this node;
 * - `final`: any other node would answer the same.
 */
export type Failure = "unsent" | "broken" | "unavailable" | "failed" | "final";

/** Whether a request may be sent twice, and the milliseconds for which it is repeated. */
export interface RetryPolicy {
  readonly isAllowed: boolean;
  readonly maxMs: number;
}

/** For reads: another replica of the shard answers at once, or none does. */
export const READ: RetryPolicy = { isAllowed: true, maxMs: 1000 };
/** For writes that may be repeated: they need a leader, and a new one is elected only when the former is known to be gone. */
export const IDEMPOTENT_WRITE: RetryPolicy = { isAllowed: true, maxMs: 40_000 };
export const ONCE: RetryPolicy = { isAllowed: false, maxMs: 1000 };

/** Broken answers after which a request is not repeated: the request itself may crash the nodes. */
const MAX_BREAKS = 2;
/** Milliseconds before all nodes are tried again. */
const PAUSE = { first: 100, max: 1000 };

export class Retries {
  readonly #nodes: Nodes;
  readonly #repeating: RetryPolicy;
  #untried: readonly Node[];
  #since: number | undefined;
  #pause = PAUSE.first;
  #breaks = 0;
  #mayRecover = false;
  /** Whether all nodes were known to be down before. Waiting is then pointless and would hold a permit. */
  readonly #isOutage: boolean;
  node: Node;

  constructor(nodes: Nodes, repeating: RetryPolicy, replica?: string) {
    this.#nodes = nodes;
    this.#repeating = repeating;
    this.#isOutage = repeating !== IDEMPOTENT_WRITE && nodes.all.every(({ isDown }) => isDown);
    [this.node, ...this.#untried] = nodes.areSeveral
      ? (nodes.inOrder(replica) as [Node, ...Node[]])
      : nodes.all;
  }

  /** Whether a late answer may be aborted to try another node. */
  get canMove(): boolean {
    return this.#repeating.isAllowed && this.#breaks < MAX_BREAKS;
  }

  /** Whether to send the request again, to `node`. Waits if all nodes were tried. */
  async shouldRetry(failure: Failure, deadline: Deadline): Promise<boolean> {
    if (!this.#nodes.areSeveral || failure === "final" || deadline.isOver) return false;
    if (failure === "broken") this.#breaks += 1;
    const mayRepeat = failure === "unsent" || this.#repeating.isAllowed;
    if (!mayRepeat || this.#breaks > MAX_BREAKS) return false;
    this.#since ??= performance.now();
    if (failure !== "failed") this.#mayRecover = true;
    const [next, ...left] = this.#untried;
    if (next !== undefined) {
      this.node = next;
      this.#untried = left;
      return true;
    }
    const isPatient = performance.now() - this.#since < this.#repeating.maxMs;
    if (!this.#mayRecover || this.#isOutage || !isPatient || !(await deadline.pause(this.#pause)))
      return false;
    this.#pause = Math.min(this.#pause * 2, PAUSE.max);
    this.#mayRecover = false;
    const again = this.#nodes.inOrder() as [Node, ...Node[]];
    [this.node, ...this.#untried] = again;
    return true;
  }
}
