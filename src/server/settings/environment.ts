/**
 * The settings: names, kinds of values and defaults. .env.example documents them. `secret` marks those that child processes do
 * not get; it says which part is secret: the value, or a password in an address.
 */
import { z } from "zod";
import { isStateKey } from "../../identity/keys/state-key.js";
import { packagePath } from "../../platform/package-root.js";
import { hideFromChildren } from "../../platform/processes/scrubbed-environment.js";
import { isAuditKey } from "../audit/audit-key.js";
import {
  auditTarget,
  bytesOf,
  claimPath,
  dailySize,
  dataFolders,
  folderPatterns,
  hopsOf,
  httpUrl,
  isHost,
  isOrigin,
  list,
  memorySize,
  port,
  seconds,
  solrAddresses,
  timeoutSeconds,
  whole,
} from "./values.js";

/** With less, chunks of usual size could not be decoded. */
const MIN_READING = "128m";
export const MIN_READING_MEMORY = bytesOf(MIN_READING);

export const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(7777),
  METRICS_HOST: z.string().optional(),
  METRICS_PORT: port.optional(),
  BASE_URL: httpUrl
    .refine((url) => url.search === "" && url.hash === "", "must have no query and no fragment")
    .optional(),
  DATA_DIR: z.string().default("./var"),
  DATA_ROOTS: dataFolders.default([packagePath("data", "files")]),
  SOLR_URL: solrAddresses.optional().meta({ secret: "password" }),
  SOLR_USER: z.string().optional(),
  SOLR_PASSWORD: z.string().optional().meta({ secret: "value" }),
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
    .optional()
    .meta({ secret: "value" }),
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
  OIDC_CLIENT_SECRET: z.string().optional().meta({ secret: "value" }),
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
  PUBLIC: z.string().optional(),
  CITATIONS: z.string().optional(),
  USERDATA_ROOTS: folderPatterns(["user"]),
  OIDC_USERDATA_ROOTS: folderPatterns(["user", "sub"]),
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
  AUDIT: auditTarget.default("off"),
  AUDIT_DAYS: whole("days", 36_500).default(90),
  AUDIT_KEY: z
    .string()
    .refine(isAuditKey, "must have at least 16 characters")
    .optional()
    .meta({ secret: "value" }),
  AUDIT_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).optional(),
});

export type Environment = z.infer<typeof environment>;

export const SETTING_NAMES: readonly string[] = Object.keys(environment.shape);

const secretOf = (name: string): unknown =>
  environment.shape[name as keyof Environment].meta()?.secret;

/** Settings whose values no message shows. */
export const SECRET = SETTING_NAMES.filter((name) => secretOf(name) === "value");

const KEPT_FROM_CHILDREN = SETTING_NAMES.filter((name) => secretOf(name) !== undefined);
hideFromChildren(KEPT_FROM_CHILDREN);

/** The secret settings of an environment, for a process that answers requests. */
export const secretsIn = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(KEPT_FROM_CHILDREN.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** Settings that have no effect without another one, and the one they need. */
export const DEPENDENT = [
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
