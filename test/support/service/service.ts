/** The service in this process, over the test run's Solr, behind a real HTTP server. */
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { PREFIX } from "../../../generated/prefix.js";
import { newest } from "../../../src/domain/search/lucene.js";
import type { FileRights } from "../../../src/files/rights/file-rights.js";
import type { DatasetsOptions } from "../../../src/files/zarr/dataset/datasets.js";
import { openAccounts } from "../../../src/identity/accounts/accounts.js";
import type { Auth, AuthSettings } from "../../../src/identity/auth.js";
import { SINGLE, type SolrTopology } from "../../../src/index/collections/shards.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import type { Refusal } from "../../../src/index/loading/add-documents.js";
import type { LoadCounter } from "../../../src/index/loading/load.js";
import { Loader, type LoadResult } from "../../../src/index/loading/load.js";
import { Solr, type SolrLoad } from "../../../src/index/solr.js";
import { StateCopy } from "../../../src/index/state/state-copy.js";
import type { StateStore } from "../../../src/index/state/state-store.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import type { SolrEndpoint } from "../../../src/index/transport/endpoint.js";
import { SolrHttp, type SolrReply, type SolrRequest } from "../../../src/index/transport/http.js";
import { openAnswering } from "../../../src/server/assembly/compose-service.js";
import type { Audit, AuditSettings } from "../../../src/server/audit/audit.js";
import type { ConnectionLimits } from "../../../src/server/http/connections.js";
import type { LimitSettings } from "../../../src/server/limits/settings.js";
import { type Config, readConfig } from "../../../src/server/settings/config.js";
import { deleteFound, startedSolr, testEndpoint, testSolr } from "../solr/started-solr.js";

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
  /** Limits of concurrent requests to Solr. */
  readonly load?: SolrLoad;
  readonly corsOrigins?: readonly string[];
  /** The folder of keys, users and clients; by default a new one, which is removed at the end. */
  readonly dataDir?: string;
  readonly auth?: Partial<AuthSettings>;
  /** The clock by which tokens and shared addresses expire; by default the machine's. */
  readonly clock?: () => number;
  readonly audit?: AuditSettings;
  readonly store?: (store: StateStore) => StateStore;
  readonly baseUrl?: string;
  /** Number of trusted proxies. */
  readonly trustProxy?: number;
  readonly trustedHosts?: readonly string[];
  readonly limits?: LimitSettings;
  readonly connections?: Partial<ConnectionLimits>;
  readonly dataRoots?: readonly string[];
  /** PUBLIC: searches whose data are read without a token. */
  readonly publicData?: string;
  /** CITATIONS: a file with references. */
  readonly citations?: string;
  /** Patterns of the folders from which users may register files. */
  readonly userDataRoots?: readonly string[];
  readonly outsideUserDataRoots?: readonly string[];
  /** The accounts of the machine; by default the real ones. */
  readonly uidOf?: (name: string) => Promise<number | undefined>;
  readonly reading?: DatasetsOptions;
  /** File rights on disk; without them every valid token reads public data. */
  readonly rights?: FileRights;
  readonly logLevel?: string;
  /** Whether the metrics have a port of their own. */
  readonly metricsElsewhere?: boolean;
}

/**
 * Idle connections stay open. Otherwise a client in the process of the service, late on a busy machine, might send a request over a
 * connection that is being closed.
 */
const IDLE_MS = 3_600_000;

/** A client of the test run's Solr. */
export const testClient = (): Solr => new Solr(testEndpoint(), 20_000, testSolr().topology);

/** A client of the test run's Solr that is killed after some requests. */
export class DyingHttp extends SolrHttp {
  #left: number;

  constructor(requests: number) {
    super(testEndpoint(), 20_000);
    this.topology = testClient().http.topology;
    this.#left = requests;
  }

  override async send(request: SolrRequest): Promise<SolrReply> {
    this.#left -= 1;
    if (this.#left < 0) throw new SolrUnavailable("killed");
    return super.send(request);
  }
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { endpoint = testEndpoint(), timeoutMs = 20_000 } = options;
  const { topology = startedSolr()?.topology ?? SINGLE } = options;
  const solr = new Solr(endpoint, timeoutMs, topology, undefined, options.load);
  const log: string[] = [];
  const sink = new Writable({
    write(line, _, done) {
      log.push(String(line));
      done();
    },
  });
  const logger = pino({ level: options.logLevel ?? "info" }, sink);
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "climate-test-data-")));
  const config = configOf(options, dataDir, endpoint);
  const state = options.store?.(solr.state) ?? solr.state;
  const copy = new StateCopy(state);
  const accounts = openAccounts(copy, dataDir, config.auth.shared, {
    progress: (line) => logger.info(line),
    report: (problem) => logger.warn({ problem }, "accounts"),
  });
  const { server, auth, audit, listensOn, close } = await openAnswering(
    config,
    { solr, copy, accounts },
    logger,
    {},
    {
      state,
      checkReplies: true,
      print: (line) => sink.write(line),
      ...(options.clock && { clock: options.clock }),
      ...(options.reading && { reading: options.reading }),
      ...(options.rights && { rights: options.rights }),
      connections: { idleMs: IDLE_MS, ...options.connections },
      ...(options.uidOf && { lookups: { uidOf: options.uidOf } }),
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  listensOn(address);
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
      await close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The default configuration with the options of a test. */
function configOf(options: ServiceOptions, dataDir: string, endpoint: SolrEndpoint): Config {
  const { baseUrl: BASE_URL, publicData: PUBLIC, citations: CITATIONS } = options;
  const usual = readConfig({ BASE_URL, PUBLIC, CITATIONS });
  const { trustProxy, trustedHosts, corsOrigins, dataRoots, limits, audit } = options;
  return {
    ...usual,
    dataDir,
    auth: { ...usual.auth, ...options.auth },
    solr: { ...usual.solr, outside: endpoint },
    userDataFolders: {
      local: options.userDataRoots ?? [],
      outside: options.outsideUserDataRoots ?? [],
    },
    ...(options.metricsElsewhere && { metrics: { host: "127.0.0.1", port: 1 } }),
    ...(trustProxy !== undefined && { trustProxy }),
    ...(trustedHosts && { trustedHosts }),
    ...(corsOrigins && { corsOrigins }),
    ...(dataRoots && { dataRoots }),
    ...(limits && { limits }),
    ...(audit && { audit }),
  };
}

export type TestDocument = Readonly<Record<string, unknown>> & { readonly file: string };

/** Removes the users, clients and keys that instances share from Solr, and the mark that there were any. */
export async function forgetAccounts({ http }: Pick<Solr, "http">): Promise<void> {
  const state = new SolrCollection(http, "state");
  await deleteFound(state, "kind:(user client signing-keys first-user)");
  await state.commit(true);
}

/** All versions of files, or those that default searches find. */
export type Versions = "files" | "latest";

/** The path of a search of these versions, up to its other parameters. */
export const selectPath = (versions: string): string =>
  versions === "files" ? "files/select?" : `files/select?fq=${encodeURIComponent(newest("*:*"))}&`;

/** Posts documents or commands straight to Solr's update handler, as a crawler may. */
export function postToSolr(
  solr: Pick<Solr, "http">,
  content: object | string,
  commit: boolean | "soft" = true,
): Promise<SolrReply> {
  return solr.http.send({
    method: "POST",
    path: `files/update?${commit === "soft" ? "softCommit=true" : `commit=${commit}`}`,
    body: typeof content === "string" ? content : JSON.stringify(content),
    headers: { "Content-Type": "application/json" },
  });
}

/** Files in the index by name: all, or those of the newest versions. */
export async function filesIn(
  { http }: Pick<Solr, "http">,
  versions: Versions,
  query = "*:*",
): Promise<string[]> {
  const path = `${selectPath(versions)}q=${query}&rows=1000000&sort=file%20asc&fl=file`;
  const { response } = JSON.parse((await http.send({ path })).text) as {
    response: { docs: { file: string }[] };
  };
  return response.docs.map(({ file }) => file);
}

/** Empties the index. */
export async function emptyIndex(solr: Pick<Solr, "http">): Promise<void> {
  await postToSolr(solr, { delete: { query: "*:*" } }, "soft");
}

/** Loads documents through the loader, as `index` does. */
export async function load(
  solr: Pick<Solr, "http">,
  documents: readonly TestDocument[],
  refused: Refusal[] = [],
  counter?: LoadCounter,
): Promise<LoadResult> {
  const onRefused = (refusal: Refusal) => refused.push(refusal);
  const loader = new Loader(solr.http, { onRefused, ...(counter && { counter }) });
  return loader.load(
    (async function* () {
      for (const [index, document] of documents.entries()) {
        yield { text: JSON.stringify(document), line: index + 1 };
      }
    })(),
  );
}

/** Empties the index, and loads documents. */
export async function fillIndex(
  solr: Pick<Solr, "http">,
  documents: readonly TestDocument[],
): Promise<LoadResult> {
  await emptyIndex(solr);
  return load(solr, documents);
}
