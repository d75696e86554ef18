/** Settings that are wrong, or nearly right in name, with the sentence that each gets. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSetup } from "../../../src/server/assembly/start-service.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { InvalidConfig } from "../../../src/server/settings/derived.js";
import { SETTING_NAMES } from "../../../src/server/settings/environment.js";
import { freshFolder } from "../../support/run/folders.js";

const SOLR = { SOLR_URL: "http://localhost:8983/solr" };
const PROVIDER = { OIDC_DISCOVERY_URL: "https://id.example.org/.well-known/openid-configuration" };

const PORT = "must be a port number from 0 to 65535";
const METRICS_PORT = `${PORT}, or an address and a port such as 0.0.0.0:9464`;
const ADDRESS = "must be an http or https address";
const ADDRESSES = "must be http or https addresses, separated by commas or blanks";
const SIZE = "must be a size such as 512m or 2g";
const FOLDERS = "must be absolute paths such as /pool/data:/work/data, separated by colons";
const AUDIT = "must be off, stdout or the path of a folder such as /var/log/climate-nextgen";
const whole = (unit: string, max: string) => `must be a whole number of ${unit} from 1 to ${max}`;

/** Setting, value, and what its sentence says before it repeats the value. */
const VALUES: readonly (readonly [string, string, string])[] = [
  ["PORT", "http", PORT],
  ["PORT", "-1", PORT],
  ["PORT", "65536", PORT],
  ["PORT", "80.5", PORT],
  ["METRICS_PORT", "9464/tcp", METRICS_PORT],
  ["METRICS_PORT", "0.0.0.0:65536", METRICS_PORT],
  ["METRICS_PORT", "::1:9464", METRICS_PORT],
  ["BASE_URL", "data.example.org", ADDRESS],
  ["BASE_URL", "ftp://data.example.org", ADDRESS],
  ["BASE_URL", "https://data.example.org/?page=1", "must have no query and no fragment"],
  ["DATA_ROOTS", "relative", FOLDERS],
  ["DATA_ROOTS", "/pool/data:work/data", FOLDERS],
  ["DATA_ROOTS", ":", FOLDERS],
  ["SOLR_URL", "localhost:8983", ADDRESSES],
  ["SOLR_URL", "not an address", ADDRESSES],
  ["SOLR_URL", " , ", ADDRESSES],
  ["SOLR_URL", "http://localhost:8983/solr,localhost:8984", ADDRESSES],
  ["SOLR_TIMEOUT_MS", "0", whole("milliseconds", "10,000,000")],
  ["SOLR_TIMEOUT_MS", "10s", whole("milliseconds", "10,000,000")],
  ["SOLR_SEARCHES", "many", whole("searches", "1,000")],
  ["SOLR_HEAP", "lots", SIZE],
  ["SOLR_HEAP", "1", SIZE],
  ["SOLR_HEAP", "8m", "must be at least 64m"],
  ["SOLR_HEAP", "99999999g", "must be at most the memory of this machine"],
  ["READING_MEMORY", "64m", "must be at least 128m"],
  ["WORKERS", "auto", whole("processes", "256")],
  ["WORKERS", "0", whole("processes", "256")],
  [
    "CORS_ORIGINS",
    "example.org",
    "must be * or origins such as https://example.org, separated by commas",
  ],
  ["REFRESH_TOKEN_TTL", "30d", whole("seconds", "1,000,000,000")],
  ["OIDC_DISCOVERY_URL", "id.example.org", ADDRESS],
  ["FILE_RIGHTS", "nobody", "must be one of service, posix, posix-hide"],
  ["USERDATA_ROOTS", "/work", "must be absolute paths such as /work/{user}, separated by colons"],
  ["LIMIT_BYTES", "500", "must be a size such as 500g or 2t"],
  ["TRUST_PROXY", "nginx", "must be true, false, or how many proxies there are, up to 10"],
  ["TRUSTED_HOSTS", "https://x.org", "must be hosts such as data.example.org, separated by commas"],
  ["AUDIT", "true", AUDIT],
  ["AUDIT", "audit", AUDIT],
  ["AUDIT_DAYS", "forever", whole("days", "36,500")],
  ["LOG_LEVEL", "loud", "must be one of trace, debug, info, warn, error, silent"],
];

/** Settings together, and the whole sentence. */
const SENTENCES: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [
    { METRICS_HOST: "0.0.0.0", METRICS_PORT: "9464" },
    "METRICS_HOST is no longer a setting; set METRICS_PORT to the address and the port, such as 0.0.0.0:9464.",
  ],
  [{ SOLR_USER: "climate" }, "SOLR_URL is needed where SOLR_USER is set."],
  [{ ...SOLR, SOLR_PASSWORD: "s3cret" }, "SOLR_USER is needed where SOLR_PASSWORD is set."],
  [
    { ...SOLR, STATE_KEY: "s3cret" },
    "STATE_KEY must be keys of 32 bytes in base64url, separated by blanks, or the path of a file with them.",
  ],
  [
    { ...SOLR, STATE_KEY_FILE: "/etc/state.key" },
    "STATE_KEY_FILE is no longer a setting; set STATE_KEY to the path of the file.",
  ],
  [
    { AUDIT_KEY: "s3cret" },
    "AUDIT_KEY must have at least 16 characters, or be the path of a file.",
  ],
  [
    { AUDIT_KEY_FILE: "/etc/audit.key" },
    "AUDIT_KEY_FILE is no longer a setting; set AUDIT_KEY to the path of the file.",
  ],
  [
    { SOLR_URL: "ftp://climate:s3cret@localhost" },
    `SOLR_URL ${ADDRESSES}, but is "ftp://...@localhost".`,
  ],
  ...["solr:s3cret@host", "s3@cret//@host", "ftp:s3cret//@host", "solr:s3\ncret@host"].map(
    (address): readonly [Record<string, string>, string] => [
      { SOLR_URL: address },
      `SOLR_URL ${ADDRESSES}, but is "...@host".`,
    ],
  ),
  [PROVIDER, "OIDC_CLIENT_ID is needed where OIDC_DISCOVERY_URL is set."],
  [{ OIDC_UID_CLAIM: "uid" }, "OIDC_DISCOVERY_URL is needed where OIDC_UID_CLAIM is set."],
  [
    { HIDE_UNREADABLE: "true", FILE_RIGHTS: "posix" },
    "HIDE_UNREADABLE is no longer a setting; set FILE_RIGHTS=posix-hide to hide files that the client may not read.",
  ],
  [
    { PUBLIC: "cmip6" },
    'PUBLIC has the search "cmip6", which must be facets with values, such as project=cmip6.',
  ],
];

/** A name that is nearly a setting's, and the setting. */
const NAMES = [
  ["DATA_ROOT", "DATA_ROOTS"],
  ["DATADIR", "DATA_DIR"],
  ["data_dir", "DATA_DIR"],
  ["BASEURL", "BASE_URL"],
  ["SOLR_ULR", "SOLR_URL"],
  ["SOLR-URL", "SOLR_URL"],
  ["SOLR_URLS", "SOLR_URL"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["WORKER", "WORKERS"],
  ["CORS_ORIGIN", "CORS_ORIGINS"],
  ["TRUSTED_HOST", "TRUSTED_HOSTS"],
  ["FILE_RIGTHS", "FILE_RIGHTS"],
] as const;

/** The names that an environment has anyway. */
const USUAL = [
  "HOME",
  "HOSTNAME",
  "LANG",
  "LC_ALL",
  "LOGNAME",
  "MAIL",
  "OLDPWD",
  "PATH",
  "PWD",
  "SHELL",
  "SHLVL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
  "DISPLAY",
  "EDITOR",
  "HOSTTYPE",
  "NODE_ENV",
  "NODE_OPTIONS",
  "JAVA_HOME",
  "JAVA_TOOL_OPTIONS",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "KUBERNETES_PORT",
  "KUBERNETES_SERVICE_HOST",
  "SOLR_HOME",
  "SOLR_ADMIN_PASSWORD",
  "LISTEN_FDS",
  "INVOCATION_ID",
  "STATE_DIRECTORY",
  "LOGS_DIRECTORY",
  "MEMORY_PRESSURE_WATCH",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "CLIMATE_NEXTGEN_REFRESH_TOKEN",
  "npm_config_cache",
];

const sentenceOf = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidConfig);
    return (error as Error).message;
  }
};

const folder = freshFolder();

describe("a wrong setting", () => {
  it.each(VALUES)(
    "is refused with its name, its value and the allowed ones: %s=%s",
    (name, value, rule) => {
      expect(sentenceOf({ [name]: value })).toBe(
        `${name} ${rule}, but is ${JSON.stringify(value)}.`,
      );
    },
  );

  it.each(SENTENCES)(
    "is refused with its name, its value and the allowed ones: %j",
    (env, sentence) => {
      expect(sentenceOf(env)).toBe(sentence);
    },
  );
});

describe("an unusable folder or file", () => {
  it.each<[string, (file: string) => NodeJS.ProcessEnv, (file: string) => string]>([
    [
      "DATA_ROOTS, a file",
      (file) => ({ DATA_ROOTS: file }),
      (file) => `DATA_ROOTS must be folders, but ${file} is a file.`,
    ],
    [
      "DATA_DIR, a file",
      (file) => ({ DATA_DIR: file }),
      (file) =>
        `The data folder ${file} cannot be used (a file has its name); set DATA_DIR to another folder.`,
    ],
    [
      "DATA_DIR, below a file",
      (file) => ({ DATA_DIR: `${file}/x` }),
      (file) =>
        `The data folder ${file}/x cannot be used (a part of the path is not a folder); set DATA_DIR to another folder.`,
    ],
    [
      "DATA_DIR, in /proc",
      () => ({ DATA_DIR: "/proc/x/y" }),
      () =>
        "The data folder /proc/x/y cannot be used (it cannot be created there); set DATA_DIR to another folder.",
    ],
    [
      "AUDIT, a file",
      (file) => ({ AUDIT: file }),
      (file) => `The folder of AUDIT, ${file}, cannot be used (a file has its name).`,
    ],
    [
      "AUDIT_KEY, the path of a missing file",
      (file) => ({ AUDIT: "stdout", AUDIT_KEY: `${file}.key` }),
      () => "The file that AUDIT_KEY names cannot be read (does not exist).",
    ],
  ])("is refused before Solr is started: %s", async (_, env, sentence) => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const config = readConfig({ PORT: "0", DATA_DIR: join(folder, "var"), ...env(file) });
    await expect(checkSetup(config)).rejects.toThrow(
      expect.objectContaining({ message: sentence(file) }),
    );
  });
});

describe("a misspelled name of a setting", () => {
  it.each(NAMES)("gets a suggestion: for %s %s", (name, meant) => {
    expect(readConfig({ [name]: "x" }).ignored).toEqual([
      `${name} is not a setting; did you mean ${meant}?`,
    ]);
  });

  it("gets no suggestion if that setting is set as well", () => {
    expect(readConfig({ DATA_ROOT: "/a", DATA_ROOTS: "/b" }).ignored).toEqual([]);
  });

  it("is neither a usual variable of the environment, nor a setting", () => {
    const env = Object.fromEntries(USUAL.map((name) => [name, "x"]));
    expect(readConfig(env).ignored).toEqual([]);
    expect(SETTING_NAMES.length).toBeLessThanOrEqual(40);
  });
});

describe("settings that contain others", () => {
  const KEY = Buffer.alloc(32, 0xff).toString("base64");

  it.each([
    ["9464", { host: "127.0.0.1", port: 9464 }],
    ["0.0.0.0:9464", { host: "0.0.0.0", port: 9464 }],
    ["[::1]:0", { host: "::1", port: 0 }],
    ["metrics.local:9464", { host: "metrics.local", port: 9464 }],
  ])("takes the address and the port of METRICS_PORT=%s", (METRICS_PORT, metrics) => {
    expect(readConfig({ METRICS_PORT }).metrics).toEqual(metrics);
  });

  it("tells the path of a key from a key, also from one that begins with a slash", () => {
    const stateKey = (STATE_KEY: string) => readConfig({ ...SOLR, STATE_KEY }).auth.shared;
    expect(KEY).toMatch(/^\//);
    expect(stateKey(KEY)).toEqual({ text: KEY });
    expect(stateKey("/etc/state.key")).toEqual({ file: "/etc/state.key" });
    const auditKey = (AUDIT_KEY: string) => readConfig({ AUDIT: "stdout", AUDIT_KEY }).audit?.key;
    expect(auditKey("a secret of the site")).toEqual({ text: "a secret of the site" });
    expect(auditKey("/etc/audit.key")).toEqual({ file: "/etc/audit.key" });
  });

  it.each([
    [{}, 8],
    [{ SOLR_SEARCHES: "64" }, 10],
    [{ SOLR_SEARCHES: "64", ...SOLR }, 32],
    [{ SOLR_HEAP: "256m" }, 2],
    [{ SOLR_SEARCHES: "1" }, 1],
  ])("derives the number of open lists from %j", (env, lists) => {
    expect(readConfig(env).solr.load.exports).toBe(lists);
  });
});
