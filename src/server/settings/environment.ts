/**
 * The settings: names, kinds of values and defaults. A setting exists only if two sites have a reason to set it differently
 * (docs/configuration.md says the reason). `secret` marks those that child processes do not get; it says which part is secret:
 * the value, or a password in an address.
 */
import { isAbsolute } from "node:path";
import { z } from "zod";
import { isStateKey } from "../../identity/keys/state-key.js";
import { packagePath } from "../../platform/package-root.js";
import { hideFromChildren } from "../../platform/processes/scrubbed-environment.js";
import { isAuditKey } from "../audit/pseudonyms.js";
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
  listenAddress,
  memorySize,
  port,
  seconds,
  solrAddresses,
  whole,
} from "./values.js";

/** With less, chunks of usual size could not be decoded. */
const MIN_READING = "128m";
export const MIN_READING_MEMORY = bytesOf(MIN_READING);

export const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(7777),
  METRICS_PORT: listenAddress.optional(),
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
  SOLR_HEAP: memorySize("64m").default("1g"),
  STATE_KEY: z
    .string()
    .refine(
      (text) => isStateKey(text) || isAbsolute(text),
      "must be keys of 32 bytes in base64url, separated by blanks, or the path of a file with them",
    )
    .transform((text) => (isStateKey(text) ? { text } : { file: text }))
    .optional()
    .meta({ secret: "value" }),
  READING_MEMORY: memorySize(MIN_READING).default("512m"),
  WORKERS: whole("processes", 256).default(1),
  CORS_ORIGINS: z
    .string()
    .refine(
      (text) => list(text, /,/).every((origin) => origin === "*" || isOrigin(origin)),
      "must be * or origins such as https://example.org, separated by commas",
    )
    .default("*"),
  REFRESH_TOKEN_TTL: seconds.default(30 * 24 * 3600),
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
  FILE_RIGHTS: z.enum(["service", "posix", "posix-hide"]).default("service"),
  PUBLIC: z.string().optional(),
  CITATIONS: z.string().optional(),
  USERDATA_ROOTS: folderPatterns(["user"]),
  OIDC_USERDATA_ROOTS: folderPatterns(["user", "sub"]),
  LIMIT_REQUESTS: whole("requests", 1_000_000).optional(),
  LIMIT_STREAMS: whole("streams", 1_000_000).optional(),
  LIMIT_BYTES: dailySize.optional(),
  LIMIT_DECODE: whole("seconds", 10_000_000).optional(),
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
    .refine(
      (text) => list(text, /,/).every(isHost),
      "must be hosts such as data.example.org, separated by commas",
    )
    .default(""),
  AUDIT: auditTarget.default("off"),
  AUDIT_DAYS: whole("days", 36_500).default(90),
  AUDIT_KEY: z
    .string()
    .refine(
      (text) => isAbsolute(text) || isAuditKey(text),
      "must have at least 16 characters, or be the path of a file",
    )
    .transform((text) => (isAbsolute(text) ? { file: text } : { text }))
    .optional()
    .meta({ secret: "value" }),
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

/** Former settings that another one contains. Ignoring them could show what they protect, so they stop the start. */
export const REPLACED = [
  ["AUDIT_KEY_FILE", "set AUDIT_KEY to the path of the file"],
  ["STATE_KEY_FILE", "set STATE_KEY to the path of the file"],
  ["HIDE_UNREADABLE", "set FILE_RIGHTS=posix-hide to hide files that the client may not read"],
  ["METRICS_HOST", "set METRICS_PORT to the address and the port, such as 0.0.0.0:9464"],
] as const;

/** Settings that have no effect without another one, and the one they need. */
export const DEPENDENT = [
  ["OIDC_DISCOVERY_URL", "OIDC_CLIENT_ID"],
  ["SOLR_USER", "SOLR_URL"],
  ["SOLR_PASSWORD", "SOLR_URL"],
  ["SOLR_COLLECTION_PREFIX", "SOLR_URL"],
  ["STATE_KEY", "SOLR_URL"],
  ["OIDC_CLIENT_ID", "OIDC_DISCOVERY_URL"],
  ["OIDC_CLIENT_SECRET", "OIDC_DISCOVERY_URL"],
  ["OIDC_AUDIENCE", "OIDC_DISCOVERY_URL"],
  ["OIDC_ADMIN_CLAIM", "OIDC_DISCOVERY_URL"],
  ["OIDC_UID_CLAIM", "OIDC_DISCOVERY_URL"],
  ["OIDC_GROUPS_CLAIM", "OIDC_DISCOVERY_URL"],
] as const;
