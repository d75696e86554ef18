/** A request's way through the nodes: when it is asked of another one, and when that ends. */
import type { Deadline } from "./deadline.js";
import type { Node, Nodes } from "./nodes.js";

/**
 * How a request failed:
 * - `unsent`: nothing of it was sent;
 * - `broken`: the answer broke off, or never began;
 * - `unavailable`: Solr says that something is missing just now, as a leader or a shard;
 * - `failed`: Solr says that it failed, which may be this node's own fault;
 * - `final`: any other would answer the same.
 */
export type Failure = "unsent" | "broken" | "unavailable" | "failed" | "final";

/** Whether something may be asked twice; milliseconds for which it is asked again and again. */
export interface Repeating {
  readonly isAllowed: boolean;
  readonly patience: number;
}

/** What only reads: the other replica of a shard answers at once, or nobody does. */
export const READING: Repeating = { isAllowed: true, patience: 1000 };
/** What writes needs a leader, and a new one is chosen only when the former is known to be gone. */
export const WRITING_AGAIN: Repeating = { isAllowed: true, patience: 40_000 };
export const ONCE: Repeating = { isAllowed: false, patience: 1000 };

/** An answer may break off because of what was asked: that must not go through all nodes again and again. */
const MAX_BREAKS = 2;
/** Milliseconds before all nodes are asked once more. */
const PAUSE = { first: 100, most: 1000 };

export class Retries {
  readonly #nodes: Nodes;
  readonly #repeating: Repeating;
  #left: readonly Node[];
  #since: number | undefined;
  #pause = PAUSE.first;
  #breaks = 0;
  #hopeful = false;
  /** All nodes were known to be down before: there is nothing to wait for, and others want their turn. */
  readonly #isOutage: boolean;
  node: Node;

  /** @param near see SolrRequest */
  constructor(nodes: Nodes, repeating: Repeating, near?: string) {
    this.#nodes = nodes;
    this.#repeating = repeating;
    this.#isOutage = repeating !== WRITING_AGAIN && nodes.all.every(({ isDown }) => isDown);
    [this.node, ...this.#left] = nodes.areSeveral
      ? (nodes.inTurn(near) as [Node, ...Node[]])
      : nodes.all;
  }

  /** Whether an answer that does not come may be broken off to ask another node. */
  get canMove(): boolean {
    return this.#repeating.isAllowed && this.#breaks < MAX_BREAKS;
  }

  /** Whether it is to be asked again, of `node`; waits for that where all were asked. */
  async goOn(failure: Failure, deadline: Deadline): Promise<boolean> {
    if (!this.#nodes.areSeveral || failure === "final" || deadline.isOver) return false;
    if (failure === "broken") this.#breaks += 1;
    const mayRepeat = failure === "unsent" || this.#repeating.isAllowed;
    if (!mayRepeat || this.#breaks > MAX_BREAKS) return false;
    this.#since ??= performance.now();
    if (failure !== "failed") this.#hopeful = true;
    const [next, ...left] = this.#left;
    if (next !== undefined) {
      this.node = next;
      this.#left = left;
      return true;
    }
    const isPatient = performance.now() - this.#since < this.#repeating.patience;
    if (!this.#hopeful || this.#isOutage || !isPatient || !(await deadline.pause(this.#pause)))
      return false;
    this.#pause = Math.min(this.#pause * 2, PAUSE.most);
    this.#hopeful = false;
    const again = this.#nodes.inTurn() as [Node, ...Node[]];
    [this.node, ...this.#left] = again;
    return true;
  }
}
