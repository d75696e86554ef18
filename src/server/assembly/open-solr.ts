/** Opens the configured Solr: an outside one or the embedded one. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { inspectCollections } from "../../index/collections/collections.js";
import { COLLECTIONS, FILES } from "../../index/collections/configset.js";
import { DataDirInUse, lockDataDir } from "../../index/collections/data-dir-lock.js";
import { SINGLE, type SolrTopology } from "../../index/collections/shards.js";
import { archiveOptions, ensureClassArchive } from "../../index/embedded/class-archive.js";
import { ensureSolrJars } from "../../index/embedded/download.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../index/embedded/embedded.js";
import { recordRelease, requireReadable } from "../../index/embedded/index-release.js";
import { findRunningSolr } from "../../index/embedded/running.js";
import { isBroken, untilRoom } from "../../index/transport/broken-index.js";
import { addressesOf, type SolrEndpoint } from "../../index/transport/endpoint.js";
import { signalProcess } from "../../platform/processes/process-identity.js";
import type { Lock } from "../../platform/processes/process-lock.js";
import type { Config } from "../settings/config.js";
import { startAgain } from "./restart-pause.js";

export interface OpenedSolr {
  readonly endpoint: SolrEndpoint;
  readonly topology: SolrTopology;
  /** Whether this process runs it. */
  readonly embedded: boolean;
  /** False during a restart: Solr may answer then, but without all documents. */
  isUp(): boolean;
  watch(onChange: () => void): void;
  /** Call it when a write failed because Solr closed the index for good. */
  readonly mend: () => void;
  close(): Promise<void>;
}

interface OpenOptions {
  /** Receives one line for each step. */
  readonly report: (line: string) => void;
  readonly logger: Logger;
  /** Use a Solr that already runs on the data folder. */
  readonly share?: boolean;
}

/** An outside Solr, which this process does not control. */
const outsideSolr = {
  embedded: false,
  isUp: (): boolean => true,
  watch: (): void => {},
  mend: (): void => {},
  close: async (): Promise<void> => {},
} as const;

/** Rejects with a SetupError that says what is missing and what to do, or with SolrUnavailable. */
export async function openSolr(config: Config, options: OpenOptions): Promise<OpenedSolr> {
  const { outside } = config.solr;
  if (outside !== undefined) {
    // A command that only loads documents does not need the state collections.
    const names = options.share ? [FILES] : COLLECTIONS;
    const topology = await inspectCollections(outside, names);
    options.report(`Using the Solr at ${addressesOf(outside)}`);
    return { endpoint: outside, topology, ...outsideSolr };
  }
  return options.share ? shareEmbedded(config, options) : openEmbedded(config, options);
}

/** Attempts, and milliseconds between them, while another process with the data folder starts or stops its Solr. */
const SHARE = { tries: 240, pause: 500 };

async function shareEmbedded(config: Config, options: OpenOptions): Promise<OpenedSolr> {
  for (let tries = 1; ; tries += 1) {
    const running = await findRunningSolr(config.dataDir);
    if (running) {
      await inspectCollections(running, [FILES]);
      return { endpoint: running, topology: SINGLE, ...outsideSolr };
    }
    try {
      return await openEmbedded(config, options);
    } catch (error) {
      if (!(error instanceof DataDirInUse) || tries === SHARE.tries) throw error;
      if (tries === 1) options.report(`Waiting for the Solr of process ${error.pid}.`);
      await sleep(SHARE.pause);
    }
  }
}

async function openEmbedded(
  { dataDir, solr: { heap } }: Config,
  { report, logger }: OpenOptions,
): Promise<OpenedSolr> {
  // The lock comes first, so that a second service fails at once and not after a download.
  const lock = await lockDataDir(dataDir);
  try {
    await requireReadable(dataDir);
    await ensureSolrJars(report);
    await ensureClassArchive(report);
    const options = { dataDir, heap, lock, javaOptions: await archiveOptions() };
    const first = await startEmbeddedSolr({ ...options, report });
    const solr = new SupervisedSolr(first, options, logger);
    try {
      // The documents may be of an earlier release, although Solr reads this release's configset.
      await inspectCollections(solr.endpoint, [FILES]);
      await recordRelease(dataDir);
    } catch (error) {
      await solr.stop();
      throw error;
    }
    return solr;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type StartOptions = Omit<Parameters<typeof startEmbeddedSolr>[0], "report"> & {
  readonly lock: Lock;
};

/** Restarts an embedded Solr that ends by itself, on the same port. */
class SupervisedSolr implements OpenedSolr {
  readonly topology = SINGLE;
  readonly embedded = true;
  readonly #stopping = new AbortController();
  /** Settles when the restart has ended; undefined while Solr is up. */
  #starting: Promise<void> | undefined;
  #mending = false;
  #since = Date.now();
  #onChange: () => void = () => {};

  #solr: EmbeddedSolr;
  readonly #options: StartOptions;
  readonly #logger: Logger;

  constructor(solr: EmbeddedSolr, options: StartOptions, logger: Logger) {
    this.#solr = solr;
    this.#options = options;
    this.#logger = logger;
    this.#guard();
  }

  get endpoint(): SolrEndpoint {
    return this.#solr.endpoint;
  }

  readonly isUp = (): boolean => this.#starting === undefined;

  watch(onChange: () => void): void {
    this.#onChange = onChange;
  }

  /** Restarts a Solr whose index is closed for good, once the disk has free space. */
  readonly mend = (): void => {
    if (this.#mending || !this.isUp() || this.#stopping.signal.aborted) return;
    this.#mending = true;
    const { pid } = this.#solr;
    const mend = async (): Promise<void> => {
      await untilRoom(this.#options.dataDir, this.#stopping.signal);
      if (this.#stopping.signal.aborted || !(await isBroken(this.endpoint, COLLECTIONS))) return;
      this.#logger.error("An index of Solr cannot be written any more; Solr is started again");
      // An orderly stop would try to write the index. Acknowledged updates are in the update log.
      if (this.isUp() && this.#solr.pid === pid) signalProcess(pid, "SIGKILL");
    };
    void mend()
      .catch((error) => this.#logger.error({ err: error }, "Solr's indexes could not be looked at"))
      .finally(() => {
        this.#mending = false;
      });
  };

  #guard(): void {
    this.#since = Date.now();
    this.#solr.onExit((reason) => {
      this.#starting = this.#again(reason).then((solr) => {
        if (solr === undefined) return;
        this.#solr = solr;
        this.#starting = undefined;
        this.#guard();
        this.#onChange();
      });
      this.#onChange();
    });
  }

  /** Starts Solr until it is up; undefined if the service is stopping. */
  #again(reason: string): Promise<EmbeddedSolr | undefined> {
    const { signal } = this.#stopping;
    const port = Number(this.endpoint.urls[0].port);
    const report = (line: string): void => this.#logger.info(line);
    return startAgain({
      ran: Date.now() - this.#since,
      signal,
      start: () => startEmbeddedSolr({ ...this.#options, port, report, signal }),
      begins: () => this.#logger.error({ reason }, "Solr ended; starting it again"),
      failed: (error) => this.#logger.error({ err: error }, "Solr could not be started again"),
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting;
    await this.#solr.stop();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#options.lock.release();
  }
}
