/** Behind nginx, Apache and Caddy, each with the configuration that is shipped: TLS, a path, two instances. */
import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import { makeAuthority } from "../support/network/certificates.js";
import { get1, get2, type Sent } from "../support/network/tls-client.js";
import { findChromium, startBrowser } from "../support/page/browser.js";
import {
  findProxies,
  PROXIES,
  type ProxyName,
  proxyPorts,
  type RunningProxy,
  startProxy,
} from "../support/programs/proxies.js";
import { freshFolder } from "../support/run/folders.js";
import { use } from "../support/run/use.js";
import { SAMPLE_FILE } from "../support/service/sample.js";
import { emptyIndex, load, startService, type TestService } from "../support/service/service.js";
import { addUser, PASSWORD } from "../support/service/sign-in.js";
import { cut, useWire } from "../support/solr/wire.js";

const programs = findProxies();
const chromium = findChromium();
const LINES = 8000;
const STALL_MS = 4000;

const authority = use(() => makeAuthority());
const dataDir = freshFolder();
/** Between the service and Solr: what becomes of answers. */
const wire = useWire((body) => {
  if (fate === "whole") return body;
  return fate === "cut" ? cut(body, 400_000, false) : stalled(body);
});
let fate: "whole" | "stalled" | "cut" = "whole";
let user: string;

async function* stalled(body: AsyncIterable<Buffer>) {
  let passed = 0;
  for await (const piece of body) {
    yield piece;
    if (passed < 100_000 && passed + piece.length >= 100_000) await sleep(STALL_MS);
    passed += piece.length;
  }
}

beforeAll(async () => {
  const first = await startService({ dataDir });
  await emptyIndex(first.solr);
  const list = Array.from({ length: LINES }, (_, index) => ({
    file: `/pool/${"long-name/".repeat(12)}${index}.nc`,
    project: ["cmip6"],
    model: ["long"],
  }));
  const sample = {
    file: SAMPLE_FILE,
    uri: `file://${SAMPLE_FILE}`,
    project: ["cmip6"],
    variable: ["tas"],
    model: ["MPI-ESM1-2-LR"],
    experiment: ["historical"],
  };
  await load(first.solr, [...list, sample]);
  user = (await addUser(dataDir)).name;
  await first.close();
});

const NAMES = Object.keys(PROXIES) as ProxyName[];

for (const name of NAMES)
  describe.skipIf(!programs.has(name))(`the service behind ${name} as it is shipped`, () => {
    const program = programs.get(name);
    let services: [TestService, TestService];
    let proxy: RunningProxy;
    let base: string;
    let plain: string;
    // Other files that use this Solr count failed sign-ins from 127.0.0.1.
    const from = { nginx: "127.0.0.13", Apache: "127.0.0.23", Caddy: "127.0.0.33" }[name];

    beforeAll(async () => {
      if (program === undefined) return;
      const ports = await proxyPorts();
      base = `https://localhost:${ports.port}/climate`;
      plain = `http://localhost:${ports.plainPort}`;
      const options = {
        dataDir,
        baseUrl: base,
        trustProxy: 1,
        endpoint: { urls: [wire.url] } as const,
        auth: { limits: { perUser: 100, perAddress: 3, window: 300 } },
      };
      services = [await startService(options), await startService(options)];
      const instances = services.map(({ address }) => new URL(address).host) as [string, string];
      const certificate = await authority.sign("localhost");
      proxy = await startProxy(name, program, { ...ports, certificate, instances });
    });
    afterAll(async () => {
      await proxy?.stop();
      await Promise.all((services ?? []).map((one) => one.close()));
    });

    const get = (path: string, sent?: Sent) =>
      get1(path.startsWith("https:") ? path : base + path, authority.pem, sent);
    const text = async (path: string, sent?: Sent): Promise<string> => {
      const { status, bytes, broken } = await get(path, sent);
      expect([status, broken], `${path}: ${bytes.subarray(0, 300)}`).toEqual([200, false]);
      return bytes.toString();
    };
    const json = async <T>(path: string, sent?: Sent) => JSON.parse(await text(path, sent)) as T;
    const LIST = `${PREFIX}/databrowser/data-search/cmip6/file?source_id=long`;
    const form = (fields: Record<string, string>): Sent => ({
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
    });

    it("has the path in every address, and each address works", async () => {
      const page = await text("/");
      for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) {
        await text(new URL(link.replaceAll("&amp;", "&"), `${base}/`).href);
      }
      const { title: _, ...index } = await json<Record<string, string>>(PREFIX);
      for (const link of Object.values(index)) {
        expect(link).toMatch(new RegExp(`^${base}/`));
        await text(link);
      }
      type Contract = {
        servers: { url: string }[];
        components: {
          securitySchemes: { password: { flows: { password: { tokenUrl: string } } } };
        };
      };
      for (const file of ["/openapi.json", "/openapi-3.0.json"]) {
        const { servers, components } = await json<Contract>(file);
        const token = components.securitySchemes.password.flows.password.tokenUrl;
        expect([servers[0]?.url, token]).toEqual([
          `/climate${PREFIX}`,
          `/climate${PREFIX}/auth/v2/token`,
        ]);
      }
      expect(await text("/openapi.yaml")).toContain(`  - url: /climate${PREFIX}\n`);
      // Without a slash, what is relative would be beside it.
      const { status, headers } = await get("");
      expect([301, 308]).toContain(status);
      expect(new URL(String(headers.location), base).href).toBe(`${base}/`);
      const issuer = base + PREFIX;
      const origin = new URL(base).origin;
      for (const place of [
        `${base}${PREFIX}/.well-known/openid-configuration`,
        `${origin}/.well-known/oauth-authorization-server/climate${PREFIX}`,
      ]) {
        const metadata = await json<Record<string, unknown>>(place);
        expect(metadata.issuer).toBe(issuer);
        for (const [key, value] of Object.entries(metadata)) {
          if (/_endpoint$|_uri$/.test(key)) expect(String(value), key).toMatch(issuer);
        }
        await text(String(metadata.jwks_uri));
      }
    });

    it("gives streams, catalogues and shares that can be read by their addresses", async () => {
      const query = "source_id=MPI-ESM1-2-LR";
      const signedIn = { ...form({ username: user, password: PASSWORD }), from };
      const token = await json<{ access_token: string }>(`${PREFIX}/auth/v2/token`, signedIn);
      const headers = { Authorization: `Bearer ${token.access_token}` };
      const loaded = await text(`${PREFIX}/databrowser/load/cmip6?${query}`, { headers });
      const [stream = ""] = loaded.split("\n");
      expect(stream).toMatch(`${base}${PREFIX}/data-portal/zarr/`);
      expect(await text(`${stream}/.zmetadata`, { headers })).toContain("tas/.zarray");
      const share = {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ url: stream, ttl_seconds: 60 }),
      };
      const answer = await get(`${PREFIX}/data-portal/share-zarr`, share);
      const { url } = JSON.parse(answer.bytes.toString()) as { url: string };
      expect(url).toMatch(`${base}${PREFIX}/data-portal/share/`);
      expect(await text(`${url}/.zmetadata`)).toContain("tas/.zarray");
      const intake = `${PREFIX}/databrowser/intake-catalogue/cmip6/file?${query}`;
      const zipped = await get(`${PREFIX}/databrowser/stac-catalogue/cmip6/file?${query}`);
      const stac = Object.values(unzipSync(zipped.bytes)).map((one) => Buffer.from(one).toString());
      const addresses = [await text(intake), ...stac]
        .join("\n")
        .matchAll(/https?:\/\/localhost[^"\s)]*/g);
      const all = [...addresses].map(([address]) => address);
      expect(all.length).toBeGreaterThan(2);
      expect(all.filter((address) => !address.startsWith(base + PREFIX))).toEqual([]);
    });

    it("gets the request unchanged", async () => {
      const odd = ["a%2Fb", "a%252Fb", "a%20b", "a+b", "a//b", "%C3%A4", "a%3Fb", "a%23b", "a;b=c"];
      for (const part of odd) {
        for (const path of [`/${part}`, `/databrowser/overview?x=${part}`]) {
          const target = PREFIX + path;
          // Not by fetch, which would write it anew as well.
          const direct = await raw(services[0].address, target);
          const { status, bytes } = await get(target);
          expect([status, bytes.toString()], path).toEqual([direct.status, direct.text]);
        }
      }
    });

    it("sends the beginning of a list at once, in HTTP/1.1 and HTTP/2", async () => {
      fate = "stalled";
      try {
        const ask = (one: typeof get1) => one(base + LIST, authority.pem);
        for (const { firstByte, bytes, broken } of await Promise.all([get1, get2].map(ask))) {
          expect(firstByte).toBeLessThan(STALL_MS - 300);
          expect([bytes.toString().split("\n").length - 1, broken]).toEqual([LINES, false]);
        }
      } finally {
        fate = "whole";
      }
    });

    // An older Caddy ends every transfer in order (Debian 12 has 2.6): deploy/Caddyfile warns of it.
    it.skipIf(isOldCaddy(name))(
      "breaks off a transfer that broke off, in HTTP/1.1 and HTTP/2",
      async () => {
        fate = "cut";
        try {
          for (const ask of [get1, get2]) {
            for (let turn = 0; turn < 5; turn += 1) {
              const { bytes, broken } = await ask(base + LIST, authority.pem);
              expect(broken, `${ask.name}: ${bytes.length} bytes`).toBe(true);
            }
          }
        } finally {
          fate = "whole";
        }
      },
    );

    it("forwards bodies as large as the service accepts, and its refusal of larger ones", async () => {
      const signedIn = { ...form({ username: user, password: PASSWORD }), from };
      const token = await json<{ access_token: string }>(`${PREFIX}/auth/v2/token`, signedIn);
      const target = `${PREFIX}/databrowser/userdata`;
      const headers = {
        Authorization: `Bearer ${token.access_token}`,
        "Content-Type": "application/json",
      };
      // Half megabytes; 8 MiB are the most.
      for (const [size, status] of [
        [15, 422],
        [18, 413],
      ]) {
        const entries = Array.from({ length: Number(size) }, () => ({ x: "x".repeat(2 ** 19) }));
        const body = JSON.stringify({ user_metadata: entries, facets: {} });
        const answer = await get(target, { method: "POST", headers, body });
        // The service waits a moment for the rest of a body that it refuses; Apache may send it for longer.
        if (name === "Apache" && answer.status === 502 && status === 413) continue;
        const type = answer.headers["content-type"];
        expect([answer.status, type]).toEqual([status, "application/problem+json"]);
      }
    });

    it("learns the caller's address, whatever the caller claims", async () => {
      const path = `${PREFIX}/auth/v2/token`;
      const wrong = async (from: string): Promise<number> => {
        const sent = form({ username: crypto.randomUUID(), password: "x" });
        const forwarded = `10.1.2.${Math.floor(Math.random() * 255)}`;
        const headers = {
          ...sent.headers,
          "X-Forwarded-For": forwarded,
          Forwarded: `for=${forwarded}`,
        };
        return (await get(path, { ...sent, headers, from })).status;
      };
      // One after the other: by three failures an address is refused, and no other one with it.
      const [one, other] = { nginx: [11, 12], Apache: [21, 22], Caddy: [31, 32] }[name];
      const seen: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) seen.push(await wrong(`127.0.0.${one}`));
      expect(seen).toEqual([401, 401, 401, 429]);
      expect(await wrong(`127.0.0.${other}`)).toBe(401);
      if (name !== "Caddy") expect(await proxy.log()).toContain(`127.0.0.${one} `);
    });

    it("redirects from http to https", async () => {
      const { status, location } = await raw(plain, `/climate${LIST}`);
      expect([301, 308]).toContain(status);
      expect(location).toMatch(/^https:\/\/localhost/);
      expect(location).toContain(`/climate${LIST}`);
    });

    // The page is the same behind each.
    it.skipIf(chromium === undefined || name !== "nginx")(
      "shows Swagger UI, which sends its requests below the path",
      async () => {
        const browser = await startBrowser(chromium as string);
        try {
          const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
          await page.goto(`${base}/docs#/search/getOverview`);
          const block = page.locator("#operations-search-getOverview");
          await block.locator(".request-lines pre").waitFor();
          await block.getByRole("button", { name: "Execute" }).click();
          const live = block.locator(".live-responses-table");
          await live.waitFor();
          expect(await live.locator("tbody .response-col_status").first().textContent()).toMatch(
            /200/,
          );
          const url = await block.locator(".request-url pre").first().textContent();
          expect(url).toMatch(`${base}${PREFIX}/`);
        } finally {
          await browser.close();
        }
      },
    );

    it("goes on with one of two instances", async () => {
      await services[1].close();
      for (let turn = 0; turn < 12; turn += 1) await text(`${PREFIX}/databrowser/overview`);
      services = [services[0], services[0]];
    });
  });

function isOldCaddy(name: ProxyName): boolean {
  const program = programs.get(name);
  if (name !== "Caddy" || program === undefined) return false;
  const [major = 0, minor = 0] = execFileSync(program.path, ["version"], { encoding: "utf8" })
    .replace(/^v/, "")
    .split(".")
    .map(Number);
  const isOld = major === 2 && minor < 7;
  if (isOld)
    console.warn("This Caddy is older than 2.7: broken transfers are not tried behind it.");
  return isOld;
}

/** Sends a target as it is; gives what a comparison needs. */
function raw(address: string, path: string) {
  const { hostname, port } = new URL(address);
  return new Promise<{ status: number; text: string; location: string }>((resolve, reject) => {
    request({ host: hostname, port, path, agent: false, family: 4 }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (piece) => {
        body += piece;
      });
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          text: body,
          location: answer.headers.location ?? "",
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}
