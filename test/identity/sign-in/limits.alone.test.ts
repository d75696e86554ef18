/** Failed sign-ins are limited; nothing tells whether a name exists; nothing secret is logged. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { attempts, tried } from "../../support/run/trials.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { load, startService, testSolr } from "../../support/service/service.js";
import {
  addUser,
  bearer,
  PASSWORD,
  post,
  problem,
  refresh,
  signIn,
  status,
} from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

const service = useService({ trustProxy: 1 });

/** A new address for each test, as a proxy would tell it. */
const somewhere = (): Record<string, string> => {
  const byte = (): number => Math.floor(Math.random() * 256);
  return { "X-Forwarded-For": `6.6.6.6, 10.${byte()}.${byte()}.${byte()}` };
};

const attempt = (username: string, password: string, from = somewhere()): Promise<Response> =>
  post(service, { username, password }, from);

const fail = async (username: string, times: number, from?: Record<string, string>) => {
  for (let i = 0; i < times; i += 1) {
    expect((await attempt(username, "wrong", from)).status).toBe(401);
  }
};

describe("failed sign-ins", () => {
  it("are limited for one name at one address, with Retry-After, and nobody else is locked out", async () => {
    const from = somewhere();
    const { name } = await addUser(service.dataDir);
    const other = await addUser(service.dataDir);
    await fail(name, 10, from);
    const limited = await attempt(name, PASSWORD, from);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(200);
    expect(Number(limited.headers.get("retry-after"))).toBeLessThanOrEqual(300);
    expect((await problem(limited)).type).toMatch(/too-many-attempts$/);
    expect((await attempt(other.name, PASSWORD, from)).status).toBe(200);
    expect((await attempt(name, PASSWORD)).status).toBe(200);
  });

  it("are limited from one address over all names; successes do not count", async () => {
    const strict = await startService({
      dataDir: service.dataDir,
      trustProxy: 1,
      auth: { limits: { perUser: 10, perAddress: 5, window: 300 } },
    });
    const { name } = await addUser(service.dataDir);
    const from = somewhere();
    const sign = (username: string, password: string, where = from) =>
      post(strict, { username, password }, where);
    for (let i = 0; i < 8; i += 1) expect((await sign(name, PASSWORD)).status).toBe(200);
    for (let i = 0; i < 5; i += 1) expect((await sign(`nobody-${i}`, "x")).status).toBe(401);
    expect((await sign(name, PASSWORD)).status).toBe(429);
    expect((await sign(name, PASSWORD, somewhere())).status).toBe(200);
    await strict.close();
  });
});

describe("an unknown name", () => {
  it("takes as long as a wrong password", async () => {
    const { name } = await addUser(service.dataDir);
    const time = async (username: string): Promise<number> => {
      const start = performance.now();
      const response = await attempt(username, "wrong");
      await response.text();
      expect(response.status).toBe(401);
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    const pairs = attempts(9, 301);
    for (let i = 0; i < pairs; i += 1) {
      const [first, second] = i % 2 ? [known, unknown] : [unknown, known];
      for (const list of [first, second]) {
        list.push(await time(list === known ? name : `nobody-${crypto.randomUUID()}`));
      }
    }
    tried(2 * pairs);
    const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
    const ratio = median(known) / median(unknown);
    console.info(`a known name takes ${(100 * ratio - 100).toFixed(1)}% more than an unknown one`);
    // Of a few the median says little.
    const [least, most] = attempts<readonly [number, number]>([0.6, 1.6], [0.98, 1.02]);
    expect(ratio).toBeGreaterThan(least);
    expect(ratio).toBeLessThan(most);
  }, 300_000);
});

describe("a sign-in", () => {
  it("does not delay other requests", async () => {
    const { name } = await addUser(service.dataDir);
    const signing = Promise.all(Array.from({ length: 8 }, () => attempt(name, PASSWORD)));
    const waits: number[] = [];
    let done = false;
    void signing.then(() => {
      done = true;
    });
    while (!done) {
      const start = performance.now();
      await (await service.get("/ping")).text();
      waits.push(performance.now() - start);
    }
    for (const response of await signing) expect(response.status).toBe(200);
    // A hash takes tens of milliseconds; most answers must not wait for one.
    waits.sort((a, b) => a - b);
    expect(waits.length).toBeGreaterThan(20);
    expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(40);
  });
});

/** Every file below a folder, as text. */
async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  // Solr may remove a file of its index meanwhile.
  return Promise.all(files.map((file) => readFile(file, "latin1").catch(() => "")));
}

describe("a log", () => {
  it("has no secret, whatever goes wrong, nor has any file of the service or of Solr", async () => {
    const canary = `canary-${crypto.randomUUID()}`;
    const { name } = await addUser(service.dataDir);
    const token = await signIn(service, name);
    await attempt(name, canary);
    await attempt(canary, canary);
    await post(service, { refresh_token: `${canary}-refresh` });
    await post(service, { client_id: "x", client_secret: canary, username: "x", password: canary });
    await post(service, { username: name, password: canary, grant_type: canary });
    await status(service, `${canary}.x.y`);
    await service.get(`/auth/v2/status?access_token=${canary}`);
    await service.get(`/auth/v2/${canary.length}`, {
      headers: { Authorization: `Basic ${btoa(`x:${canary}`)}` },
    });
    await status(service, token.access_token);
    const second = await refresh(service, token.refresh_token);
    const { refresh_token: newest } = (await second.json()) as { refresh_token: string };
    await refresh(service, token.refresh_token);
    // What else a user does with a token, a client with its secret, and anybody with a ticket.
    await load(service.solr, [{ file: SAMPLE_FILE, project: ["secrets"] }]);
    const { access_token: access } = await signIn(service, name);
    const headers = { ...bearer(access).headers, "Content-Type": "application/json" };
    const call = (method: string, path: string, body: object) =>
      service.get(path, { method, headers, body: JSON.stringify(body) });
    const shared = await call("POST", "/data-portal/share-zarr", { uuid: datasetId(SAMPLE_FILE) });
    const { url } = (await shared.json()) as { url: string };
    const ticket = url.split("/share/")[1]?.split("/")[0] ?? "";
    expect(ticket.length).toBeGreaterThan(20);
    for (const key of ["/.zmetadata", "/tas/0.0.0", "", "/nothing", "%2f.."]) {
      await (await fetch(url + key)).arrayBuffer();
    }
    await call("DELETE", "/data-portal/share-zarr", { url });
    await (await fetch(`${url}/.zmetadata`)).arrayBuffer();
    await call("POST", "/databrowser/userdata", { user_metadata: [{ file: canary }] });
    await call("POST", "/databrowser/flavours", { flavour_name: canary, mapping: { x: canary } });
    await service.get(`/databrowser/load/native?project=secrets`, bearer(access));
    await service.get(`/databrowser/data-search/native/file?modle=${canary}&token=${canary}`);
    const clientSecret = (await service.auth.clients.add("secretive", true)) ?? "";
    expect(clientSecret.length).toBeGreaterThan(20);
    const basic = { Authorization: `Basic ${btoa(`secretive:${clientSecret}`)}` };
    await post(service, { token: access }, basic, "introspect");
    await post(service, { username: name, password: PASSWORD }, basic);
    await post(service, { token: newest }, {}, "revoke");
    await post(service, { token: access }, {}, "revoke");
    const secrets = [
      canary,
      PASSWORD,
      token.access_token,
      token.refresh_token,
      newest,
      access,
      ticket,
      clientSecret,
    ];
    // A token is as good as lost where its signature and half of it are.
    const parts = secrets.flatMap((secret) => [
      secret,
      ...(secret.length > 90 ? [secret.slice(-60)] : []),
    ]);
    tried(parts.length);
    const texts = await Promise.all([service.dataDir, ...testSolr().folders].map(textsBelow));
    const everything = [service.log.join(""), ...texts.flat()].join("\n");
    expect(everything).toContain("/auth/v2/token");
    for (const secret of parts) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString("base64"));
    }
    expect(service.log.length).toBeGreaterThan(10);
  });
});
