/** A release as `npm run release` makes it, and its package installed in a folder that has nothing of the repository. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../../generated/schemas.js";
import { jarsVersion } from "../../../src/index/embedded/artifacts.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../../support/run/folders.js";
import { build, javaOf, processesWith } from "../command.js";

const execute = promisify(execFile);

/** Of a CycloneDX document what is looked at here. */
interface Component {
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  /** Of what is within files of the page, rather than beside it. */
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}
interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: string[] }[];
}

const release = freshFolder();
const folder = freshFolder();
let env: Record<string, string>;
let npx: ChildProcess | undefined;
const { version: VERSION } = JSON.parse(await readFile(packagePath("package.json"), "utf8"));
const PACKAGE = `climate-nextgen-${VERSION}`;
const installed = () => join(folder, "node_modules", "climate-nextgen");
const dataDir = () => join(folder, "var");

beforeAll(async () => {
  build();
  const home = freshFolder();
  env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
  };
  // Solr's jars are those of this clone: they are fetched by Maven otherwise, which other tests try.
  await mkdir(join(home, "climate-nextgen"));
  const jars = join(home, "climate-nextgen", `solr-${jarsVersion().slice(0, 12)}`);
  await symlink(packagePath("solr", "target"), jars);
  const npm = (cwd: string, ...args: string[]) =>
    execute("npm", [...args, "--loglevel=error"], { cwd, maxBuffer: 16 << 20 });
  const script = packagePath("scripts", "release.mjs");
  await execute(process.execPath, [script, "--as-compiled", release], { cwd: home });
  const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(folder, "install", ...options, join(release, `${PACKAGE}.tgz`));
}, 300_000);
afterAll(async () => {
  npx?.kill("SIGKILL");
  for (const { pid } of services()) process.kill(pid, "SIGKILL");
});

const services = () =>
  processesWith("climate-nextgen").filter(
    ({ environment, args }) => environment.includes(dataDir()) && / serve/.test(args),
  );

const settings = () => ({ DATA_DIR: dataDir(), SOLR_HEAP: "256m" });

const command = (...args: string[]) =>
  execute("npx", ["--no-install", "climate-nextgen", ...args], {
    cwd: folder,
    env: { ...env, ...settings() },
  });

const sbom = async (): Promise<Sbom> =>
  JSON.parse(await readFile(join(release, `${PACKAGE}.cdx.json`), "utf8"));

describe("a release", () => {
  it("has the hashes of its files", async () => {
    const lines = (await readFile(join(release, "SHA256SUMS"), "utf8")).trim().split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const [hash, name = ""] = line.split("  ");
      const bytes = await readFile(join(release, name));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
    }
  });

  it("lists its parts as CycloneDX: each once, with its hash and its dependencies", async () => {
    const { bomFormat, specVersion, metadata, components, dependencies } = await sbom();
    expect([bomFormat, specVersion]).toEqual(["CycloneDX", "1.6"]);
    const root = metadata.component["bom-ref"];
    expect(root).toBe(`pkg:npm/climate-nextgen@${VERSION}`);
    const refs = [root, ...components.map((component) => component["bom-ref"])];
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
    const needed = dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
    expect(new Set(needed)).toEqual(new Set(refs.slice(1)));
    for (const { purl, version, hashes } of components) {
      expect(purl).toMatch(/^pkg:(?:npm|maven)\/[\w.%/-]+@[\w.-]+(?:\?classifier=[\w-]+)?$/);
      expect(purl).toContain(`@${version}`);
      const [hash] = hashes;
      const digits = { "SHA-512": 128, "SHA-256": 64 }[hash?.alg ?? ""];
      expect(hash?.content, purl).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`));
    }
  });

  it("lists every direct dependency, and every jar of Solr with its recorded hash", async () => {
    const { components } = await sbom();
    const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name));
    const { dependencies } = JSON.parse(await readFile(packagePath("package.json"), "utf8"));
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    const recorded = await readFile(packagePath("solr", "artifacts.sha256"), "utf8");
    const jars = components.filter(({ purl }) => purl.startsWith("pkg:maven/"));
    expect(jars.map(({ hashes }) => hashes[0]?.content).sort()).toEqual(
      recorded.match(/^[0-9a-f]{64}/gm)?.sort(),
    );
    for (const { name, version, hashes } of jars) {
      expect(recorded).toContain(`${hashes[0]?.content}  ${name}-${version}`);
    }
  });

  it("has no path of a machine, no registry and no time in the list, which is the same each time", async () => {
    const text = await readFile(join(release, `${PACKAGE}.cdx.json`), "utf8");
    const { makeSbom } = await import(packagePath("scripts", "sbom.mjs"));
    expect(makeSbom(packagePath())).toBe(text);
    for (const told of [packagePath(), release, "registry", "timestamp", "serialNumber"]) {
      expect(text).not.toContain(told);
    }
  });
});

describe("the package outside of a clone", () => {
  it("has the command with its help, and the version of the package", async () => {
    expect((await command("--help")).stdout).toMatch(/^Usage: climate-nextgen/);
    expect((await command("--version")).stdout).toBe(`${VERSION}\n`);
  });

  it("runs on the versions that are listed", async () => {
    const { components } = await sbom();
    const { stdout } = await execute("npm", ["ls", "--all", "--parseable", "--long"], {
      cwd: folder,
    });
    const found = [...stdout.matchAll(/:((?:@[\w.-]+\/)?[\w.-]+)@(\d[\w.-]*)/g)]
      .map(([, name, version]) => `${name}@${version}`)
      .filter((one) => one !== `climate-nextgen@${VERSION}`);
    const withIt = components.filter(({ properties }) => properties === undefined);
    expect(withIt.length).toBeLessThan(components.length);
    const listed = withIt.flatMap(({ group, name, version, purl }) =>
      purl.startsWith("pkg:npm/") ? `${group ? `${group}/` : ""}${name}@${version}` : [],
    );
    expect(found).toEqual(expect.arrayContaining(listed));
    // The plugins name the h5wasm that they were tried with, which npm adds, and nothing loads.
    expect(found.filter((one) => !listed.includes(one) && !/^h5wasm@0\.8\./.test(one))).toEqual([]);
  });

  it("has the files that its texts link to", async () => {
    const texts = ["README.md", "SECURITY.md", "CHANGELOG.md"].concat(
      (await readdir(join(installed(), "docs")))
        .filter((name) => name.endsWith(".md"))
        .map((name) => join("docs", name)),
    );
    // What is said of measuring and of working on it is for those who have the repository.
    const ofTheRepository = /^(?:test|bench|sdk|src)\/|^CONTRIBUTING\.md$/;
    const missing: string[] = [];
    for (const text of texts) {
      const links = (await readFile(join(installed(), text), "utf8")).matchAll(
        /\]\((?![a-z]+:|#)([^)#\s]+)/g,
      );
      for (const [, link = ""] of links) {
        const path = join(dirname(text), link);
        if (!ofTheRepository.test(path) && !existsSync(join(installed(), path))) {
          missing.push(`${text}: ${link}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });

  it("has the library for programs", async () => {
    const code =
      'import("climate-nextgen").then((all) => console.log(Object.keys(all).sort().join()))';
    const { stdout } = await execute(process.execPath, ["-e", code], { cwd: folder, env });
    expect(stdout.trim()).toBe(
      "AuthenticationError,UserDataError,addUserData,authenticate,deleteUserData",
    );
  });

  it("knows the standards of archives", async () => {
    const sample = join(installed(), "data", "files", "CMIP6", "CMIP");
    const { stdout } = await command("user-data", "add", "--dry-run", sample);
    const [first = "{}"] = stdout.split("\n");
    expect(JSON.parse(first)).toMatchObject({ project: "CMIP6", model: "MPI-ESM1-2-LR" });
  });

  it("serves, searches, reads, indexes, crawls and checks data, writes nothing into itself, and ends with npx", async () => {
    const before = await readdir(installed(), { recursive: true });
    npx = spawn("npx", ["--no-install", "climate-nextgen", "serve"], {
      cwd: folder,
      env: { ...env, ...settings(), PORT: "0", WORKERS: "2" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    npx.stderr?.on("data", (piece) => {
      output += piece;
    });
    const address = await new Promise<string>((resolve, reject) => {
      npx?.stdout?.on("data", (piece) => {
        output += piece;
        const found = /^Listening on (\S+)$/m.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      npx?.once("close", () => reject(new Error(`The service ended:\n${output}`)));
    });
    const api = `${address}/api/climate-nextgen`;
    const get = async (path: string, init?: RequestInit) => {
      const response = await fetch(path.startsWith("http") ? path : api + path, init);
      expect(response.status, `${path} ${output}`).toBe(200);
      return response.text();
    };
    const query = "source_id=MPI-ESM1-2-LR&variable_id=tas&dataset=sample";
    const files = await get(`/databrowser/data-search/cmip6/file?${query}`);
    expect(files).toContain(installed());
    const password = /username demo, password (\S+)/.exec(output)?.[1] ?? "";
    const form = new URLSearchParams({ username: "demo", password });
    const token = await get("/auth/v2/token", { method: "POST", body: form });
    const authorization = `Bearer ${(JSON.parse(token) as Token).access_token}`;
    const headers = { authorization };
    const [stream = ""] = (await get(`/databrowser/load/cmip6?${query}`, { headers })).split("\n");
    expect(await get(`${stream}/.zmetadata`, { headers })).toContain("tas/.zarray");
    const docs = await get(`${address}/docs`);
    const assets = [...docs.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, asset]) => asset ?? "");
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) await get(new URL(asset, `${address}/docs`).href);

    const line = JSON.stringify({ file: "/elsewhere/a.nc", project: "packed", variable: "tas" });
    await writeFile(join(folder, "more.jsonl"), `${line}\n`);
    await command("index", "more.jsonl");
    const tree = join("CMIP6", "CMIP", "MPI-M", "MPI-ESM1-2-LR", "historical", "r1i1p1f1", "fx");
    await cp(join(installed(), "data", "files", tree), join(folder, "pool", tree), {
      recursive: true,
      preserveTimestamps: true,
    });
    const pool = join(folder, "pool", "CMIP6");
    await command("crawl", "--min-age", "0", "--drs", "cmip6", pool);
    const all = "/databrowser/data-search/native/file?file=";
    expect(await get(`${all}/elsewhere/a.nc`)).toBe("/elsewhere/a.nc\n");
    expect((await get(`${all}${pool}/*`)).split("\n")).toHaveLength(3);
    const { stdout } = await command("doctor", "--headers", pool);
    expect(stdout).toMatch(/2 files .*: nothing is wrong/);

    npx.kill("SIGTERM");
    await expect.poll(services, { timeout: 30_000 }).toEqual([]);
    await expect.poll(() => javaOf(dataDir()), { timeout: 30_000 }).toEqual([]);
    expect((await readdir(installed(), { recursive: true })).sort()).toEqual(before.sort());
  }, 300_000);
});
