/** `serve` with its own Solr: one data folder's life, from the first start to a kill. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { javaOf, oneLine, processesWith, run, Serving } from "../command.js";

/** Documents of the sample catalogue that are no user's own, which the native flavour leaves out. */
const { SAMPLE, ALL } = (() => {
  const documents = sampleDocuments<{ user?: string }>();
  const shared = documents.filter(({ user }) => user === undefined);
  return { SAMPLE: shared.length, ALL: documents.length };
})();
/** The longest that a start may take on a busy machine. */
const PATIENCE = { timeout: 120_000 };

const folder = freshFolder();
let dataDir: string;
let running: Serving | undefined;
/** All that any of the processes printed. */
let printed = "";

beforeAll(async () => {
  dataDir = join(folder, "var");
});
afterAll(async () => {
  await running?.end("SIGKILL");
  await vi.waitFor(() => expect(javaOf(dataDir)).toEqual([]), { timeout: 30_000 });
});

const settings = (more: Record<string, string> = {}) => ({ DATA_DIR: dataDir, ...more });

async function start(more: Record<string, string> = {}): Promise<Serving> {
  running = await Serving.start(settings(more));
  return running;
}

async function end(signal: NodeJS.Signals) {
  if (running === undefined) throw new Error("no service runs");
  const ended = await running.end(signal);
  printed += ended.stdout + ended.stderr;
  running = undefined;
  return ended;
}

function service(): Serving {
  if (running === undefined) throw new Error("no service runs");
  return running;
}

const password = (): string => readFileSync(join(dataDir, "solr", "password"), "utf8").trim();

const solrAddress = (): string =>
  JSON.parse(readFileSync(join(dataDir, "solr", "endpoint.json"), "utf8")).url;

/** What must be gone when no service runs on the data folder. */
async function expectNothingLeft(): Promise<void> {
  expect(javaOf(dataDir)).toEqual([]);
  expect(processesWith(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, "solr", "endpoint.json"))).toBe(false);
  expect(await readdir(join(dataDir, "service.lock"))).toEqual([]);
}

async function putCatalogue(name: string, files: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, files.map((file) => `${JSON.stringify({ file })}\n`).join(""));
  return path;
}

describe("a first start", () => {
  it(
    "reports each step and the addresses, and ends its set-up with the one it listens on",
    PATIENCE,
    async () => {
      const { output, address } = await start();
      expect(output).toMatch(/^Starting Apache Solr\.?$/m);
      expect(output).toMatch(/^Loading the sample catalogue/m);
      expect(output).toMatch(new RegExp(`^Indexing: ${ALL} documents in [\\d.]+ s`, "m"));
      expect(output).toMatch(new RegExp(`^API +${address}/api/climate-nextgen$`, "m"));
      expect(output).toMatch(new RegExp(`^Swagger UI +${address}/docs$`, "m"));
      expect(output).toMatch(
        /^Rights +FILE_RIGHTS=service: every user with a valid token reads all/m,
      );
      expect(output.split("FILE_RIGHTS=service")).toHaveLength(2);
      expect(output).not.toMatch(/refused|error|warn/i);
      const stdout = output.split("\n").filter((line) => !line.startsWith("{"));
      expect(stdout).toContain(`Listening on ${address}`);
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    },
  );

  it("prints a curl line that returns data", () => {
    const line = /^Try +(curl .*)$/m.exec(service().output)?.[1] ?? "";
    const { status, stdout } = spawnSync("/bin/sh", ["-c", `${line} --silent --fail`], {
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const files = stdout.trim().split("\n");
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(file).toMatch(/historical.*tas/);
  });

  it("loads the sample catalogue with the paths of the package", async () => {
    const files = await service().list();
    expect(files).toHaveLength(SAMPLE);
    expect(files.some((file) => file.startsWith("/") && existsSync(file))).toBe(true);
    expect(files.filter((file) => file.startsWith("files/"))).toEqual([]);
  });

  it("answers at every address", async () => {
    const { address } = service();
    const prefix = "/api/climate-nextgen";
    const addresses: [string, RegExp][] = [
      ["/", /text\/html/],
      ["/docs", /text\/html/],
      [prefix, /json/],
      [`${prefix}/`, /json/],
      ["/openapi.json", /json/],
      ["/openapi.yaml", /yaml/],
      [`${prefix}/ping`, /json|text/],
      [`${prefix}/ready`, /json|text/],
      [`${prefix}/status`, /json/],
      [`${prefix}/databrowser/overview`, /json/],
      [`${prefix}/databrowser/metadata-search/cmip6/file?facets=*`, /json/],
      [`${prefix}/databrowser/data-search/cmip6/uri`, /text\/plain/],
    ];
    for (const [path, type] of addresses) {
      const response = await fetch(address + path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get("content-type"), path).toMatch(type);
      expect((await response.text()).length, path).toBeGreaterThan(1);
    }
    const index = (await (await fetch(`${address}${prefix}`)).json()) as Record<string, string>;
    const { title, ...links } = index;
    expect(Object.keys(links).length).toBeGreaterThan(2);
    for (const link of Object.values(links)) expect((await fetch(link)).status, link).toBe(200);
    const docs = await (await fetch(`${address}/docs`)).text();
    const assets = [...docs.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, asset]) => asset ?? "");
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const url = new URL(asset, `${address}/docs`);
      expect(url.origin, "the page loads nothing from elsewhere").toBe(address);
      expect((await fetch(url)).status, asset).toBe(200);
    }
  });
});

describe("the embedded Solr", () => {
  it("listens on the loopback address and refuses a missing or wrong password", async () => {
    const solr = solrAddress();
    expect(new URL(solr).hostname).toBe("127.0.0.1");
    const tries = ["", `Basic ${Buffer.from("climate-nextgen:guess").toString("base64")}`];
    for (const authorization of tries) {
      const headers = {
        "Content-Type": "application/json",
        ...(authorization && { authorization }),
      };
      for (const path of [
        "files/select?q=*:*",
        "files/export?q=*:*&fl=file&sort=file%20asc",
        "admin/cores",
        "admin/info/system",
      ]) {
        expect((await fetch(`${solr}/${path}`, { headers })).status, path).toBe(401);
      }
      const update = { method: "POST", headers, body: '{"delete":{"query":"*:*"}}' };
      expect((await fetch(`${solr}/files/update?commit=true`, update)).status).toBe(401);
    }
    expect(await service().list()).toHaveLength(SAMPLE);
  });

  it("keeps its password in a file that only its owner can read", () => {
    expect(password()).toMatch(/^[\w-]{32,}$/);
    for (const path of [
      ["solr", "password"],
      ["solr", "home", "security.json"],
      ["solr", "endpoint.json"],
    ]) {
      expect(statSync(join(dataDir, ...path)).mode & 0o777, path.join("/")).toBe(0o600);
    }
    for (const path of ["", "solr", "solr/home", "solr/logs"]) {
      expect(statSync(join(dataDir, path)).mode & 0o077, path).toBe(0);
    }
  });
});

describe("the doctor", () => {
  it("finds the service and its Solr healthy, disturbs nothing and shows no password", async () => {
    const [java] = javaOf(dataDir);
    const host = ["--host", service().address];
    const seen = await run(["doctor", "--service", ...host], { settings: settings() });
    expect(seen.stderr).toBe("");
    expect(seen.stdout).toMatch(/^ok {7}search +\d+ entries can be searched/m);
    expect(seen.stdout).toMatch(/^ok {7}keys +Tokens can be signed\.\n.*1 key in files/m);
    expect(seen.stdout).toMatch(/^\d+ checks: 0 failed, 0 with warnings\.$/m);
    expect(seen.stdout).not.toContain(password());
    expect(seen.status).toBe(0);
    expect(javaOf(dataDir)).toEqual([java]);
  });
});

describe("a second service", () => {
  it("is refused on the same data folder in one sentence, and the first one goes on", async () => {
    const second = await run(["serve"], { settings: settings() });
    expect(second.status).toBe(1);
    expect(second.stdout).toBe("");
    expect(oneLine(second.stderr)).toBe(
      `Another climate-nextgen (process ${service().pid}) already uses the data folder ${dataDir}; stop it or set DATA_DIR to another folder.`,
    );
    expect((await service().get("/ready")).status).toBe(200);
    expect(javaOf(dataDir)).toHaveLength(1);
  });

  it("is refused on the same port in one sentence, at once, and changes nothing", async () => {
    const other = join(folder, "other");
    const { port } = new URL(service().address);
    const second = await run(["serve"], { settings: { DATA_DIR: other, PORT: port } });
    expect(second.status).toBe(1);
    expect(second.stdout).toBe("");
    expect(oneLine(second.stderr)).toContain(`Port ${port} `);
    expectBelow(second.milliseconds, 15_000);
    expect(existsSync(other)).toBe(false);
  });
});

describe("index beside a running service", () => {
  it("finds its Solr by DATA_DIR, and the next search shows the documents", async () => {
    const path = await putCatalogue("beside.jsonl", ["/beside/1.nc", "/beside/2.nc"]);
    const counted = await service().get("/databrowser/metadata-search/native/file?file=/beside/*");
    expect(await counted.json()).toMatchObject({ total_count: 0 });
    const { status, stdout, stderr } = await run(["index", path], { settings: settings() });
    printed += stdout + stderr;
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^Indexing: 2 documents/m);
    expect(stderr).not.toMatch(/Starting/);
    expect(await service().list("&file=/beside/*")).toEqual(["/beside/2.nc", "/beside/1.nc"]);
    const again = await service().get("/databrowser/metadata-search/native/file?file=/beside/*");
    expect(await again.json()).toMatchObject({ total_count: 2 });
    expect(javaOf(dataDir)).toHaveLength(1);
  });
});

describe("a Solr that is killed", () => {
  it("gives 503 with Retry-After, and recovers by itself with all data", PATIENCE, async () => {
    const [java = 0] = javaOf(dataDir);
    const address = solrAddress();
    process.kill(java, "SIGKILL");
    const search = "/databrowser/data-search/native/file?multi-version=true";
    await expect.poll(async () => (await service().get(search)).status).toBe(503);
    for (const path of [search, "/databrowser/metadata-search/native/file", "/ready"]) {
      const response = await service().get(path);
      if (response.status === 200) continue;
      expect(response.status, path).toBe(503);
      expect(Number(response.headers.get("retry-after")), path).toBeGreaterThan(0);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.text()).not.toMatch(/ECONN|127\.0\.0\.1|fetch/);
    }
    expect((await service().get("/ping")).status).toBe(200);
    await expect
      .poll(async () => (await service().get(search)).status, { timeout: 60_000 })
      .toBe(200);
    expect(await service().list()).toHaveLength(SAMPLE + 2);
    expect(javaOf(dataDir)).toHaveLength(1);
    expect(javaOf(dataDir)).not.toContain(java);
    expect(solrAddress()).toBe(address);
  });
});

describe("SIGTERM", () => {
  it("stops service and Solr with status 0 and leaves nothing behind", PATIENCE, async () => {
    const { address } = service();
    const { status, signal, stdout, milliseconds } = await end("SIGTERM");
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    expect(stdout).toMatch(/^Stopping$/m);
    expect(milliseconds).toBeLessThan(20_000);
    await expectNothingLeft();
    await expect(fetch(address)).rejects.toThrow();
  });

  it("stops a service during its set-up as well", PATIENCE, async () => {
    running = await Serving.start(settings(), /^Starting Apache Solr/m);
    await expect.poll(() => javaOf(dataDir)).toHaveLength(1);
    const { status, stdout, milliseconds } = await end("SIGTERM");
    expect(stdout).not.toMatch(/Listening/);
    expect(milliseconds).toBeLessThan(25_000);
    await expect.poll(() => javaOf(dataDir), { timeout: 30_000 }).toEqual([]);
    // 1: Solr took so long to come up that it was left to end by itself.
    if (status !== 1) expect(status).toBe(0);
  });
});

describe("a second start", () => {
  it(
    "loads nothing again and has the same data, with addresses of BASE_URL",
    PATIENCE,
    async () => {
      const { output, startMs, address } = await start({
        BASE_URL: "https://data.example.org/climate/",
        SOLR_HEAP: "512m",
      });
      expect(output).not.toMatch(/Loading|Indexing|Fetching|Waiting/);
      expect(startMs).toBeLessThan(60_000);
      expect(await service().list()).toHaveLength(SAMPLE + 2);
      expect(output).toMatch(/^API +https:\/\/data\.example\.org\/climate\/api\/climate-nextgen$/m);
      expect(output).toMatch(/^Swagger UI +https:\/\/data\.example\.org\/climate\/docs$/m);
      expect(output).toContain(`curl '${address}/`);
      expect(processesWith(`-Dsolr.log.dir=${dataDir}`)[0]?.args).toContain("-Xmx512m");
    },
  );
});

describe("a killed service", () => {
  it("can be started again right away, with its data", PATIENCE, async () => {
    const before = javaOf(dataDir);
    expect(before).toHaveLength(1);
    await end("SIGKILL");
    await start();
    expect(await service().list()).toHaveLength(SAMPLE + 2);
    expect(javaOf(dataDir)).toHaveLength(1);
    expect(javaOf(dataDir)).not.toEqual(before);
  });

  it("ends with its Solr within seconds", PATIENCE, async () => {
    await end("SIGKILL");
    await expect.poll(() => processesWith(dataDir), { timeout: 30_000 }).toEqual([]);
  });
});

describe("index without a running service", () => {
  it("starts Solr for the time of the load, and stops it", PATIENCE, async () => {
    const path = await putCatalogue("alone.jsonl", ["/alone/1.nc"]);
    const { status, stdout, stderr } = await run(["index", path], { settings: settings() });
    printed += stdout + stderr;
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^Starting Apache Solr/m);
    expect(stderr).toMatch(/^Indexing: 1 document in/m);
    expect(stdout).toBe("");
    await expectNothingLeft();
  });
});

describe("SIGINT", () => {
  it("stops service and Solr with status 0 and leaves nothing behind", PATIENCE, async () => {
    await start({ LOG_LEVEL: "trace" });
    expect(await service().list()).toHaveLength(SAMPLE + 3);
    expect(await service().list("&file=/alone/*")).toEqual(["/alone/1.nc"]);
    const secret = password();
    for (const { args, environment } of processesWith(dataDir)) {
      expect(args).not.toContain(secret);
      expect(environment).not.toContain(secret);
    }
    const { status, signal } = await end("SIGINT");
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    await expectNothingLeft();
  });
});

describe("the password", () => {
  it("is in its own file, and in nothing that was printed or written in all these tests", () => {
    const secret = password();
    const basic = Buffer.from(`climate-nextgen:${secret}`).toString("base64");
    expect(printed).toContain("Listening on");
    expect(printed.includes(secret) || printed.includes(basic)).toBe(false);
    const holders = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) => {
      const path = join(dataDir, name);
      if (!statSync(path).isFile()) return false;
      const text = readFileSync(path, "latin1");
      return text.includes(secret) || text.includes(basic);
    });
    expect(holders).toEqual([join("solr", "password")]);
  });
});
