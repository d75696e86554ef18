/** Composes the app over an open Solr, behind a server that does not listen yet. Each answering process has one. */
import type { Server } from "node:http";
import type { Logger } from "pino";
import { type MachineLookups, RegistrationRule } from "../../domain/user-data/registration-rule.js";
import { findTools } from "../../files/rights/acl-tools.js";
import { FileRights } from "../../files/rights/file-rights.js";
import { machineLookups } from "../../files/rights/machine.js";
import { Datasets, type DatasetsOptions } from "../../files/zarr/dataset/datasets.js";
import { type Accounts, openAccounts } from "../../identity/accounts/accounts.js";
import { openAuth } from "../../identity/auth.js";
import { Storage } from "../../index/collections/storage-probe.js";
import { Solr } from "../../index/solr.js";
import { StateCopy } from "../../index/state/state-copy.js";
import type { StateStore } from "../../index/state/state-store.js";
import { createApp } from "../app.js";
import { openAudit } from "../audit/audit.js";
import { readCaller } from "../contract/caller.js";
import { readDocument } from "../contract/documents/document.js";
import { OwnFlavours } from "../flavours/own-flavours.js";
import { pathOf } from "../http/base-path.js";
import { CONNECTION_LIMITS, type ConnectionLimits } from "../http/connections.js";
import { createHttpServer } from "../http/server.js";
import { Limits } from "../limits/limits.js";
import { printBeside, requestLog } from "../monitoring/logging/log.js";
import { Metrics } from "../monitoring/metrics/metrics.js";
import { StatusBoard } from "../monitoring/status/board.js";
import type { Config } from "../settings/config.js";
import { probesOf } from "./compose-probes.js";
import type { OpenedSolr } from "./open-solr.js";

/** Milliseconds that transfers get to finish after the service receives the signal to stop. */
export const DRAIN_MS = 5000;

/** The resources of one of several processes. A single process has none of these limits. */
export interface ProcessShare {
  readonly hashers?: number;
  readonly readers?: number;
  readonly maxConnections?: number;
  /** The metrics of all processes; left out if this is the only one. */
  readonly scrape?: () => Promise<string>;
}

/** Replaces parts that the configuration, the index or the machine would provide. */
interface Overrides {
  readonly reading?: DatasetsOptions;
  readonly rights?: FileRights;
  readonly connections?: Partial<ConnectionLimits>;
  readonly lookups?: Partial<MachineLookups>;
  /** The store on which the probe tests writing. */
  readonly state?: StateStore;
  /** Receives the audit lines for standard output. */
  readonly print?: (line: string) => boolean;
  readonly checkReplies?: boolean;
  /** The time by which tokens and shared addresses expire, in milliseconds since 1970. */
  readonly clock?: () => number;
}

/** The index of a Solr, with the limits of the configuration. */
export function openIndex(
  { solr }: Config,
  opened: Pick<OpenedSolr, "endpoint" | "topology" | "isUp" | "mend">,
): Solr {
  const { endpoint, topology, isUp, mend } = opened;
  const index = new Solr(endpoint, solr.timeoutMs, topology, isUp, solr.load);
  index.http.onFailedWrite = mend;
  return index;
}

/** The index, and the state that instances share in it or in a data folder. */
export interface Shared {
  readonly solr: Solr;
  readonly copy: StateCopy;
  readonly accounts: Accounts;
}

/** @param say prints a line for the operator */
export function openShared(
  config: Config,
  solr: Solr,
  { say, logger }: { readonly say: (line: string) => void; readonly logger: Logger },
): Shared {
  const copy = new StateCopy(solr.state);
  const report = (problem: string): void => logger.warn({ problem }, "accounts");
  const reports = { progress: say, report };
  const accounts = openAccounts(copy, config.dataDir, config.auth.shared, reports);
  return { solr, copy, accounts };
}

export async function openAnswering(
  config: Config,
  { solr, copy, accounts }: Shared,
  logger: Logger,
  { hashers, readers, maxConnections, scrape }: ProcessShare = {},
  overrides: Overrides = {},
) {
  const unfollow = solr.followShards();
  const audit = await openAudit(config.audit, {
    report: (problem) => logger.error({ problem }, "audit"),
    print: overrides.print ?? ((line) => printBeside(logger, line)),
  });
  const flavours = new OwnFlavours(copy);
  const clock = overrides.clock ?? Date.now;
  const auth = await openAuth({
    ...config.auth,
    accounts,
    copy,
    clock,
    report: (problem) => logger.warn({ problem }, "accounts"),
    ...(hashers !== undefined && { hashers }),
  });
  const datasets = new Datasets({
    dataRoots: config.dataRoots,
    memory: config.readingMemory,
    report: (problem) => logger.warn({ problem }, "reading files"),
    ...(readers !== undefined && { readers }),
    ...overrides.reading,
  });
  const storage = new Storage(overrides.state ?? solr.state, config.dataDir);
  const status = new StatusBoard(probesOf(config, solr, storage, accounts.keys));
  const metrics = new Metrics({ solr, datasets, audit });
  let address = "";
  const limits = Limits.of(config.limits);
  const app = createApp({
    solr,
    auth,
    datasets,
    storage,
    status,
    flavours,
    dataRoots: config.dataRoots,
    publicData: config.publicData,
    citations: config.citations,
    rights: overrides.rights ?? rightsOf(config),
    registration: new RegistrationRule(config.userDataFolders, {
      ...machineLookups(),
      ...overrides.lookups,
    }),
    clock,
    scrape: config.metrics === undefined ? (scrape ?? (() => metrics.text())) : undefined,
    readCaller: readCaller({
      baseUrl: config.baseUrl,
      listening: () => address,
      trustProxy: config.trustProxy,
      trustedHosts: config.trustedHosts,
    }),
    document: await readDocument(pathOf(config.baseUrl)),
    logger,
    corsOrigins: config.corsOrigins,
    limits,
    checkReplies: overrides.checkReplies ?? process.env.CHECK_REPLIES === "1",
  });
  const server = createHttpServer(app, logger, {
    limits: {
      ...CONNECTION_LIMITS,
      ...(maxConnections !== undefined && { max: maxConnections }),
      ...overrides.connections,
    },
    path: pathOf(config.baseUrl),
    observers: [
      requestLog(logger),
      metrics.observer,
      ...(audit?.observers ?? []),
      ...(limits === undefined ? [] : [limits]),
    ],
  });
  metrics.watch(server);
  return {
    server,
    auth,
    audit,
    metrics,
    /** Sets the address for links, unless BASE_URL is set. */
    listensOn: (where: string): void => {
      address = where;
    },
    /** Call it when all connections of the server have ended. */
    close: async (): Promise<void> => {
      unfollow();
      status.close();
      metrics.close();
      await Promise.all([auth.close(), datasets.close(), audit?.close()]);
    },
  };
}

const rightsOf = ({ rights }: Config): FileRights | undefined =>
  rights === "service"
    ? undefined
    : new FileRights({ tools: findTools(), hides: rights === "posix-hide" });

/** Ends idle connections, and the others after DRAIN_MS. @param drained settles when all have ended */
export async function drain(server: Server, drained: Promise<unknown>): Promise<void> {
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await drained;
  clearTimeout(timer);
}
