/** Walks paths in worker threads, many at a time, and caches the results. */
import { LRUCache } from "lru-cache";
import { remembered } from "../../platform/concurrency/single-flight.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { unavailable } from "../../platform/file-system/file-probe.js";
import { WorkerPool } from "../../platform/workers/worker-pool.js";
import type { Entry, Node, PathFacts, Question, Tools, WalkSetup, Way } from "./path-nodes.js";

const PROGRAM = new URL("./path-walk-program.js", import.meta.url);

/** Walks at a time. One more thread serves lists, so that they do not delay readers. */
const MAX_QUESTIONS = 2;
const MAX_THREADS = MAX_QUESTIONS + 1;
/** Milliseconds for an answer, and to wait for a thread. */
const TIMEOUT = 5000;
/** Paths per question: each takes some descriptors. */
const MAX_PATHS = 32;
/** Entries per question. */
const MAX_ENTRIES = 4000;
const MAX_WAYS = 20_000;
const MAX_NODES = 50_000;

/** A path in the queue. */
interface WaitingPath {
  readonly path: string;
  readonly resolve: (way: Way) => void;
  readonly reject: (error: unknown) => void;
}

export class Ways {
  readonly #pool: WorkerPool<Question, PathFacts>;
  readonly #known: LRUCache<string, Promise<Way>>;
  /** Shared between ways. */
  readonly #nodes: LRUCache<string, Node>;
  #waiting: WaitingPath[] = [];
  #asking = 0;
  /** Settles after the last question for entries. They are sent one at a time. */
  #listing: Promise<unknown> = Promise.resolve();

  /** @param ttl milliseconds of the caches in the threads, and again of this one */
  constructor(tools: Tools, ttl: number) {
    const data: WalkSetup = { ...tools, ttl };
    this.#pool = new WorkerPool({
      program: PROGRAM,
      max: MAX_THREADS,
      timeout: TIMEOUT,
      queue: { timeoutMs: TIMEOUT },
      errorOf: unavailable,
      data,
    });
    this.#known = new LRUCache({ max: MAX_WAYS, ttl });
    this.#nodes = new LRUCache({ max: MAX_NODES });
  }

  /** @param path absolute, without `.` and `..`. */
  of(path: string): Promise<Way> {
    return remembered(this.#known, path, () => {
      const way = new Promise<Way>((resolve, reject) => {
        this.#waiting.push({ path, resolve, reject });
      });
      if (this.#waiting.length === 1) queueMicrotask(() => this.#askNext());
      return way;
    });
  }

  /** Walks a path again. @param old the outdated result */
  async again(path: string, old: Way): Promise<Way> {
    const known = this.#known.get(path);
    const isOld = known !== undefined && (await known) === old;
    // Another caller may have walked it in the meantime.
    if (isOld && this.#known.peek(path) === known) this.#known.delete(path);
    return this.of(path);
  }

  /** The entries at paths whose folders were walked; not cached. */
  async entries(paths: readonly string[]): Promise<readonly Entry[]> {
    const found: Entry[] = [];
    for (const some of batchesOf(paths, MAX_ENTRIES)) {
      const answer = this.#listing.then(() => this.#pool.ask({ kind: "entries", paths: some }));
      this.#listing = answer.catch(() => {});
      found.push(...(await answer).entries);
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

  async #answer(some: readonly WaitingPath[]): Promise<void> {
    try {
      const paths = some.map(({ path }) => path);
      const { ways } = await this.#pool.ask({ kind: "ways", paths });
      for (const [index, { folders, links, end }] of ways.entries()) {
        const same = { folders: folders.map((node) => this.#same(node)), links };
        some[index]?.resolve({ ...same, end: end && this.#same(end) });
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  /** Replaces equal nodes by one object. */
  #same(node: Node): Node {
    const key = `${node.id} ${node.changed} ${node.kind} ${node.acl ?? ""}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    this.#nodes.set(key, node);
    return node;
  }
}
