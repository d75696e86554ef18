/** Reads the environment into a typed configuration. .env.example documents the names. */

import { totalmem } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import {
  isFolderPattern,
  type RegistrationFolders,
} from "../domain/user-data/registration-rule.js";
import type { AuthSettings } from "../identity/auth.js";
import { isStateKey } from "../identity/keys/state-key.js";
import type { SolrLoad } from "../index/solr.js";
import {
  haveSameUser,
  type SolrEndpoint,
  solrEndpoint,
  splitAddresses,
} from "../index/transport/endpoint.js";
import { UserError } from "../platform/errors.js";
import { packagePath } from "../platform/package-root.js";
import { withoutTrailing } from "../platform/trailing-characters.js";
import type { AuditSettings } from "./audit/audit.js";
import { isAuditKey } from "./audit/audit-key.js";
import type { ConnectionLimits } from "./http/connections.js";
import type { LimitSettings } from "./limits/settings.js";

/** An invalid setting. The message is one sentence that names it, without any password. */
export class InvalidConfig extends UserError {
  override readonly name = "InvalidConfig";
}

const list = (text: string, separator: RegExp): string[] =>
  text.split(separator).flatMap((part) => part.trim() || []);

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port number from 0 to 65535")
  .transform(Number)
  .refine((value) => value <= 65_535, "must be a port number from 0 to 65535");

const isHttp = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const httpUrl = z
  .string()
  .refine(isHttp, { message: "must be an http or https address" })
  .transform((text) => new URL(text));

/** The bytes of a size in Java's notation. */
export function bytesOf(size: string): number {
  const power = "kmgt".indexOf(size.slice(-1).toLowerCase()) + 1;
  return Number.parseInt(size, 10) * 1024 ** power;
}

/** A quota of bytes a day. */
const dailySize = z
  .string()
  .regex(/^[1-9]\d{0,5}[kmgt]$/i, "must be a size such as 500g or 2t")
  .transform(bytesOf);

/** @param min for example, Solr needs 32 MB to start without documents */
const memorySize = (min: string) =>
  z
    .string()
    .regex(/^[1-9]\d*[kmg]$/i, "must be a size such as 512m or 2g")
    .refine((size) => bytesOf(size) >= bytesOf(min), `must be at least ${min}`)
    .refine((size) => bytesOf(size) <= totalmem(), "must be at most the memory of this machine");

/** With less, chunks of usual size could not be decoded. */
const MIN_READING = "128m";
export const MIN_READING_MEMORY = bytesOf(MIN_READING);

/** An open list needs some 20 MB of Solr's heap; all lists together may take a quarter of it. */
const HEAP_OF_EXPORT = bytesOf("24m");
const exportsIn = (heap: number): number =>
  Math.min(8, Math.max(1, Math.floor(heap / 4 / HEAP_OF_EXPORT)));

/** Whether the user and password in an address can be decoded: a lone % cannot. */
function hasReadableUser({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Addresses of one Solr. */
const solrAddresses = z
  .string()
  .refine((text) => splitAddresses(text).every(isHttp) && splitAddresses(text).length > 0, {
    message: "must be http or https addresses, separated by commas or blanks",
  })
  .refine(
    (text) => splitAddresses(text).every((one) => !isHttp(one) || hasReadableUser(new URL(one))),
    {
      message: "must have each % in its user and password written as %25",
    },
  )
  .refine(
    (text) =>
      haveSameUser(
        splitAddresses(text)
          .filter(isHttp)
          .map((one) => new URL(one)),
      ),
    {
      message: "must have the same user and password in all its addresses",
    },
  );

/** Whether a text is an origin as browsers send it: only scheme, host and port. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** A text without the users and passwords of addresses. */
function withoutUser(text: string): string {
  const [begin, end] = [text.indexOf("//"), text.lastIndexOf("@")];
  return begin < 0 || end < begin ? text : `${text.slice(0, begin)}//...${text.slice(end)}`;
}

/** A whole number from 1. */
const whole = (unit: string, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max, {
      message: `must be a whole number of ${unit} from 1 to ${max.toLocaleString("en")}`,
    })
    .transform(Number);

/** Colon-separated patterns of user folders, with a placeholder for the name. */
const folderPatterns = (names: readonly string[]) =>
  z
    .string()
    .default("")
    .transform((text) => list(text, /[:\n]/).map((folder) => withoutTrailing(folder, "/")))
    .refine((folders) => folders.every((folder) => isFolderPattern(folder, names)), {
      message: `must be absolute paths such as /work/{${names[0]}}, separated by colons`,
    });

/** The path of a claim in a token, separated by dots. */
const claimPath = z.string().regex(/^[^\s=]+$/, "must be a claim such as uid_number");

/** The number of trusted proxies; undefined if the text is neither a number nor a switch. */
function hopsOf(text: string): number | undefined {
  if (["true", "yes", "on"].includes(text)) return 1;
  if (["false", "no", "off"].includes(text)) return 0;
  return /^\d{1,2}$/.test(text) && Number(text) <= 10 ? Number(text) : undefined;
}

/** Whether a text is a host as browsers send it: a name or an address, and a port unless it is the default. */
const isHost = (text: string): boolean =>
  !text.includes("*") &&
  URL.canParse(`http://${text}`) &&
  new URL(`http://${text}`).host === text.toLowerCase();

/** Up to 30 years. */
const seconds = whole("seconds", 1_000_000_000);

/** Timeouts of connections, up to a day. */
const timeoutSeconds = whole("seconds", 86_400);

const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(7777),
  METRICS_HOST: z.string().optional(),
  METRICS_PORT: port.optional(),
  BASE_URL: httpUrl
    .refine((url) => url.search === "" && url.hash === "", "must have no query and no fragment")
    .optional(),
  DATA_DIR: z.string().default("./var"),
  DATA_ROOTS: z.string().default(packagePath("data", "files")),
  SOLR_URL: solrAddresses.optional(),
  SOLR_USER: z.string().optional(),
  SOLR_PASSWORD: z.string().optional(),
  SOLR_COLLECTION_PREFIX: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/i,
      "must be up to 64 letters, digits, _ and -, beginning with a letter or a digit",
    )
    .optional(),
  SOLR_TIMEOUT_MS: whole("milliseconds", 10_000_000).default(10_000),
  SOLR_SEARCHES: whole("searches", 1000).default(16),
  SOLR_EXPORTS: whole("lists", 1000).optional(),
  SOLR_WAITING: whole("requests", 1_000_000).default(256),
  SOLR_PATIENCE_MS: whole("milliseconds", 10_000_000).default(20_000),
  SOLR_HEAP: memorySize("64m").default("1g"),
  SOLR_PORT: port.optional(),
  STATE_KEY: z
    .string()
    .refine(isStateKey, "must be keys of 32 bytes in base64url, separated by blanks")
    .optional(),
  STATE_KEY_FILE: z.string().optional(),
  READING_MEMORY: memorySize(MIN_READING).default("512m"),
  WORKERS: whole("processes", 256).default(1),
  CORS_ORIGINS: z
    .string()
    .refine((text) => list(text, /,/).every((origin) => origin === "*" || isOrigin(origin)), {
      message: "must be * or origins such as https://example.org, separated by commas",
    })
    .default("*"),
  ACCESS_TOKEN_TTL: seconds.default(600),
  REFRESH_TOKEN_TTL: seconds.default(30 * 24 * 3600),
  LOGIN_LIMIT_USER: whole("logins", 1_000_000).default(10),
  LOGIN_LIMIT_ADDRESS: whole("logins", 1_000_000).default(100),
  LOGIN_LIMIT_WINDOW: seconds.default(300),
  OIDC_DISCOVERY_URL: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_ADMIN_CLAIM: z
    .string()
    .regex(/^[^=]+=.+$/s, "must be a claim and its value, such as realm_access.roles=climate-admin")
    .transform((text) => {
      const end = text.indexOf("=");
      return { path: text.slice(0, end).trim(), value: text.slice(end + 1).trim() };
    })
    .optional(),
  OIDC_UID_CLAIM: claimPath.optional(),
  OIDC_GROUPS_CLAIM: claimPath.optional(),
  FILE_RIGHTS: z.enum(["service", "posix"]).default("service"),
  HIDE_UNREADABLE: z.enum(["true", "false"]).default("false"),
  USERDATA_ROOTS: folderPatterns(["user"]),
  OIDC_USERDATA_ROOTS: folderPatterns(["user", "sub"]),
  USERDATA_MAX_ENTRIES: whole("entries", 10_000_000).default(100_000),
  // The maximal length of a string in V8.
  USERDATA_MAX_BYTES: whole("bytes", 536_870_000).default(64 * 1024 * 1024),
  MAX_CONNECTIONS: whole("connections", 1_000_000).default(4096),
  LIMIT_REQUESTS: whole("requests", 1_000_000).optional(),
  LIMIT_STREAMS: whole("streams", 1_000_000).optional(),
  LIMIT_BYTES: dailySize.optional(),
  LIMIT_DECODE: whole("seconds", 10_000_000).optional(),
  MAX_HEADER_BYTES: whole("bytes", 1_048_576).default(16_384),
  HEADERS_TIMEOUT: timeoutSeconds.default(20),
  REQUEST_TIMEOUT: timeoutSeconds.default(300),
  KEEP_ALIVE_TIMEOUT: timeoutSeconds.default(10),
  WRITE_TIMEOUT: timeoutSeconds.default(60),
  TRUST_PROXY: z
    .string()
    .refine(
      (text) => hopsOf(text) !== undefined,
      "must be true, false, or how many proxies there are, up to 10",
    )
    .transform((text) => hopsOf(text) ?? 0)
    .default(0),
  TRUSTED_HOSTS: z
    .string()
    .refine((text) => list(text, /,/).every(isHost), {
      message: "must be hosts such as data.example.org, separated by commas",
    })
    .default(""),
  AUDIT: z.string().default("off"),
  AUDIT_DAYS: whole("days", 36_500).default(90),
  AUDIT_KEY: z.string().refine(isAuditKey, "must have at least 16 characters").optional(),
  AUDIT_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

export interface Config {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Address of the metrics. Without a port they are on the service's port, for this machine only. */
  readonly metrics: { readonly host: string; readonly port?: number };
  /** The public address, without a trailing slash; undefined: derived from host and port. */
  readonly baseUrl?: string;
  /** Solr's home, keys, users, passwords. */
  readonly dataDir: string;
  /** Folders below which files may be read. */
  readonly dataRoots: readonly string[];
  readonly solr: {
    /** An outside Solr or SolrCloud; undefined: the embedded one. */
    readonly outside?: SolrEndpoint;
    /** Milliseconds in which Solr must answer. */
    readonly timeoutMs: number;
    /** The embedded Solr's heap, in Java's notation. */
    readonly heap: string;
    readonly port?: number;
    /** Limits of concurrent requests to Solr. */
    readonly load: SolrLoad;
  };
  /** Bytes that reading files may take above the idle memory, in all processes. */
  readonly readingMemory: number;
  /** Number of answering processes; they share the limits. */
  readonly workers: number;
  readonly auth: AuthSettings;
  /** Whether file rights on disk apply to callers, and whether lists hide unreadable files. */
  readonly rights: { readonly mode: "service" | "posix"; readonly hides: boolean };
  /** Patterns of the folders from which users may register files. */
  readonly userDataFolders: RegistrationFolders;
  /** The maximum of user data in one request. */
  readonly userDataLimit: { readonly bytes: number; readonly entries: number };
  readonly connections: ConnectionLimits;
  /** Quotas of each client. */
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
}

/** Settings whose values no message shows. */
const SECRET = ["STATE_KEY", "AUDIT_KEY"];

/** Settings that have no effect without another one, and the one they need. */
const DEPENDENT = [
  ["METRICS_HOST", "METRICS_PORT"],
  ["SOLR_USER", "SOLR_URL"],
  ["SOLR_PASSWORD", "SOLR_URL"],
  ["SOLR_COLLECTION_PREFIX", "SOLR_URL"],
  ["STATE_KEY", "SOLR_URL"],
  ["STATE_KEY_FILE", "SOLR_URL"],
  ["OIDC_CLIENT_ID", "OIDC_DISCOVERY_URL"],
  ["OIDC_CLIENT_SECRET", "OIDC_DISCOVERY_URL"],
  ["OIDC_AUDIENCE", "OIDC_DISCOVERY_URL"],
  ["OIDC_ADMIN_CLAIM", "OIDC_DISCOVERY_URL"],
  ["OIDC_UID_CLAIM", "OIDC_DISCOVERY_URL"],
  ["OIDC_GROUPS_CLAIM", "OIDC_DISCOVERY_URL"],
] as const;

/** @throws InvalidConfig if two keys are set, or one without effect */
function auditSettings(value: z.infer<typeof environment>): AuditSettings | undefined {
  const { AUDIT: where, AUDIT_DAYS: days, AUDIT_KEY: text, AUDIT_KEY_FILE: file } = value;
  if (text !== undefined && file !== undefined) {
    throw new InvalidConfig("Either AUDIT_KEY or AUDIT_KEY_FILE may be set, not both.");
  }
  if (where === "off") return undefined;
  return {
    to: where === "stdout" ? where : { folder: resolve(where) },
    days,
    key: { ...(text && { text }), ...(file && { file: resolve(file) }) },
  };
}

/** The key that seals shared state. With the embedded Solr, instances share only a data folder. */
function sharedState(value: z.infer<typeof environment>): Pick<AuthSettings, "shared"> {
  const { SOLR_URL: url, STATE_KEY: text, STATE_KEY_FILE: file } = value;
  if (url === undefined) return {};
  if (text !== undefined && file !== undefined) {
    throw new InvalidConfig("Either STATE_KEY or STATE_KEY_FILE may be set, not both.");
  }
  return { shared: { ...(text && { text }), ...(file && { file: resolve(file) }) } };
}

/** @throws InvalidConfig if the provider is set without a client id */
function outsideIdentity(value: z.infer<typeof environment>): Pick<AuthSettings, "outside"> {
  const { OIDC_DISCOVERY_URL: url, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = value;
  if (url === undefined) return {};
  if (id === undefined) {
    throw new InvalidConfig("OIDC_CLIENT_ID is needed where OIDC_DISCOVERY_URL is set.");
  }
  const audience = value.OIDC_AUDIENCE ?? id;
  const {
    OIDC_ADMIN_CLAIM: administrators,
    OIDC_UID_CLAIM: uid,
    OIDC_GROUPS_CLAIM: groups,
  } = value;
  const accounts = { ...(uid && { uid }), ...(groups && { groups }) };
  return {
    outside: {
      discoveryUrl: url.href,
      audience,
      client: { id, secret },
      ...(administrators && { administrators }),
      ...((uid || groups) && { accounts }),
    },
  };
}

/**
 * Reads the configuration.
 *
 * @param env environment variables; empty ones count as unset
 * @throws InvalidConfig that names the first invalid setting
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
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
  if (value.HIDE_UNREADABLE === "true" && value.FILE_RIGHTS !== "posix") {
    throw new InvalidConfig("HIDE_UNREADABLE needs FILE_RIGHTS=posix.");
  }
  const audit = auditSettings(value);
  const outside =
    value.SOLR_URL &&
    solrEndpoint(
      value.SOLR_URL,
      value.SOLR_USER,
      value.SOLR_PASSWORD,
      value.SOLR_COLLECTION_PREFIX,
    );
  return {
    host: value.HOST,
    port: value.PORT,
    metrics: {
      host: value.METRICS_HOST ?? "127.0.0.1",
      ...(value.METRICS_PORT !== undefined && { port: value.METRICS_PORT }),
    },
    ...(value.BASE_URL && { baseUrl: withoutTrailing(value.BASE_URL.href, "/") }),
    dataDir: resolve(value.DATA_DIR),
    dataRoots: list(value.DATA_ROOTS, /[:\n]/).map((folder) => resolve(folder)),
    solr: {
      ...(outside && { outside }),
      timeoutMs: value.SOLR_TIMEOUT_MS,
      heap: value.SOLR_HEAP,
      ...(value.SOLR_PORT !== undefined && { port: value.SOLR_PORT }),
      load: {
        searches: value.SOLR_SEARCHES,
        exports: value.SOLR_EXPORTS ?? exportsIn(bytesOf(value.SOLR_HEAP)),
        waiting: value.SOLR_WAITING,
        maxWaitMs: value.SOLR_PATIENCE_MS,
      },
    },
    readingMemory: bytesOf(value.READING_MEMORY),
    workers: value.WORKERS,
    auth: {
      accessTokenLifetime: value.ACCESS_TOKEN_TTL,
      refreshTokenLifetime: value.REFRESH_TOKEN_TTL,
      limits: {
        perUser: value.LOGIN_LIMIT_USER,
        perAddress: value.LOGIN_LIMIT_ADDRESS,
        window: value.LOGIN_LIMIT_WINDOW,
      },
      ...sharedState(value),
      ...outsideIdentity(value),
    },
    rights: { mode: value.FILE_RIGHTS, hides: value.HIDE_UNREADABLE === "true" },
    userDataFolders: { local: value.USERDATA_ROOTS, outside: value.OIDC_USERDATA_ROOTS },
    userDataLimit: { bytes: value.USERDATA_MAX_BYTES, entries: value.USERDATA_MAX_ENTRIES },
    connections: {
      max: value.MAX_CONNECTIONS,
      headerBytes: value.MAX_HEADER_BYTES,
      headersMs: value.HEADERS_TIMEOUT * 1000,
      requestMs: value.REQUEST_TIMEOUT * 1000,
      idleMs: value.KEEP_ALIVE_TIMEOUT * 1000,
      unreadMs: value.WRITE_TIMEOUT * 1000,
    },
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
    logLevel: value.LOG_LEVEL,
  };
}
