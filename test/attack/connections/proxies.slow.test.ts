/** Behind a proxy: who is believed about whom. */
import { afterEach, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { parse, tell } from "../../support/network/plain-http.js";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../../support/service/service.js";
import { post } from "../../support/service/sign-in.js";

let service: TestService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

const DOCUMENTS = [
  `${PREFIX}/.well-known/openid-configuration`,
  `${PREFIX}/.well-known/oauth-authorization-server`,
  `/.well-known/oauth-authorization-server${PREFIX}`,
];

/** The issuers that discovery documents name to whoever sends these headers. */
async function issuers(
  options: ServiceOptions,
  headers: Record<string, string>,
): Promise<string[]> {
  service = await startService(options);
  const { address } = service;
  const all = { Host: "evil.example.org", ...headers };
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const texts = await Promise.all(
    DOCUMENTS.map(async (path) => {
      const message = `GET ${path} HTTP/1.1\r\n${fields.join("")}Connection: close\r\n\r\n`;
      return parse(await tell(address, message)).body;
    }),
  );
  for (const text of texts) expect(text).not.toContain("evil");
  return [...new Set(texts.map((text) => (JSON.parse(text) as { issuer: string }).issuer))];
}

const EVIL = { "X-Forwarded-Host": "evil.example.org", "X-Forwarded-Proto": "https" };
const forwarded = (host: string, proto = "https") => ({
  "X-Forwarded-Host": host,
  "X-Forwarded-Proto": proto,
});

describe("addresses of the service", () => {
  it("never contain a host that a caller names", async () => {
    for (const trustProxy of [0, 1, 2]) {
      const found = await issuers({ trustProxy }, EVIL);
      expect(found).toEqual([`${service?.address}${PREFIX}`]);
      await service?.close();
    }
  });

  it.each<[string, Record<string, string>]>([
    ["that is not on the list", EVIL],
    ["with a port that is not on the list", forwarded("data.example.org:99")],
    [
      "before the one that the proxy was asked for",
      forwarded("data.example.org, evil.example.org"),
    ],
    ["that contains one on the list", forwarded("data.example.org.evil.example.org")],
    ["with a user", forwarded("evil@data.example.org")],
    ["with a path", forwarded("data.example.org/evil")],
    ["that is nothing", forwarded("")],
  ])("ignore the forwarded host %s", async (_, headers) => {
    const found = await issuers({ trustProxy: 1, trustedHosts: ["data.example.org"] }, headers);
    expect(found).toEqual([`${service?.address}${PREFIX}`]);
  });

  it("use a forwarded host that is on the list, with http or https", async () => {
    const trusted = { trustProxy: 1, trustedHosts: ["data.example.org", "other.example.org:8443"] };
    for (const [headers, base] of [
      [forwarded("data.example.org"), "https://data.example.org"],
      [forwarded("DATA.example.org", "http"), "http://data.example.org"],
      [forwarded("evil.example.org, data.example.org"), "https://data.example.org"],
      [forwarded("other.example.org:8443"), "https://other.example.org:8443"],
      [forwarded("data.example.org", "javascript"), "http://data.example.org"],
    ] as const) {
      expect(await issuers(trusted, headers)).toEqual([`${base}${PREFIX}`]);
      await service?.close();
    }
    // Without a proxy of ours, anybody could have written it.
    const headers = forwarded("data.example.org");
    const found = await issuers({ ...trusted, trustProxy: 0 }, headers);
    expect(found).toEqual([`${service?.address}${PREFIX}`]);
  });

  it("use BASE_URL if it is set", async () => {
    const options = { baseUrl: "https://set.example.org", trustedHosts: ["evil.example.org"] };
    const found = await issuers({ ...options, trustProxy: 1 }, EVIL);
    expect(found).toEqual([`https://set.example.org${PREFIX}`]);
  });
});

describe("the address of a caller", () => {
  /** How many of six wrong sign-ins with a changing header are counted as of one address. */
  async function limitedAfter(trustProxy: number, header: (turn: number) => string) {
    const limits = { perUser: 100, perAddress: 3, window: 300 };
    service = await startService({ trustProxy, auth: { limits } });
    const statuses: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const form = { username: `x-${crypto.randomUUID()}`, password: "x" };
      const headers = { "X-Forwarded-For": header(turn) };
      statuses.push((await post(service, form, headers)).status);
    }
    await service.close();
    return statuses.indexOf(429);
  }
  const host = `${Date.now() % 200}.${Math.floor(Math.random() * 200)}`;

  it("is counted from the proxy inwards, over the number of proxies, which may be none", async () => {
    // What a caller writes itself stands before all that proxies add.
    expect(await limitedAfter(1, (turn) => `6.6.6.${turn}, 10.1.${host}`)).toBe(3);
    expect(await limitedAfter(2, (turn) => `6.6.6.${turn}, 10.2.${host}, 10.9.9.${turn}`)).toBe(3);
    // Without a proxy the header says nothing: all are of this machine.
    expect([0, 1, 2, 3]).toContain(await limitedAfter(0, (turn) => `10.4.9.${turn}`));
    expect(await limitedAfter(1, (turn) => `10.3.${host}, 10.8.${turn}.${Date.now() % 250}`)).toBe(
      -1,
    );
  });

  it("takes the number of proxies from the settings; true is one", () => {
    const hops = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy;
    expect(["true", "yes", "1", "2", "10", "false", "0", "off"].map(hops)).toEqual([
      1, 1, 1, 2, 10, 0, 0, 0,
    ]);
    for (const wrong of ["11", "-1", "1.5", "two"])
      expect(() => hops(wrong)).toThrow("TRUST_PROXY");
    const hosts = (TRUSTED_HOSTS: string) => readConfig({ TRUSTED_HOSTS }).trustedHosts;
    expect(hosts("Data.example.org, [::1]:8443")).toEqual(["data.example.org", "[::1]:8443"]);
    for (const wrong of ["https://x", "a/b", "a b", "*", "a@b"]) {
      expect(() => hosts(wrong), wrong).toThrow("TRUSTED_HOSTS");
    }
  });
});
