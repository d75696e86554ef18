/** How paths are walked on this machine: asked of threads, many at a time, and remembered for a while. */
import { LRUCache } from "lru-cache";
import { remembered } from "../../platform/single-flight.js";
import { batchesOf } from "../../platform/time-slices.js";
import { AskedThreads } from "../../platform/worker-pool.js";
import type { Entry, Node, Question, Told, Tools, Way } from "./path-nodes.js";
import { THREAD } from "./rights-thread.js";

/** Questions for ways at once, beside the one of a list: lists do not hold up those who read. */
const MAX_QUESTIONS = 2;
const MAX_THREADS = MAX_QUESTIONS + 1;
/** Milliseconds. */
const PATIENCE = 5000;
/** Paths in one question: some descriptors each, while it is answered. */
const MAX_PATHS = 32;
/** Entries in one question. */
const MAX_ENTRIES = 4000;
const MAX_WAYS = 20_000;
const MAX_NODES = 50_000;

interface Waiting {
  readonly path: string;
  readonly tell: (way: Way) => void;
  readonly fail: (error: unknown) => void;
}

export class Ways {
  readonly #threads: AskedThreads<Question, Told>;
  readonly #known: LRUCache<string, Promise<Way>>;
  /** The same folders are on the way to many files. */
  readonly #nodes: LRUCache<string, Node>;
  #waiting: Waiting[] = [];
  #asking = 0;
  /** Settles when the list that is looked at has been: they take turns. */
  #listing: Promise<unknown> = Promise.resolve();

  /** @param ttl milliseconds, in the threads and once more here */
  constructor(tools: Tools, ttl: number) {
    const data = { ...tools, remembered: ttl };
    this.#threads = new AskedThreads(THREAD, { most: MAX_THREADS, patience: PATIENCE, data });
    this.#known = new LRUCache({ max: MAX_WAYS, ttl });
    this.#nodes = new LRUCache({ max: MAX_NODES });
  }

  /** @param path absolute, without `.` and `..`. @throws DataUnavailable */
  of(path: string): Promise<Way> {
    return remembered(this.#known, path, () => {
      const way = new Promise<Way>((tell, fail) => {
        this.#waiting.push({ path, tell, fail });
      });
      if (this.#waiting.length === 1) queueMicrotask(() => this.#askNext());
      return way;
    });
  }

  /** The same, looked for anew. @param old what is not so any more */
  async again(path: string, old: Way): Promise<Way> {
    const known = this.#known.get(path);
    const isOld = known !== undefined && (await known) === old;
    // Meanwhile another caller may have looked anew.
    if (isOld && this.#known.peek(path) === known) this.#known.delete(path);
    return this.of(path);
  }

  /** What lies under paths, whose folders are known: not remembered. @throws DataUnavailable */
  async entries(paths: readonly string[]): Promise<readonly Entry[]> {
    const found: Entry[] = [];
    for (const some of batchesOf(paths, MAX_ENTRIES)) {
      const mine = this.#listing.then(() => this.#threads.ask({ kind: "entries", paths: some }));
      this.#listing = mine.catch(() => {});
      found.push(...(await mine).entries);
    }
    return found;
  }

  #askNext(): void {
    while (this.#waiting.length > 0 && this.#asking < MAX_QUESTIONS) {
      const some = this.#waiting.slice(0, MAX_PATHS);
      this.#waiting = this.#waiting.slice(MAX_PATHS);
      this.#asking += 1;
      void this.#answer(some).finally(() => {
        this.#asking -= 1;
        this.#askNext();
      });
    }
  }

  async #answer(some: readonly Waiting[]): Promise<void> {
    try {
      const told = await this.#threads.ask({ kind: "ways", paths: some.map(({ path }) => path) });
      const nodes = told.nodes.map((node) => this.#same(node));
      const nodeAt = (index: number): Node => nodes[index] as Node;
      for (const [index, { tell }] of some.entries()) {
        const { folders = [], links = [], end } = told.ways[index] ?? { end: undefined };
        tell({
          folders: folders.map(nodeAt),
          links,
          end: end === undefined ? undefined : nodeAt(end),
        });
      }
    } catch (error) {
      for (const { fail } of some) fail(error);
    }
  }

  #same(node: Node): Node {
    const key = `${node.id} ${node.changed} ${node.kind} ${node.acl ?? ""}`;
    const before = this.#nodes.get(key);
    if (before !== undefined) return before;
    this.#nodes.set(key, node);
    return node;
  }
}
