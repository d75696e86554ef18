/** The package as `npm pack` makes it, installed in a folder that has nothing of the repository. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../generated/schemas.js";
import { packagePath } from "../../src/package-root.js";
import { jarsVersion } from "../../src/solr/embedded/jar-folder.js";
import { build, freshFolder, javaOf, processesWith, removeFolders } from "./command.js";

const execute = promisify(execFile);

let folder: string;
let env: Record<string, string>;
let npx: ChildProcess | undefined;
const installed = () => join(folder, "node_modules", "climate-nextgen");
const dataDir = () => join(folder, "var");

beforeAll(async () => {
  build();
  folder = await freshFolder();
  const home = await freshFolder();
  env = {
    ...{ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
    ...{ XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home },
  };
  // Solr's jars are those of this clone: they are fetched by Maven otherwise, which other tests try.
  await mkdir(join(home, "climate-nextgen"));
  const jars = join(home, "climate-nextgen", `solr-${jarsVersion().slice(0, 12)}`);
  await symlink(packagePath("solr", "target"), jars);
  const npm = (cwd: string, ...args: string[]) =>
    execute("npm", [...args, "--loglevel=error"], { cwd, maxBuffer: 16 << 20 });
  const packed = await npm(packagePath(), "pack", "--json", "--pack-destination", folder);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(folder, "install", ...options, `./${filename}`);
}, 300_000);
afterAll(async () => {
  npx?.kill("SIGKILL");
  for (const { pid } of services()) process.kill(pid, "SIGKILL");
  await removeFolders();
});

const services = () =>
  processesWith("climate-nextgen").filter(
    ({ environment, args }) => environment.includes(dataDir()) && / serve/.test(args),
  );

const command = (...args: string[]) =>
  execute("npx", ["--no-install", "climate-nextgen", ...args], { cwd: folder, env });

describe("the package outside of a clone", () => {
  it("has the command with its help, and the version of the package", async () => {
    expect((await command("--help")).stdout).toMatch(/^Usage: climate-nextgen/);
    const { version } = JSON.parse(await readFile(packagePath("package.json"), "utf8"));
    expect((await command("--version")).stdout).toBe(`${version}\n`);
  }, 60_000);

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
  }, 60_000);

  it("serves, searches and reads data, writes nothing into itself, and ends with npx", async () => {
    const before = await readdir(installed(), { recursive: true });
    npx = spawn("npx", ["--no-install", "climate-nextgen", "serve"], {
      cwd: folder,
      env: { ...env, DATA_DIR: dataDir(), PORT: "0" },
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
    npx.kill("SIGTERM");
    await expect.poll(services, { timeout: 30_000 }).toEqual([]);
    await expect.poll(() => javaOf(dataDir()), { timeout: 30_000 }).toEqual([]);
    expect((await readdir(installed(), { recursive: true })).sort()).toEqual(before.sort());
  }, 120_000);
});
