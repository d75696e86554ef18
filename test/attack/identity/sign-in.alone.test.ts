/** Nobody keeps somebody else from signing in, and nobody learns who may. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PasswordHasher } from "../../../src/identity/accounts/password-hash.js";
import { attempts } from "../../support/run/trials.js";
import { startService, type TestService } from "../../support/service/service.js";
import { addUser, PASSWORD, post } from "../../support/service/sign-in.js";

/** Milliseconds by which others may delay a right sign-in that alone takes so long: the machine may be busy. */
const delay = (alone: number): number => Math.max(2000, 12 * alone);

let provider: Server;
/** What the provider's token endpoint does with a request. */
let answers: "hangs" | "fails" | "refuses" = "refuses";
let service: TestService;
let ada: string;

beforeAll(async () => {
  provider = createServer((request, response) => {
    const at = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const json = (status: number, body: object) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/keys") return json(200, { keys: [] });
    if (request.method === "GET") {
      return json(200, { issuer: at, jwks_uri: `${at}/keys`, token_endpoint: `${at}/token` });
    }
    if (answers === "refuses") return json(400, { error: "invalid_grant" });
    if (answers === "fails") return json(500, { error: "server_error" });
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  const at = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  service = await startService({
    trustProxy: 1,
    auth: {
      outside: {
        discoveryUrl: `${at}/.well-known/openid-configuration`,
        audience: "x",
        client: { id: "x", secret: undefined },
      },
      limits: { perUser: 10, perAddress: 1000, window: 300 },
    },
  });
  ada = (await addUser(service.dataDir)).name;
});
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await service.close();
});

beforeEach(() => {
  answers = "refuses";
});

let sites = 0;
/** A new address each time, as a proxy would tell it. */
const somewhere = () => {
  sites += 1;
  return { "X-Forwarded-For": `10.${process.pid & 255}.${sites >> 8}.${sites & 255}` };
};

const HOME = somewhere();

const signIn = (username: string, password: string, from = somewhere(), at = service) =>
  post(at, { username, password }, from);

/** Milliseconds that Ada's right sign-in takes, from where she has been before. */
async function adaTakes(from = HOME): Promise<number> {
  const begin = performance.now();
  const response = await signIn(ada, PASSWORD, from);
  await response.text();
  expect(response.status).toBe(200);
  return performance.now() - begin;
}

describe("a correct sign-in", () => {
  it("is not delayed by a provider that hangs, though its permits and its queue are full", async () => {
    answers = "hangs";
    const before = await adaTakes();
    const waiting = Array.from({ length: 130 }, (_, i) => signIn(`stranger-${i}`, "x"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await adaTakes()) - before).toBeLessThan(delay(before));
    expect((await adaTakes()) - before).toBeLessThan(delay(before));
    for (const response of await Promise.all(waiting)) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it.each(["many addresses", "one address"])(
    "is not delayed by 80 wrong ones at once from %s",
    async (where) => {
      const before = await adaTakes();
      const one = somewhere();
      const wrong = Array.from({ length: 80 }, (_, i) =>
        signIn(`nobody-${i}`, "wrong", where === "one address" ? one : somewhere()),
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await adaTakes()) - before).toBeLessThan(delay(before));
      for (const response of await Promise.all(wrong))
        expect([401, 503]).toContain(response.status);
    },
  );

  it("is possible whatever strangers try under the name, and is slowed at most", async () => {
    const { name } = await addUser(service.dataDir);
    const strict = await startService({
      dataDir: service.dataDir,
      trustProxy: 1,
      auth: { limits: { perUser: 1, perAddress: 1000, window: 300 } },
    });
    for (let crowd = 0; crowd < attempts(1, 8); crowd += 1) {
      const wrong = Array.from({ length: 25 }, () => signIn(name, "wrong", somewhere(), strict));
      for (const response of await Promise.all(wrong)) expect(response.status).toBe(401);
    }
    const before = await adaTakes();
    const begin = performance.now();
    const right = await signIn(name, PASSWORD, somewhere(), strict);
    expect(right.status).toBe(200);
    // So many failures are a bound of their own, which slows down.
    expect(performance.now() - begin).toBeGreaterThan(1900);
    expect(performance.now() - begin).toBeLessThan(2000 + delay(before));
    await strict.close();
  });

  it("waits no longer than strangers do, from an address where nobody has signed in before", async () => {
    const before = await adaTakes();
    // As many as may wait on any machine: of more some are sent away, and whoever is new may be among them.
    const wrong = Array.from({ length: 18 }, (_, i) => signIn(`nobody-${i}`, "wrong"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await adaTakes(somewhere())) - before).toBeLessThan(2 * delay(before));
    for (const { status } of await Promise.all(wrong)) expect([401, 503]).toContain(status);
  });
});

describe("hashing", () => {
  it("alternates between addresses, so that one with many waits alone, and refuses past its bound", async () => {
    const hasher = new PasswordHasher(1);
    const hash = await hasher.hash("x");
    const order: string[] = [];
    const verify = (address: string, name: string) =>
      hasher.verify("y", hash, [address, name]).then(() => order.push(address));
    const many = Array.from({ length: 15 }, (_, i) => verify("a", String(i)));
    const one = verify("b", "ada");
    await Promise.all([...many, one]);
    expect(order.indexOf("b")).toBeLessThan(4);
    const flood = Array.from({ length: 400 }, () => verify("a", "x"));
    const refused = (await Promise.allSettled(flood)).filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(100);
    expect(refused.length).toBeLessThan(400);
    await hasher.close();
  });
});

describe("the existence of an account", () => {
  const bodies = async (name: string, from: ReturnType<typeof somewhere>) => {
    const response = await signIn(name, "wrong", from);
    const headers = ["retry-after", "www-authenticate", "content-length", "cache-control"];
    return {
      status: response.status,
      body: await response.text(),
      headers: headers.map((header) => response.headers.get(header)),
    };
  };

  it.each(["refuses", "fails"] as const)(
    "is not revealed by body, status or limit while the provider %s",
    async (how) => {
      answers = how;
      const { name: known } = await addUser(service.dataDir);
      const [here, there] = [somewhere(), somewhere()];
      for (let i = 0; i < 12; i += 1) {
        const [mine, strange] = [await bodies(known, here), await bodies("nobody-at-all", there)];
        const timeless = (one: object) => JSON.stringify(one).replace(/"(29\d|300)"/, "");
        expect(timeless(mine)).toBe(timeless(strange));
        // A failure of the provider counts as well.
        expect(mine.status).toBe(i >= 10 ? 429 : how === "fails" ? 503 : 401);
      }
    },
  );
});
