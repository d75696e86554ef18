/** Reads the environment into a typed configuration. */

import { resolve } from "node:path";
import type { CitationRule } from "../../domain/citations/sources.js";
import type { Search } from "../../domain/search/search.js";
import type { RegistrationFolders } from "../../domain/user-data/registration-rule.js";
import { misspellings } from "../../domain/vocabulary/misspelled.js";
import type { AuthSettings } from "../../identity/auth.js";
import { type SolrLoad, USUAL_LOAD } from "../../index/solr.js";
import { type SolrEndpoint, solrEndpoint } from "../../index/transport/endpoint.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import type { AuditSettings } from "../audit/audit.js";
import type { LimitSettings } from "../limits/settings.js";
import { citationRules } from "./citations.js";
import { auditSettings, InvalidConfig, outsideIdentity, publicSearches } from "./derived.js";
import {
  DEPENDENT,
  type Environment,
  environment,
  REPLACED,
  SECRET,
  SETTING_NAMES,
} from "./environment.js";
import { bytesOf, list } from "./values.js";

export interface Config {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Address of the metrics; undefined: on the service's port, for this machine only. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** The public address, without a trailing slash; undefined: derived from host and port. */
  readonly baseUrl?: string;
  /** Solr's home, keys, users, passwords. */
  readonly dataDir: string;
  /** Folders below which files may be read. */
  readonly dataRoots: readonly string[];
  readonly solr: {
    /** An outside Solr or SolrCloud; undefined: the embedded one. */
    readonly outside?: SolrEndpoint;
    readonly timeoutMs: number;
    /** The embedded Solr's heap, in Java's notation. */
    readonly heap: string;
    /** Limits of concurrent requests to Solr. */
    readonly load: SolrLoad;
  };
  /** Bytes that reading files may take above the idle memory, in all processes. */
  readonly readingMemory: number;
  /** Number of answering processes; they share the limits. */
  readonly workers: number;
  readonly auth: AuthSettings;
  /** Whether file rights on disk apply to callers, and whether lists hide unreadable files. */
  readonly rights: "service" | "posix" | "posix-hide";
  readonly publicData: readonly Search[];
  readonly citations: readonly CitationRule[];
  /** Patterns of the folders from which users may register files. */
  readonly userDataFolders: RegistrationFolders;
  readonly limits: LimitSettings;
  /** Number of trusted proxies, which write `X-Forwarded-*`. */
  readonly trustProxy: number;
  /** Hosts, in lower case, that are accepted from a proxy. */
  readonly trustedHosts: readonly string[];
  /** Origins whose pages may call the API; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Settings of the audit and the statistics; undefined if both are off. */
  readonly audit?: AuditSettings;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  /** Sentences about misspelled variables. */
  readonly ignored: readonly string[];
}

/** Bytes of heap for each open list: it needs some 20 MB, and all lists together may take a quarter of the heap. */
export const HEAP_OF_LIST = 4 * bytesOf("24m");

/** A list keeps Solr busy for longer than a search, so at most half as many are open. */
const listsIn = (searches: number, heap: number): number =>
  Math.max(1, Math.min(Math.floor(searches / 2), Math.floor(heap / HEAP_OF_LIST)));

/** A text in quotes without the users and passwords of addresses: without all that is between the first scheme and the last `@`. */
const withoutUser = (text: string): string =>
  text.replace(/^"([a-z][a-z0-9+.-]*:\/\/)?.*@/i, '"$1...@');

const meantBy = misspellings(SETTING_NAMES);

function ignoredIn(env: NodeJS.ProcessEnv): string[] {
  const unknown = Object.keys(env).filter((name) => !SETTING_NAMES.includes(name));
  return unknown.flatMap((name) => {
    const [meant] = meantBy(name).filter((one) => env[one] === undefined);
    return meant === undefined ? [] : `${name} is not a setting; did you mean ${meant}?`;
  });
}

/** Reads the configuration; empty variables count as unset. An error names the first invalid setting. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const value = valuesOf(given);
  const audit = auditSettings(value);
  const outside =
    value.SOLR_URL &&
    solrEndpoint(
      value.SOLR_URL,
      value.SOLR_USER,
      value.SOLR_PASSWORD,
      value.SOLR_COLLECTION_PREFIX,
    );
  if (outside && value.SOLR_PASSWORD !== undefined && outside.user === undefined) {
    throw new InvalidConfig("SOLR_USER is needed where SOLR_PASSWORD is set.");
  }
  return {
    host: value.HOST,
    port: value.PORT,
    ...(value.METRICS_PORT && { metrics: value.METRICS_PORT }),
    ...(value.BASE_URL && { baseUrl: withoutTrailing(value.BASE_URL.href, "/") }),
    dataDir: resolve(value.DATA_DIR),
    dataRoots: value.DATA_ROOTS,
    solr: {
      ...(outside && { outside }),
      timeoutMs: value.SOLR_TIMEOUT_MS,
      heap: value.SOLR_HEAP,
      load: {
        ...USUAL_LOAD,
        searches: value.SOLR_SEARCHES,
        exports: listsIn(value.SOLR_SEARCHES, outside ? Infinity : bytesOf(value.SOLR_HEAP)),
      },
    },
    readingMemory: bytesOf(value.READING_MEMORY),
    workers: value.WORKERS,
    auth: {
      refreshTokenLifetime: value.REFRESH_TOKEN_TTL,
      // The key that seals shared state. With the embedded Solr, instances share only a data folder.
      ...(outside && { shared: value.STATE_KEY ?? {} }),
      ...outsideIdentity(value),
    },
    rights: value.FILE_RIGHTS,
    publicData: publicSearches(value.PUBLIC ?? ""),
    citations: citationRules(value.CITATIONS),
    userDataFolders: { local: value.USERDATA_ROOTS, outside: value.OIDC_USERDATA_ROOTS },
    limits: {
      ...(value.LIMIT_REQUESTS && { requests: value.LIMIT_REQUESTS }),
      ...(value.LIMIT_STREAMS && { streams: value.LIMIT_STREAMS }),
      ...(value.LIMIT_BYTES && { bytes: value.LIMIT_BYTES }),
      ...(value.LIMIT_DECODE && { decode: value.LIMIT_DECODE }),
    },
    trustProxy: value.TRUST_PROXY,
    trustedHosts: list(value.TRUSTED_HOSTS.toLowerCase(), /,/),
    corsOrigins: list(value.CORS_ORIGINS, /,/),
    ...(audit && { audit }),
    ignored: ignoredIn(given),
    // People at a terminal do not read a line for each request.
    logLevel: value.LOG_LEVEL ?? (process.stdout.isTTY === true ? "warn" : "info"),
  };
}

/** The values of all settings. @throws InvalidConfig */
function valuesOf(given: NodeJS.ProcessEnv): Environment {
  const [name, remedy] = REPLACED.find(([name]) => given[name] !== undefined) ?? [];
  if (name !== undefined) throw new InvalidConfig(`${name} is no longer a setting; ${remedy}.`);
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join(".") ?? "The environment";
    const reason =
      issue?.code === "invalid_value"
        ? `must be one of ${issue.values.join(", ")}`
        : (issue?.message ?? "is not valid");
    if (SECRET.includes(name)) throw new InvalidConfig(`${name} ${reason}.`);
    const shown = withoutUser(JSON.stringify(given[name]));
    throw new InvalidConfig(`${name} ${reason}, but is ${shown}.`);
  }
  const value = parsed.data;
  for (const [name, needed] of DEPENDENT) {
    if (value[name] === undefined || value[needed] !== undefined) continue;
    throw new InvalidConfig(`${needed} is needed where ${name} is set.`);
  }
  return value;
}
