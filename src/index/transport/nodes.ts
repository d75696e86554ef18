/**
 * The nodes of a Solr: in what order they are asked, and what is known of their health. A single one is asked as it is:
 * nothing is watched, and nothing asked twice.
 */
import { Pool } from "undici";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import { authorization, type SolrEndpoint } from "./endpoint.js";
import { Answer } from "./response.js";

/** Milliseconds that a connection is kept for the next request; Solr itself keeps it for longer. */
const KEPT_ALIVE = 4000;
/** Milliseconds between two questions after a node's health. */
const WATCH = 1000;
/** Milliseconds without a word after which a node counts as silent, and what waits for one as stuck. */
export const SILENCE = 2000;
/** Milliseconds after the last request for which nodes are watched on. */
const WATCHED = 10_000;
/** Any node of a SolrCloud answers this by itself; whoever may not ask it hears that, from a node that lives. */
export const HEALTH = "admin/info/health?wt=json";

/** An answer of one of several nodes, which can be broken off so that another one is asked. */
class WatchedAnswer extends Answer {
  /** When something came of it last, or it was asked. */
  heard = performance.now();
  readonly #node: Node;
  /** Whether it may be broken off while its node lives. */
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
    this.heard = performance.now();
    this.#node.heard = this.heard;
  }
}

const addressOf = ({ href }: URL): string => withoutTrailing(href, "/");

/** Prefers the replicas at nodes, in this order, as a value of `shards.preference`. */
export const locations = (nodes: readonly URL[]): string =>
  nodes.map((url) => `replica.location:${addressOf(url)}`).join(",");

export class Node {
  readonly url: URL;
  readonly path: string;
  readonly pool: Pool;
  /** What it was asked and has not answered yet; only where there are several nodes. */
  readonly answers = new Set<WatchedAnswer>();
  /** When it sent something last. */
  heard = 0;
  /** A connection to it failed or broke, or it did not answer for its health. */
  isDown = false;
  /** It takes connections, or seems to, and does not answer. */
  isSilent = false;
  isBeingAsked = false;

  constructor(url: URL, connectTimeout: number) {
    this.url = url;
    this.path = `${withoutTrailing(url.pathname, "/")}/`;
    // A deadline is wound up by whoever asks.
    this.pool = new Pool(url.origin, {
      keepAliveTimeout: KEPT_ALIVE,
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

  /** @param timeoutMs milliseconds that a connection may take */
  constructor(endpoint: SolrEndpoint, timeoutMs: number) {
    const [first, ...others] = endpoint.urls;
    const patience = others.length > 0 ? Math.min(timeoutMs, SILENCE) : timeoutMs;
    this.all = [new Node(first, patience), ...others.map((url) => new Node(url, patience))];
    this.headers = authorization(endpoint);
  }

  get areSeveral(): boolean {
    return this.all.length > 1;
  }

  /**
   * All of them in the order in which they are to be asked: each time another first, those that are down last.
   *
   * @param near the address of a replica, whose node is the first
   */
  inTurn(near?: string): readonly Node[] {
    this.#keepWatching();
    const there = this.all.findIndex(({ url }) => near?.startsWith(`${addressOf(url)}/`));
    this.#turn = there >= 0 ? there : (this.#turn + 1) % this.all.length;
    const rotated = [...this.all.slice(this.#turn), ...this.all.slice(0, this.#turn)];
    if (!this.all.some(({ isDown }) => isDown)) return rotated;
    return [...rotated.filter(({ isDown }) => !isDown), ...rotated.filter(({ isDown }) => isDown)];
  }

  /**
   * Which replicas are to be asked while a node is down, as a value of `shards.preference`: Solr itself learns of it later
   * than we do, and until then lets a node wait for another that does not answer. Undefined: any.
   */
  preference(first: Node): string | undefined {
    const up = this.all.filter(({ isDown }) => !isDown);
    if (up.length === this.all.length || up.length === 0) return undefined;
    const others = up.filter((node) => node !== first);
    const ordered = first.isDown ? up : [first, ...others];
    return locations(ordered.map(({ url }) => url));
  }

  /** An answer to be had of a node. @param canMove whether it may be asked of another node as well */
  answerOf(node: Node, isPaced: boolean, canMove: boolean): Answer {
    return this.areSeveral ? new WatchedAnswer(isPaced, node, canMove) : new Answer(isPaced);
  }

  /** To be told that a connection failed or broke. */
  doubt(node: Node): void {
    if (!this.areSeveral) return;
    node.isDown = true;
    void this.#ask(node);
  }

  #keepWatching(): void {
    this.#lastAsked = performance.now();
    this.#watch ??= setInterval(() => this.#look(), WATCH).unref();
  }

  #look(): void {
    if (performance.now() - this.#lastAsked > WATCHED && this.all.every(isIdle)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    for (const node of this.all) void this.#ask(node);
    if (this.all.some(({ isSilent }) => isSilent)) this.#free();
  }

  /** Asks a node for its health, unless that is being done. Nothing waits for that but what is known of it. */
  async #ask(node: Node): Promise<void> {
    if (node.isBeingAsked) return;
    node.isBeingAsked = true;
    const begin = performance.now();
    const answer = new Answer(false);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      answer.abort();
    }, SILENCE).unref();
    try {
      const path = node.path + HEALTH;
      node.pool.dispatch({ method: "GET", path, headers: this.headers, body: null }, answer);
      await answer.text();
      node.isDown = answer.status >= 500;
      node.isSilent = false;
    } catch {
      // One that sends what it was asked for lives, however busy it is.
      if (isLate && node.heard > begin) return;
      node.isDown = true;
      node.isSilent = isLate;
      if (isLate) this.#leave(node);
    } finally {
      clearTimeout(timer);
      node.isBeingAsked = false;
    }
  }

  /** Breaks off what a silent node was asked, where there is another one to ask. */
  #leave(node: Node): void {
    if (this.all.every(({ isDown }) => isDown)) return;
    for (const answer of [...node.answers]) answer.abort();
  }

  /** Breaks off what may be stuck: while a node is silent, any other may be waiting for it. */
  #free(): void {
    const since = performance.now() - SILENCE;
    for (const { answers } of this.all) {
      for (const answer of [...answers]) {
        if (answer.canMove && !answer.isPaused && answer.heard < since) answer.abort();
      }
    }
  }
}

const isIdle = ({ answers }: Node): boolean => answers.size === 0;
