/** The Solr that the configuration asks for: an outside one, or the embedded one. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import { inspectCollections, type SolrTopology } from "../solr/collections.js";
import { ensureSolrJars } from "../solr/download.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../solr/embedded.js";
import type { SolrEndpoint } from "../solr/endpoint.js";
import { DataDirInUse, type Lock, lockDataDir } from "../solr/lock.js";
import { findRunningSolr } from "../solr/running.js";

export interface OpenedSolr {
  readonly endpoint: SolrEndpoint;
  readonly topology: SolrTopology;
  /** Whether this process runs it. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Gets one line a step. */
  readonly report: (line: string) => void;
  readonly logger: Logger;
  /** Use the Solr that a service already runs on the data folder, if there is one. */
  readonly share?: boolean;
}

const CATALOGUE = ["latest", "files"];
const SINGLE: SolrTopology = { cloud: false, shards: {} };
const nothing = async (): Promise<void> => {};

/**
 * @throws SetupError: one sentence that says what is missing and what to do; SolrUnavailable when
 *   an outside Solr cannot be reached
 */
export async function openSolr(config: Config, options: OpenOptions): Promise<OpenedSolr> {
  const { outside } = config.solr;
  if (outside !== undefined) {
    // Who only loads documents has no use for what the service remembers.
    const names = options.share ? CATALOGUE : [...CATALOGUE, "state"];
    const topology = await inspectCollections(outside, names);
    options.report(`Using the Solr at ${outside.url.href}`);
    return { endpoint: outside, topology, embedded: false, close: nothing };
  }
  return options.share ? shareEmbedded(config, options) : openEmbedded(config, options);
}

/** How long another process that has the data folder may take to bring its Solr up, or to end. */
const SHARE = { tries: 240, pause: 500 };

async function shareEmbedded(config: Config, options: OpenOptions): Promise<OpenedSolr> {
  for (let tries = 1; ; tries += 1) {
    const running = await findRunningSolr(config.dataDir);
    if (running) return { endpoint: running, topology: SINGLE, embedded: false, close: nothing };
    try {
      return await openEmbedded(config, options);
    } catch (error) {
      if (!(error instanceof DataDirInUse) || tries === SHARE.tries) throw error;
      if (tries === 1) options.report(`Waiting for the Solr of process ${error.pid}.`);
      await sleep(SHARE.pause);
    }
  }
}

async function openEmbedded(config: Config, options: OpenOptions): Promise<OpenedSolr> {
  // The lock first: a second service is told so at once, not after a download.
  const lock = await lockDataDir(config.dataDir);
  try {
    await ensureSolrJars(options.report);
    const solr = await Supervisor.start(config, lock, options);
    const close = async (): Promise<void> => {
      await solr.stop();
      await lock.release();
    };
    return { endpoint: solr.endpoint, topology: SINGLE, embedded: true, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const RESTART_PAUSE = { first: 500, most: 30_000 };

/** Keeps an embedded Solr running: one that ends by itself is started again on the same port. */
class Supervisor {
  #stopped = false;

  private constructor(
    private solr: EmbeddedSolr,
    private readonly restart: () => Promise<EmbeddedSolr>,
    private readonly logger: Logger,
  ) {
    this.#watch();
  }

  static async start(config: Config, lock: Lock, options: OpenOptions): Promise<Supervisor> {
    const { dataDir, solr } = config;
    const common = { dataDir, heap: solr.heap, lock };
    const first = await startEmbeddedSolr({
      ...common,
      ...(solr.port !== undefined && { port: solr.port }),
      report: options.report,
    });
    const port = Number(first.endpoint.url.port);
    const report = (line: string): void => options.logger.info(line);
    const restart = () => startEmbeddedSolr({ ...common, port, report });
    return new Supervisor(first, restart, options.logger);
  }

  get endpoint(): SolrEndpoint {
    return this.solr.endpoint;
  }

  #watch(): void {
    this.solr.onExit((reason) => void this.#again(reason));
  }

  async #again(reason: string): Promise<void> {
    let pause = RESTART_PAUSE.first;
    while (!this.#stopped) {
      this.logger.error({ reason }, "Solr ended; starting it again");
      await sleep(pause);
      pause = Math.min(pause * 2, RESTART_PAUSE.most);
      if (this.#stopped) return;
      try {
        this.solr = await this.restart();
      } catch (error) {
        this.logger.error({ err: error }, "Solr could not be started again");
        continue;
      }
      if (this.#stopped) await this.solr.stop();
      else this.#watch();
      return;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.solr.stop();
  }
}
