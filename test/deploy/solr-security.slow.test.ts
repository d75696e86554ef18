/** A SolrCloud with passwords behind TLS, as docs/deployment.md sets it up: what the service may, and what it says where that is wrong. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, type Server } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import type { Token } from "../../generated/schemas.js";
import { solrJars } from "../../src/index/embedded/download.js";
import { packagePath } from "../../src/platform/package-root.js";
import { run, Serving, type Settings } from "../cli/command.js";
import {
  type Authority,
  type Certificate,
  makeAuthority,
} from "../support/network/certificates.js";
import { freshFolder } from "../support/run/folders.js";
import { useCloud } from "../support/solr/use-cloud.js";

const PASSWORDS = { SOLR_PASSWORD: "of the service", SOLR_ADMIN_PASSWORD: "of the administrators" };
const SERVICE = { SOLR_USER: "climate", SOLR_PASSWORD: PASSWORDS.SOLR_PASSWORD };
const ADMIN = { SOLR_USER: "climate-admin", SOLR_PASSWORD: PASSWORDS.SOLR_ADMIN_PASSWORD };

let authority: Authority;
let stranger: Authority;
const cloud = useCloud({ nodes: 1 });
const servers: Server[] = [];
let right: Settings;

/** TLS before a node of Solr; gives the address. */
async function withTls({ certificate, key }: Certificate): Promise<string> {
  const port = Number(cloud.endpoint.urls[0].port);
  const options = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createServer(options, (socket) => {
    const solr = connect(port, "127.0.0.1");
    socket.pipe(solr).pipe(socket);
    socket.on("error", () => solr.destroy());
    solr.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return `https://localhost:${(server.address() as AddressInfo).port}/solr`;
}

/** Asks Solr itself. */
async function ask(path: string, { SOLR_USER, SOLR_PASSWORD }: Settings, body?: string) {
  const authorization = `Basic ${Buffer.from(`${SOLR_USER}:${SOLR_PASSWORD}`).toString("base64")}`;
  const response = await fetch(`${cloud.endpoint.urls[0].href}/${path}`, {
    headers: { authorization, "Content-Type": "application/json" },
    ...(body !== undefined && { method: "POST", body }),
  });
  await response.text();
  return response.status;
}

beforeAll(async () => {
  [authority, stranger] = await Promise.all([makeAuthority(), makeAuthority()]);
  const folder = freshFolder();
  const file = join(folder, "security.json");
  const env = { ...process.env, ...PASSWORDS };
  const printed = execFileSync(process.execPath, [packagePath("deploy", "solr-security.mjs")], {
    env,
  });
  await writeFile(file, printed);
  // What `bin/solr zk cp` does.
  const zooKeeper = `127.0.0.1:${cloud.zooKeeper.port}`;
  const words = ["-zkhost", zooKeeper, "-cmd", "putfile", "/security.json", file];
  const logging = `-Dlog4j.configurationFile=${packagePath("solr", "log4j2.xml")}`;
  execFileSync(
    "java",
    [
      logging,
      `-Dsolr.log.dir=${folder}`,
      "-Xmx64m",
      "-cp",
      join(solrJars(), "*"),
      "org.apache.solr.cloud.ZkCLI",
      ...words,
    ],
    { stdio: "pipe" },
  );
  for (let tries = 0; (await ask("admin/info/system", SERVICE)) !== 403; tries += 1) {
    if (tries > 100) throw new Error("security.json has no effect");
    await sleep(100);
  }
  const address = await withTls(await authority.sign("localhost"));
  right = {
    SOLR_URL: address,
    NODE_EXTRA_CA_CERTS: authority.certificate,
    DATA_DIR: freshFolder(),
  };
});
afterAll(async () => {
  for (const server of servers) server.close();
});

describe("the account for administrators", () => {
  it("makes the collections, which the service's account may not", async () => {
    const setup = ["solr", "setup", "--shards", "2", "--replicas", "1"];
    const refused = await run(setup, { settings: { ...right, ...SERVICE } });
    expect(refused.status).toBe(1);
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
    expect(refused.stderr).toMatch(/admin API/);
    const made = await run(setup, { settings: { ...right, ...ADMIN } });
    expect(made.status, made.stderr).toBe(0);
  });
});

describe("the service's account", () => {
  it("is sufficient for all that the service does", async () => {
    const settings = { ...right, ...SERVICE };
    const loaded = await run(["index", packagePath("data", "catalogue.jsonl")], { settings });
    expect(loaded.status, loaded.stderr).toBe(0);
    const serving = await Serving.start(settings);
    try {
      const get = async (path: string, init?: RequestInit): Promise<string> => {
        const response = await fetch(serving.address + PREFIX + path, init);
        const text = await response.text();
        expect(response.ok, `${path} ${response.status} ${text}\n${serving.output}`).toBe(true);
        return text;
      };
      await get("/ready");
      const query = "source_id=MPI-ESM1-2-LR&variable_id=tas";
      const facets = await get(
        `/databrowser/metadata-search/cmip6/file?${query}&facets=experiment_id`,
      );
      const count = (JSON.parse(facets) as { total_count: number }).total_count;
      expect(count).toBeGreaterThan(3);
      const list = await get(`/databrowser/data-search/cmip6/file?${query}`);
      expect(list.split("\n")).toHaveLength(count + 1);
      await get(`/databrowser/intake-catalogue/cmip6/file?${query}`);
      await get(`/databrowser/stac-catalogue/cmip6/file?${query}`);
      const password = /username demo, password (\S+)/.exec(serving.output)?.[1] ?? "";
      const form = new URLSearchParams({ username: "demo", password });
      const token = JSON.parse(
        await get("/auth/v2/token", { method: "POST", body: form }),
      ) as Token;
      const headers = {
        authorization: `Bearer ${token.access_token}`,
        "Content-Type": "application/json",
      };
      const again = new URLSearchParams({ refresh_token: token.refresh_token });
      await get("/auth/v2/token", { method: "POST", body: again });
      const entry = { file: "/elsewhere/a.nc", variable: "tas", time: "fx", time_frequency: "fx" };
      const body = JSON.stringify({ user_metadata: [entry] });
      await get("/databrowser/userdata", { method: "POST", headers, body });
      expect(await get("/databrowser/data-search/user/file?file=/elsewhere/*")).toContain("a.nc");
      await get("/databrowser/userdata", {
        method: "DELETE",
        headers,
        body: JSON.stringify({ file: "/elsewhere/a.nc" }),
      });
    } finally {
      await serving.end();
    }
  });

  it("may change no collections, configsets, schemas or permissions", async () => {
    for (const [path, body] of [
      ["admin/collections?action=DELETE&name=files_3"],
      ["admin/collections?action=BACKUP&name=b&collection=files_3&location=/tmp"],
      ["admin/cores?action=UNLOAD&core=files_3_shard1_replica_n1"],
      ["admin/configs?action=DELETE&name=climate-nextgen"],
      ["files_3/schema", '{"delete-field":{"name":"time"}}'],
      ["files_3/config", '{"set-property":{"updateHandler.autoCommit.maxTime":1}}'],
      ["admin/authentication", '{"set-user":{"climate":"mine"}}'],
      ["admin/authorization", '{"set-user-role":{"climate":["admin"]}}'],
      ["admin/info/properties"],
      ["admin/zookeeper?path=/security.json&detail=true"],
    ] as const) {
      expect(await ask(path, SERVICE, body), path).toBe(403);
    }
  });

  it("is the only one: nobody else finds or writes anything", async () => {
    for (const wrong of [
      { SOLR_USER: "climate", SOLR_PASSWORD: "guess" },
      { SOLR_USER: "", SOLR_PASSWORD: "" },
    ]) {
      expect(await ask("files/select?q=*:*", wrong)).toBe(401);
      expect(await ask("files/update?commit=true", wrong, "[]")).toBe(401);
    }
  });
});

describe("a wrong setting", () => {
  const refusal = async (settings: Settings): Promise<string> => {
    const commands = [["serve"], ["solr", "setup"]];
    const ended = await Promise.all(commands.map((command) => run(command, { settings })));
    const said = ended.map(({ status, stderr }) => {
      expect(status, stderr).toBe(1);
      const lines = stderr.trim().split("\n");
      expect(lines, stderr).toHaveLength(1);
      return lines[0] ?? "";
    });
    for (const line of said) expect(line).not.toContain(PASSWORDS.SOLR_PASSWORD);
    return said.join("\n");
  };
  const twice = (text: RegExp) => new RegExp(`${text.source}[\\s\\S]*${text.source}`);

  it("is reported in one sentence: an authority that is not trusted", async () => {
    const { SOLR_URL = "", DATA_DIR = "" } = right;
    const settings = { SOLR_URL, DATA_DIR, ...SERVICE };
    expect(await refusal(settings)).toMatch(twice(/not trusted; set NODE_EXTRA_CA_CERTS/));
    const other = { ...settings, NODE_EXTRA_CA_CERTS: stranger.certificate };
    expect(await refusal(other)).toMatch(twice(/not trusted; set NODE_EXTRA_CA_CERTS/));
  });

  it("is reported in one sentence: a certificate that has expired, or is for another name", async () => {
    const expired = await withTls(await authority.sign("localhost", -1));
    const settings = { ...right, ...SERVICE };
    expect(await refusal({ ...settings, SOLR_URL: expired })).toMatch(twice(/has expired/));
    const other = await withTls(await authority.sign("localhost"));
    const byName = other.replace("localhost", "[::ffff:127.0.0.1]");
    expect(await refusal({ ...settings, SOLR_URL: byName })).toMatch(twice(/for another name/));
  });

  it("is reported in one sentence: a wrong password, and http instead of TLS", async () => {
    const settings = { ...right, ...SERVICE, SOLR_PASSWORD: "guess" };
    expect(await refusal(settings)).toMatch(/refuses access[\s\S]*refuses this user access to/);
    const plain = cloud.endpoint.urls[0].href.replace("http:", "https:");
    expect(await refusal({ ...settings, SOLR_URL: plain })).toMatch(twice(/does not use TLS/));
  });
});
