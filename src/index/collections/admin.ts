/** Solr's admin API, which creates, renames and removes cores, collections, aliases and configsets. */
import {
  addressesOf,
  handlerPath,
  ownName,
  type SolrEndpoint,
  solrName,
} from "../transport/endpoint.js";
import { fetchNode, reachable } from "../transport/reachable.js";
import { unreachable } from "../transport/unreachable.js";
import { SetupError } from "./setup-error.js";

/** Solr refused a command or failed at it. The message is Solr's reason. */
export class AdminRefused extends Error {
  override readonly name = "AdminRefused";
}

/** Milliseconds. A collection with many replicas takes minutes. */
const TIMEOUT_MS = 300_000;

interface Failure {
  readonly error?: { readonly msg?: string };
  readonly exception?: { readonly msg?: string };
}

type Parameters = Readonly<Record<string, string>>;

/** Parameters of the admin API that name collections, cores or aliases. */
const NAMES = ["collection", "collections", "core", "other"];
/** Actions whose `name` is that of a backup. */
const OF_BACKUPS = ["BACKUP", "BACKUPCORE", "RESTORE"];

/** Adds the prefix to the names in parameters. */
function prefixed(endpoint: SolrEndpoint, path: string, parameters: Parameters): Parameters {
  if (path !== "admin/cores" && path !== "admin/collections") return parameters;
  const named = OF_BACKUPS.includes(parameters.action ?? "") ? NAMES : ["name", ...NAMES];
  const solrNames = (names: string): string[] =>
    names.split(",").map((name) => solrName(endpoint, name));
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key,
      named.includes(key) ? solrNames(value).join(",") : value,
    ]),
  );
}

export class SolrAdmin {
  constructor(readonly endpoint: SolrEndpoint) {}

  /**
   * Sends a request.
   *
   * @param path below Solr's root, such as `admin/cores`
   * @param parameters may name collections and cores without SOLR_COLLECTION_PREFIX, which is added
   * @throws SetupError if the user has no permission
   */
  async ask<T>(path: string, parameters: Parameters, body?: Uint8Array<ArrayBuffer>): Promise<T> {
    const [node] = (await reachable(this.endpoint)).urls;
    const query = { wt: "json", ...prefixed(this.endpoint, path, parameters) };
    const { status, text } = await fetchNode(
      this.endpoint,
      `${path}?${new URLSearchParams(query)}`,
      {
        ...(node !== undefined && { node }),
        ...(body !== undefined && { body, type: "application/octet-stream" }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
    ).catch((cause: unknown) => {
      throw unreachable(this.endpoint, cause);
    });
    if (status === 401 || status === 403) {
      throw new SetupError(
        `Solr at ${addressesOf(this.endpoint)} refuses this user access to its admin API (${status}); set SOLR_USER and SOLR_PASSWORD to a user that may change cores, collections and configsets.`,
      );
    }
    const answer = read<T & Failure>(text);
    const reason = answer?.exception?.msg ?? answer?.error?.msg;
    if (status !== 200 || answer === undefined || reason !== undefined) {
      throw new AdminRefused(reason ?? `HTTP ${status}`);
    }
    return answer;
  }

  /** Runs a command. @throws SetupError with the command and Solr's reason */
  async command(path: string, parameters: Parameters): Promise<void> {
    try {
      await this.ask(path, parameters);
    } catch (error) {
      if (!(error instanceof AdminRefused)) throw error;
      throw new SetupError(`Solr refused the command ${parameters.action}: ${error.message}`);
    }
  }

  /** Whether Solr runs as SolrCloud, and the folder of its cores. */
  async system(): Promise<{ readonly cloud: boolean; readonly home: string }> {
    const { mode, solr_home: home = "SOLR_HOME" } = await this.ask<{
      readonly mode?: string;
      readonly solr_home?: string;
    }>("admin/info/system", {});
    return { cloud: mode === "solrcloud", home };
  }
}

/** The state of a core. */
interface CoreStatus {
  readonly instanceDir?: string;
}

/** A record with names without prefix as keys. Entries of other names are left out. */
export const byOwnNames = <T>(
  endpoint: SolrEndpoint,
  record: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, one]) => {
      const own = ownName(endpoint, name);
      return own === undefined ? [] : [[own, one]];
    }),
  );

/**
 * The usable cores of one Solr. A core whose creation failed is left out, although Solr answers searches of it with 500
 * until its next start.
 */
export async function coresOf(admin: SolrAdmin): Promise<Readonly<Record<string, CoreStatus>>> {
  const { status = {} } = await admin.ask<{
    readonly status?: Readonly<Record<string, CoreStatus>>;
  }>("admin/cores", { action: "STATUS", indexInfo: "false" });
  return byOwnNames(admin.endpoint, status);
}

/** The number of visible documents of a collection or core. */
export async function countDocuments(admin: SolrAdmin, name: string): Promise<number> {
  const { response } = await admin.ask<{ response: { numFound: number } }>(
    handlerPath(name, "select"),
    { q: "*:*", rows: "0" },
  );
  return response.numFound;
}

function read<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
