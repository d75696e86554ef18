/**
 * The nodes of a Solr: the order in which they are tried, and their health. A single node is not watched, and its
 * requests are not repeated.
 */
import { Pool } from "undici";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import { authorization, type SolrEndpoint } from "./endpoint.js";
import { Answer } from "./response.js";

/** Milliseconds that an idle connection is kept. Solr keeps it for longer. */
const KEEP_ALIVE_MS = 4000;
/** Milliseconds between two health checks of a node. */
const HEALTH_INTERVAL_MS = 1000;
/** Milliseconds without data after which a node counts as silent, and a request as stuck. */
export const MAX_SILENCE_MS = 2000;
/** Milliseconds that nodes are watched after the last request. */
const WATCH_AFTER_USE_MS = 10_000;
/** The health check of a node. A live node answers it even without permission: with 401 or 403. */
export const HEALTH = "admin/info/health?wt=json";

/** An answer of one of several nodes. It can be aborted to try another node. */
class WatchedAnswer extends Answer {
  /** Time of the last data, or of the request. */
  lastHeard = performance.now();
  readonly #node: Node;
  /** Whether it may be aborted although its node is alive. */
  readonly canMove: boolean;

  constructor(isPaced: boolean, node: Node, canMove: boolean) {
    super(isPaced);
    this.#node = node;
    this.canMove = canMove;
    node.answers.add(this);
  }

  override onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    this.#hear();
    return super.onHeaders(status, headers, resume);
  }

  override onData(piece: Buffer): boolean {
    this.#hear();
    return super.onData(piece);
  }

  override onComplete(): void {
    this.#node.answers.delete(this);
    super.onComplete();
  }

  override onError(error: Error): void {
    this.#node.answers.delete(this);
    super.onError(error);
  }

  #hear(): void {
    this.lastHeard = performance.now();
    this.#node.lastHeard = this.lastHeard;
  }
}

const addressOf = ({ href }: URL): string => withoutTrailing(href, "/");

/** A value of `shards.preference` that prefers replicas on these nodes, in this order. */
export const locations = (nodes: readonly URL[]): string =>
  nodes.map((url) => `replica.location:${addressOf(url)}`).join(",");

export class Node {
  readonly url: URL;
  readonly path: string;
  readonly pool: Pool;
  /** Its unfinished answers. Only recorded if there are several nodes. */
  readonly answers = new Set<WatchedAnswer>();
  /** Time of its last data. */
  lastHeard = 0;
  /** A connection to it failed, or its health check did. */
  isDown = false;
  /** It accepts connections, or seems to, but does not answer. */
  isSilent = false;
  isBeingChecked = false;

  constructor(url: URL, connectTimeout: number) {
    this.url = url;
    this.path = `${withoutTrailing(url.pathname, "/")}/`;
    // Each request has its own deadline.
    this.pool = new Pool(url.origin, {
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectTimeout,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}

export class Nodes {
  readonly all: readonly [Node, ...Node[]];
  readonly headers: Record<string, string>;
  #turn = 0;
  #watch: NodeJS.Timeout | undefined;
  #lastAsked = 0;

  /** @param timeoutMs limit for opening a connection */
  constructor(endpoint: SolrEndpoint, timeoutMs: number) {
    const [first, ...others] = endpoint.urls;
    const connectTimeout = others.length > 0 ? Math.min(timeoutMs, MAX_SILENCE_MS) : timeoutMs;
    this.all = [
      new Node(first, connectTimeout),
      ...others.map((url) => new Node(url, connectTimeout)),
    ];
    this.headers = authorization(endpoint);
  }

  get areSeveral(): boolean {
    return this.all.length > 1;
  }

  /**
   * All nodes in the order in which to try them. The first one rotates, nodes that are down come last.
   *
   * @param replica the address of one, whose node comes first
   */
  inOrder(replica?: string): readonly Node[] {
    this.#keepWatching();
    const there = this.all.findIndex(({ url }) => replica?.startsWith(`${addressOf(url)}/`));
    this.#turn = there >= 0 ? there : (this.#turn + 1) % this.all.length;
    const rotated = [...this.all.slice(this.#turn), ...this.all.slice(0, this.#turn)];
    if (!this.all.some(({ isDown }) => isDown)) return rotated;
    return [...rotated.filter(({ isDown }) => !isDown), ...rotated.filter(({ isDown }) => isDown)];
  }

  /**
   * A value of `shards.preference` that avoids nodes that are down. Solr detects a failed node later than this service,
   * and until then lets requests wait for it. Undefined if no preference is needed.
   */
  preference(first: Node): string | undefined {
    const up = this.all.filter(({ isDown }) => !isDown);
    if (up.length === this.all.length || up.length === 0) return undefined;
    const others = up.filter((node) => node !== first);
    const ordered = first.isDown ? up : [first, ...others];
    return locations(ordered.map(({ url }) => url));
  }

  /** The receiver of an answer. @param canMove whether the request may be repeated at another node */
  answerOf(node: Node, isPaced: boolean, canMove: boolean): Answer {
    return this.areSeveral ? new WatchedAnswer(isPaced, node, canMove) : new Answer(isPaced);
  }

  /** Records that a connection to a node failed. */
  connectionFailed(node: Node): void {
    if (!this.areSeveral) return;
    node.isDown = true;
    void this.#checkHealth(node);
  }

  #keepWatching(): void {
    this.#lastAsked = performance.now();
    this.#watch ??= setInterval(() => this.#checkAll(), HEALTH_INTERVAL_MS).unref();
  }

  #checkAll(): void {
    if (performance.now() - this.#lastAsked > WATCH_AFTER_USE_MS && this.all.every(isIdle)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    for (const node of this.all) void this.#checkHealth(node);
    if (this.all.some(({ isSilent }) => isSilent)) this.#moveStuck();
  }

  /** Checks the health of a node, unless a check is in progress. Requests do not wait for it. */
  async #checkHealth(node: Node): Promise<void> {
    if (node.isBeingChecked) return;
    node.isBeingChecked = true;
    const begin = performance.now();
    const answer = new Answer(false);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      answer.abort();
    }, MAX_SILENCE_MS).unref();
    try {
      const path = node.path + HEALTH;
      node.pool.dispatch({ method: "GET", path, headers: this.headers, body: null }, answer);
      await answer.text();
      node.isDown = answer.status >= 500;
      node.isSilent = false;
    } catch {
      // A node that sends data is alive, even if it is too busy for the health check.
      if (isLate && node.lastHeard > begin) return;
      node.isDown = true;
      node.isSilent = isLate;
      if (isLate) this.#moveAnswers(node);
    } finally {
      clearTimeout(timer);
      node.isBeingChecked = false;
    }
  }

  /** Aborts the answers of a silent node if another node is available. */
  #moveAnswers(node: Node): void {
    if (this.all.every(({ isDown }) => isDown)) return;
    for (const answer of [...node.answers]) answer.abort();
  }

  /** Aborts answers that may be stuck: while a node is silent, other nodes may be waiting for it. */
  #moveStuck(): void {
    const since = performance.now() - MAX_SILENCE_MS;
    for (const { answers } of this.all) {
      for (const answer of [...answers]) {
        if (answer.canMove && !answer.isPaused && answer.lastHeard < since) answer.abort();
      }
    }
  }
}

const isIdle = ({ answers }: Node): boolean => answers.size === 0;
