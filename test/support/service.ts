/** The service in this process, over the test run's Solr, behind a real HTTP server. */
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { PREFIX } from "../../generated/prefix.js";
import { createApp } from "../../src/app.js";
import { type Audit, type AuditSettings, openAudit } from "../../src/audit/audit.js";
import { openAccounts } from "../../src/auth/accounts.js";
import { type Auth, type AuthSettings, openAuth } from "../../src/auth/auth.js";
import { StateCopy } from "../../src/auth/state-copy.js";
import type { StateStore } from "../../src/auth/state-store.js";
import { measure } from "../../src/cli/measuring.js";
import { probesOf } from "../../src/cli/probes.js";
import { readConfig } from "../../src/config.js";
import { readCaller } from "../../src/contract/caller.js";
import { readDocument } from "../../src/contract/document.js";
import { OwnFlavours } from "../../src/flavours/own-flavours.js";
import { pathOf } from "../../src/http/below-path.js";
import type { ConnectionLimits } from "../../src/http/connections.js";
import { createHttpServer } from "../../src/http-server.js";
import { Loader, type LoadResult, type Refusal } from "../../src/ingest/load.js";
import type { Tally } from "../../src/ingest/tally.js";
import { Limits } from "../../src/limits/limits.js";
import type { LimitSettings } from "../../src/limits/settings.js";
import { requestLog } from "../../src/log/requests.js";
import { packagePath } from "../../src/package-root.js";
import type { FileRights } from "../../src/rights/file-rights.js";
import { SolrCollection } from "../../src/solr/client.js";
import type { SolrTopology } from "../../src/solr/collections.js";
import type { SolrEndpoint } from "../../src/solr/endpoint.js";
import { Solr, type SolrLoad } from "../../src/solr/solr.js";
import { Storage } from "../../src/solr/storage.js";
import { StatusBoard } from "../../src/status/board.js";
import { machineLookups } from "../../src/userdata/machine.js";
import { RegistrationRule } from "../../src/userdata/registration-rule.js";
import { Datasets, type DatasetsOptions } from "../../src/zarr/datasets.js";
import { startedSolr, testEndpoint, testSolr } from "./started-solr.js";

export { testEndpoint, testSolr };

export interface TestService {
  /** Address of the server, without the prefix. */
  readonly address: string;
  readonly solr: Solr;
  readonly auth: Auth;
  readonly dataDir: string;
  readonly audit: Audit | undefined;
  /** Everything that was logged. */
  readonly log: string[];
  /** Requests a path below the prefix. */
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Another Solr than the test run's. */
  readonly endpoint?: SolrEndpoint;
  readonly topology?: SolrTopology;
  readonly timeoutMs?: number;
  /** How much Solr is asked at once. */
  readonly load?: SolrLoad;
  readonly corsOrigins?: readonly string[];
  /** Where keys, users and clients are; without it a new folder, removed at the end. */
  readonly dataDir?: string;
  readonly auth?: Partial<AuthSettings>;
  readonly audit?: AuditSettings;
  readonly store?: (store: StateStore) => StateStore;
  readonly baseUrl?: string;
  /** How many proxies there are. */
  readonly trustProxy?: number;
  readonly trustedHosts?: readonly string[];
  readonly limits?: LimitSettings;
  readonly connections?: Partial<ConnectionLimits>;
  readonly dataRoots?: readonly string[];
  /** Patterns of folders of which users may register what lies in them. */
  readonly userDataRoots?: readonly string[];
  readonly outsideUserDataRoots?: readonly string[];
  /** The machine's accounts; the real ones where it is left out. */
  readonly uidOf?: (name: string) => Promise<number | undefined>;
  readonly reading?: DatasetsOptions;
  /** Rights as on the disk; without them whoever has a token reads what is public. */
  readonly rights?: FileRights;
  readonly logLevel?: string;
  /** Whether what is measured is to be had on a port of its own. */
  readonly metricsElsewhere?: boolean;
  readonly userDataLimit?: { readonly bytes: number; readonly entries: number };
}

const AUTH: AuthSettings = {
  accessTokenLifetime: 600,
  refreshTokenLifetime: 86_400,
  limits: { perUser: 10, perAddress: 100, window: 300 },
};

/** A client of the test run's Solr. */
export const testClient = (): Solr => new Solr(testEndpoint(), 20_000, testSolr().topology);

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { endpoint = testEndpoint(), timeoutMs = 20_000, corsOrigins = ["*"] } = options;
  const { topology = startedSolr()?.topology ?? { cloud: false, shards: {} } } = options;
  const solr = new Solr(endpoint, timeoutMs, topology, undefined, options.load);
  const log: string[] = [];
  const sink = new Writable({
    write(line, _, done) {
      log.push(String(line));
      done();
    },
  });
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "climate-test-data-")));
  const logger = pino({ level: options.logLevel ?? "info" }, sink);
  const { store = (same) => same } = options;
  const report = (problem: string): void => logger.warn({ problem }, "accounts");
  const settings = { ...AUTH, ...options.auth };
  const copy = new StateCopy(store(solr.state));
  const flavours = new OwnFlavours(copy);
  const audit = await openAudit(options.audit, {
    report: (problem) => logger.error({ problem }, "audit"),
    print: (line) => sink.write(line),
  });
  const say = (line: string): void => logger.info(line);
  const accounts = await openAccounts(copy, dataDir, settings.shared, { say, report });
  const auth = await openAuth({ ...settings, accounts, copy, report });
  const dataRoots = options.dataRoots ?? [packagePath("data", "files")];
  const datasets = new Datasets({ dataRoots, ...options.reading });
  const limits = Limits.of(options.limits ?? {});
  const storage = new Storage(store(solr.state), dataDir);
  const plain = readConfig({ ...(options.baseUrl && { BASE_URL: options.baseUrl }) });
  const config = {
    ...{ ...plain, dataDir, dataRoots, auth: settings },
    solr: { ...plain.solr, outside: endpoint },
  };
  const status = new StatusBoard(probesOf({ config, solr, keys: accounts.keys, storage }));
  const metrics = measure(solr, datasets, audit);
  let address = "";
  const app = createApp({
    solr,
    auth,
    datasets,
    storage,
    status,
    flavours,
    dataRoots,
    rights: options.rights,
    registration: new RegistrationRule(
      { local: options.userDataRoots ?? [], outside: options.outsideUserDataRoots ?? [] },
      { ...machineLookups(), ...(options.uidOf && { uidOf: options.uidOf }) },
    ),
    clock: Date.now,
    scrape: options.metricsElsewhere ? undefined : () => metrics.text(),
    readCaller: readCaller({
      baseUrl: options.baseUrl,
      listening: () => address,
      trustProxy: options.trustProxy ?? 0,
      trustedHosts: options.trustedHosts ?? [],
    }),
    ...{ corsOrigins, limits },
    userDataLimit: options.userDataLimit ?? { bytes: 64 * 1024 * 1024, entries: 100_000 },
    document: await readDocument(pathOf(options.baseUrl)),
    logger,
    checkReplies: true,
  });
  const connections = { ...readConfig({}).connections, ...options.connections };
  const server = createHttpServer(app, logger, {
    ...{ limits: connections, path: pathOf(options.baseUrl) },
    observers: [
      ...[requestLog(logger), metrics.observer, ...(audit?.observers ?? [])],
      ...(limits === undefined ? [] : [limits]),
    ],
  });
  metrics.watch(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    solr,
    auth,
    dataDir,
    audit,
    log,
    get: (path, init) => fetch(address + PREFIX + path, init),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      status.close();
      metrics.close();
      await Promise.all([auth.close(), datasets.close(), audit?.close()]);
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestDocument = Readonly<Record<string, unknown>> & { readonly file: string };

/** Users, clients and keys that instances share, and that there were any, are taken out of Solr. */
export async function forgetAccounts({ http }: Pick<Solr, "http">): Promise<void> {
  const state = new SolrCollection(http, "state");
  await state.deleteFound("kind:(user client signing-keys first-user)");
  await state.commit(true);
}

/** Empties both collections. */
export async function emptyIndex(solr: Solr): Promise<void> {
  for (const collection of ["files", "latest"]) {
    await solr.http.send({
      method: "POST",
      path: `${collection}/update?commit=true`,
      body: '{"delete":{"query":"*:*"}}',
      headers: { "Content-Type": "application/json" },
    });
  }
}

/** Loads documents through the loader, as `index` does. */
export async function load(
  solr: Solr,
  documents: readonly TestDocument[],
  refused: Refusal[] = [],
  tally?: Tally,
): Promise<LoadResult> {
  const onRefused = (refusal: Refusal) => refused.push(refusal);
  const loader = new Loader(solr.http, { onRefused, ...(tally && { tally }) });
  return loader.load(
    (async function* () {
      for (const [index, document] of documents.entries()) {
        yield { text: JSON.stringify(document), line: index + 1 };
      }
    })(),
  );
}
