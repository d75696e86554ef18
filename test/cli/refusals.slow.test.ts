/** What stops a start: each is one sentence that says what to do, and an exit status of 1. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { addressesOf } from "../../src/index/transport/endpoint.js";
import { packagePath } from "../../src/platform/package-root.js";
import { readConfig } from "../../src/server/settings/config.js";
import { expectBelow } from "../support/run/bounds.js";
import { freshFolder } from "../support/run/folders.js";
import { isOnTheCloud } from "../support/run/left-out.js";
import { testClient, testEndpoint } from "../support/service/service.js";
import {
  type Ended,
  oneLine,
  processesWith,
  type RunOptions,
  run,
  Serving,
  testSolrSettings,
} from "./command.js";

const folder = freshFolder();
let dataDir: string;
beforeAll(async () => {
  dataDir = join(folder, "var");
});

/** Starts a service that must not come up; gives the one sentence it ends with. */
async function refused(settings: Record<string, string>, options: RunOptions = {}) {
  const ended = await run(["serve"], { ...options, settings: { DATA_DIR: dataDir, ...settings } });
  expect(ended.status, ended.stdout + ended.stderr).toBe(1);
  // Before Solr is found to have no port, a first start may have prepared it.
  expect(ended.stdout.replace("Preparing Apache Solr to start fast (once).\n", "")).toBe("");
  return oneLine(ended.stderr);
}

async function occupied(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

describe("a bad setting", () => {
  it.concurrent.each([
    ["HOST", "no.such.host.invalid"],
    ["HOST", "192.0.2.1"],
    ["PORT", "http"],
    ["DATA_DIR", packagePath("package.json")],
    ["DATA_DIR", packagePath("package.json", "below")],
    ["SOLR_URL", "http://localhost:8983/solr,localhost:8984"],
    ["OIDC_CLIENT_SECRET", "without a provider"],
  ])("stops the start with one sentence that names it: %s=%s", async (name, value) => {
    const begin = performance.now();
    const sentence = await refused({ [name]: value });
    expect(sentence).toMatch(new RegExp(`\\b${name}\\b`));
    expect(sentence).toMatch(/\.$/);
    expect(sentence).not.toMatch(/\bat .*:\d+:\d+|Error:/);
    expectBelow(performance.now() - begin, 60_000);
    expect(existsSync(join(dataDir, "solr"))).toBe(false);
  });

  it.each([
    ["DATA_DIR", "/proc/climate/below"],
    ["DATA_ROOTS", packagePath("package.json")],
    ["AUDIT", "true"],
  ])("stops the start as well: %s=%s", async (name, value) => {
    const sentence = await refused({ [name]: value });
    expect(sentence).toContain(name);
    expect(sentence).toContain(value);
    expect(existsSync(join(dataDir, "solr"))).toBe(false);
  });

  it("stops index as well", async () => {
    const { status, stdout, stderr } = await run(
      ["index", packagePath("data", "catalogue.jsonl")],
      {
        settings: { DATA_DIR: dataDir, SOLR_TIMEOUT_MS: "soon" },
      },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(oneLine(stderr)).toMatch(/^SOLR_TIMEOUT_MS .* "soon"\.$/);
  });

  it("is suggested if a name is nearly right, and the command runs", async () => {
    const { status, stderr } = await run(["users", "list"], {
      settings: { DATA_DIR: dataDir, DATA_ROOT: "/pool/data" },
    });
    expect(status).toBe(0);
    expect(oneLine(stderr)).toMatch(/^Warning: DATA_ROOT .*\bDATA_ROOTS\b/);
  });

  it("is reported without the password in it", async () => {
    const told = (value: string): string => {
      try {
        readConfig({ SOLR_URL: value });
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    const first = "ftp://user:s3cret@localhost";
    expect(await refused({ SOLR_URL: first })).toBe(told(first));
    for (const value of [
      first,
      "http://user:s3cret%@localhost/solr",
      "http://user:s3cret@localhost/solr,http://user:other@localhost:8984/solr",
      "http://user:s3cret,1@localhost/solr",
      "http://user:other@localhost/solr http://user:s3cret/1@localhost:8984/solr",
    ]) {
      expect(told(value)).toMatch(/^SOLR_URL /);
      expect(told(value)).not.toContain("s3cret");
    }
  });

  it("counts as unset if it is empty", async () => {
    const sentence = await refused({ HOST: "192.0.2.1", PORT: "", BASE_URL: "", SOLR_HEAP: "" });
    expect(sentence).toBe("192.0.2.1 is not an address of this machine; set HOST.");
  });
});

describe("permissions on the disk", () => {
  it("stop the start with the missing package if they cannot be read", async () => {
    const sentence = await refused({ FILE_RIGHTS: "posix", PATH: folder });
    expect(sentence).toBe(
      "FILE_RIGHTS=posix needs getfacl: install the package acl (apt install acl, dnf install acl).",
    );
    expect(existsSync(join(dataDir, "solr"))).toBe(false);
  });
});

describe("a port in use", () => {
  it("is reported in one sentence, quickly and before anything else", async () => {
    const { port, server } = await occupied();
    const begin = performance.now();
    expect(await refused({ PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is in use; stop what uses it or set PORT.`,
    );
    expectBelow(performance.now() - begin, 15_000);
    expect(existsSync(join(dataDir, "solr"))).toBe(false);
    server.close();
  });
});

describe("a command", () => {
  it.each([
    [["brew"], /unknown command 'brew'/],
    [["index"], /missing required argument/],
    [["index", "--roots", "x", "y"], /unknown option '--roots'/],
    [["serve", "more"], /too many arguments/],
    [[], /^Usage: climate-nextgen/],
  ])("is refused with the known ones and status 1: %j", async (args, reason) => {
    const { status, stdout, stderr } = await run(args, { settings: { DATA_DIR: dataDir } });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/^Usage: climate-nextgen/m);
    expect(existsSync(join(dataDir, "solr"))).toBe(false);
  });

  it("answers --help and --version with status 0", async () => {
    for (const [args, text] of [
      [["--help"], /serve[\s\S]*index/],
      [["index", "--help"], /--root/],
      [["--version"], /^\d+\.\d+\.\d+/],
    ] as const) {
      const { status, stdout } = await run(args);
      expect(status).toBe(0);
      expect(stdout).toMatch(text);
    }
  });
});

describe("the needs of the embedded Solr", () => {
  const REAL_JAVA =
    process.env.JAVA_HOME !== undefined && process.env.JAVA_HOME !== ""
      ? join(process.env.JAVA_HOME, "bin", "java")
      : spawnSync("/bin/sh", ["-c", "command -v java"], { encoding: "utf8" }).stdout.trim();
  /** The package without Solr's jars, so that Maven is needed. */
  let bare: string;

  beforeAll(async () => {
    bare = join(folder, "package");
    await mkdir(join(bare, "solr"), { recursive: true });
    await cp(packagePath("dist"), join(bare, "dist"), { recursive: true });
    await cp(packagePath("data", "catalogue.jsonl"), join(bare, "data", "catalogue.jsonl"));
    const solr = ["pom.xml", "artifacts.sha256", "configset"].map((name) => join("solr", name));
    for (const name of [
      "package.json",
      "openapi.yaml",
      "generated/openapi.json",
      "generated/openapi-3.0.json",
      ...solr,
    ]) {
      await cp(packagePath(name), join(bare, name), { recursive: true });
    }
    await symlink(packagePath("node_modules"), join(bare, "node_modules"));
  });

  let made = 0;
  /** A folder of commands, each a shell script. */
  async function commands(scripts: Record<string, string>): Promise<string> {
    made += 1;
    const path = join(folder, `bin${made}`);
    await mkdir(path);
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(path, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(path, name), 0o755);
    }
    return path;
  }

  const java = (version: string) => `echo 'openjdk version "${version}" 2020-01-01' >&2`;
  const realJava = `exec '${REAL_JAVA}' "$@"`;
  const maven = (version: string) => `echo "Apache Maven ${version} (abc)"`;
  const wayRound = "install it, or set SOLR_URL to a running Solr.";

  const CASES: [string, Record<string, string>, string][] = [
    ["no Java", {}, "Java 17 or newer (none was found)"],
    ["a Java 11", { java: java("11.0.20") }, "Java 17 or newer (found 11.0.20)"],
    ["a Java 8", { java: java("1.8.0_302") }, "Java 17 or newer (found 1.8.0)"],
    ["a Java that fails", { java: "exit 1" }, "Java 17 or newer (none was found)"],
    ["no Maven", { java: realJava }, "Maven 3.8 or newer (none was found)"],
    ["a Maven 3.6", { java: realJava, mvn: maven("3.6.3") }, "Maven 3.8 or newer (found 3.6.3)"],
  ];

  it.each(CASES)("are reported in one sentence with SOLR_URL: %s", async (_, scripts, needed) => {
    const PATH = await commands(scripts);
    const settings = { PATH, JAVA_HOME: "", DATA_DIR: join(folder, "needs") };
    const main = join(bare, "dist", "src", "main.js");
    expect(await refused(settings, { main })).toBe(
      `The embedded Solr needs ${needed}; ${wayRound}`,
    );
    expect(await readdir(join(folder, "needs", "service.lock"))).toEqual([]);
  });

  it("include a recent Java: an old one of JAVA_HOME is reported, whatever is on the PATH", async () => {
    const home = join(folder, "old-java");
    await mkdir(home);
    await symlink(await commands({ java: java("16.0.2") }), join(home, "bin"));
    const sentence = await refused({ JAVA_HOME: home, DATA_DIR: join(folder, "needs") });
    expect(sentence).toBe(`The embedded Solr needs Java 17 or newer (found 16.0.2); ${wayRound}`);
  });

  it("include a download, whose failure is reported with Maven's reason and SOLR_URL", async () => {
    const failing = `case "$*" in *--version*) ${maven("3.9.9")};; *) echo "[ERROR] Could not transfer artifact solr-core"; exit 1;; esac`;
    const PATH = `${await commands({ java: realJava, mvn: failing })}:${process.env.PATH}`;
    const main = join(bare, "dist", "src", "main.js");
    const { status, stdout, stderr } = await run(["serve"], {
      main,
      settings: { PATH, DATA_DIR: join(folder, "needs") },
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Fetching /);
    expect(oneLine(stderr)).toMatch(
      /^Maven could not fetch Apache Solr \(Could not transfer artifact solr-core\); .*SOLR_URL/,
    );
  });

  it("do not exist with SOLR_URL", async () => {
    const PATH = await commands({});
    const main = join(bare, "dist", "src", "main.js");
    const { status, stderr } = await run(["index", "-"], {
      main,
      settings: { ...testSolrSettings(), PATH, JAVA_HOME: "" },
    });
    expect(status, stderr).toBe(0);
  });
});

describe("SOLR_URL", () => {
  const solr = testClient();
  const { prefix = "" } = testEndpoint();

  const ask = async (path: string) => JSON.parse((await solr.http.send({ path })).text);

  /** What the service looks for: cores, or a SolrCloud's aliases and the one collection that has none. */
  async function names(): Promise<string[]> {
    if (!isOnTheCloud) {
      const { status } = await ask("admin/cores?action=STATUS&indexInfo=false");
      const own = Object.keys(status).filter((name) => name.startsWith(prefix));
      return own.map((name) => name.slice(prefix.length)).sort();
    }
    const { aliases } = await ask("admin/collections?action=LISTALIASES");
    const { collections } = await ask("admin/collections?action=LIST");
    const own = collections.filter((name: string) => !Object.values(aliases).includes(name));
    return [...Object.keys(aliases), ...own].sort();
  }

  /** Gives one of them another name. */
  async function rename(from: string, to: string): Promise<void> {
    if (!isOnTheCloud) {
      await ask(`admin/cores?action=RENAME&core=${prefix}${from}&other=${prefix}${to}`);
      return;
    }
    const { aliases } = await ask("admin/collections?action=LISTALIASES");
    const collection = aliases[from];
    await ask(`admin/collections?action=CREATEALIAS&name=${to}&collections=${collection}`);
    await ask(`admin/collections?action=DELETEALIAS&name=${from}`);
  }

  it("is used with user and password, and nothing is started", async () => {
    const settings = testSolrSettings();
    const service = await Serving.start({ ...settings, DATA_DIR: dataDir });
    try {
      expect(service.output).toContain(`Using the Solr at ${addressesOf(testEndpoint())}`);
      expect(service.output).not.toMatch(/Starting|Loading|Fetching/);
      expect((await service.get("/ready")).status).toBe(200);
      expect((await service.get("/databrowser/data-search/native/file")).status).toBe(200);
      expect(existsSync(join(dataDir, "solr"))).toBe(false);
      expect(processesWith(dataDir)).toEqual([]);
    } finally {
      const { status, stdout, stderr } = await service.end();
      expect(status).toBe(0);
      expect(stdout + stderr).not.toContain(settings.SOLR_PASSWORD);
    }
    // It is another's: it lives on.
    expect(await names()).toContain("files");
  });

  it("may contain user and password, and reveals them to nobody", async () => {
    const { SOLR_URL = "", SOLR_USER = "", SOLR_PASSWORD = "" } = testSolrSettings();
    const [first = "", ...others] = SOLR_URL.split(",");
    const url = new URL(first);
    url.username = SOLR_USER;
    url.password = SOLR_PASSWORD;
    const { status, stdout, stderr } = await run(["index", "-"], {
      settings: {
        SOLR_URL: [url.href, ...others].join(","),
        SOLR_COLLECTION_PREFIX: prefix,
      },
    });
    expect(status, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(SOLR_PASSWORD);
  });

  async function bothCommands(settings: Record<string, string>): Promise<string[]> {
    const ended: Ended[] = [];
    for (const args of [["serve"], ["index", "-"]]) {
      ended.push(await run(args, { settings: { DATA_DIR: dataDir, ...settings } }));
    }
    return ended.map(({ status, stdout, stderr }) => {
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(existsSync(join(dataDir, "solr"))).toBe(false);
      return oneLine(stderr);
    });
  }

  it("is refused with the missing collection, and none is made", async () => {
    await rename("files", "away");
    try {
      for (const sentence of await bothCommands(testSolrSettings())) {
        expect(sentence).toContain("has no collection files;");
      }
      expect(await names()).toEqual(["away", "state"]);
    } finally {
      await rename("away", "files");
    }
    expect(await names()).toEqual(["files", "state"]);
  });

  it("is refused in one sentence if nothing listens there", async () => {
    const { port, server } = await occupied();
    server.close();
    for (const sentence of await bothCommands({ SOLR_URL: `http://127.0.0.1:${port}/solr` })) {
      expect(sentence).toMatch(
        new RegExp(
          `^Solr at http://127\\.0\\.0\\.1:${port}/solr cannot be reached; start it, or set SOLR_URL`,
        ),
      );
    }
  });

  it("is refused with a wrong password in one sentence that names SOLR_USER and SOLR_PASSWORD", async () => {
    const settings = { ...testSolrSettings(), SOLR_PASSWORD: "gu3ssed" };
    for (const sentence of await bothCommands(settings)) {
      expect(sentence).toMatch(/\(401\).*SOLR_USER and SOLR_PASSWORD/);
      expect(sentence).not.toContain("gu3ssed");
    }
  });
});
