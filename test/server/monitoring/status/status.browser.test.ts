import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "../../../support/page/axe.js";
import { closePages, findChromium, sharedBrowser } from "../../../support/page/browser.js";
import { byBusyness, expectBelow } from "../../../support/run/bounds.js";
import { testEndpoint } from "../../../support/service/service.js";
import { useService } from "../../../support/service/use-service.js";
import { useSevered } from "../../../support/solr/severed.js";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly says: string;
  readonly detail?: string;
  readonly advice?: string;
  readonly since?: string;
  readonly age?: number;
}

const solr = useSevered();
const service = useService(() => ({
  endpoint: { ...testEndpoint(), urls: [solr.url] },
  dataRoots: ["/usr/share", "/nowhere/secret-name"],
}));

async function ask(): Promise<{ state: string; checks: Check[]; milliseconds: number }> {
  const begin = performance.now();
  const response = await service.get("/status");
  expect(response.status).toBe(200);
  const body = (await response.json()) as { state: string; checks: Check[] };
  return { ...body, milliseconds: performance.now() - begin };
}
const stateOf = async (name: string): Promise<string | undefined> =>
  (await ask()).checks.find((one) => one.name === name)?.state;
const whether = async (path: string): Promise<number> => {
  const response = await service.get(path);
  await response.text();
  return response.status;
};

const middle = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

describe("the status", () => {
  it("is JSON, and a page for clients that prefer one", async () => {
    const json = await service.get("/status", { headers: { Accept: "*/*" } });
    expect(json.headers.get("content-type")).toMatch(/^application\/json/);
    expect(json.headers.get("vary")).toMatch(/Accept\b(?!-)/);
    expect(json.headers.get("cache-control")).toBe("no-store");
    await json.text();
    const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const page = await service.get("/status", { headers: { Accept: browsers } });
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
    expect(await page.text()).toMatch(/^<!doctype html>/);
    const other = "application/json, text/html;q=0.5";
    const preferred = await service.get("/status", { headers: { Accept: other } });
    expect(await preferred.json()).toHaveProperty("checks");
  });

  it("describes each part in a sentence, with the worst as the state of all", {
    tags: ["slow"],
  }, async () => {
    for (const [name, state] of [
      ["data-2", "failed"],
      ["memory", "ok"],
    ] as const) {
      await expect.poll(() => stateOf(name)).toBe(state);
    }
    const { state, checks } = await ask();
    expect(state).toBe("failed");
    const says = Object.fromEntries(checks.map((one) => [one.name, `${one.state}: ${one.says}`]));
    expect(says).toMatchObject({
      search: expect.stringMatching(/^ok: [\d,]+ entr(?:y|ies) can be searched, within \d+ ms\.$/),
      memory: "ok: Sign-ins, shares and user data can be kept.",
      "data-1": "ok: Data root 1 of 2 can be read.",
      "data-2": "failed: Data root 2 of 2 is not there.",
    });
    for (const { since, age } of checks.filter((one) => one.age !== undefined)) {
      expect(Date.parse(since ?? "")).toBeLessThanOrEqual(Date.now());
      expectBelow(age, 30);
    }
  });

  it("has no paths, addresses, names and versions through a proxy or as a page", async () => {
    for (const headers of [
      { Accept: "application/json", Via: "1.1 proxy" },
      { Accept: "application/json", Origin: "https://example.org" },
      { Accept: "text/html" },
    ]) {
      const text = await (await service.get("/status", { headers })).text();
      expect(text).not.toMatch(/secret-name|usr\/share|127\.0\.0\.1|localhost|climate-test-data/);
      expect(text).not.toContain(process.version);
      expect(text).not.toMatch(/java|node[ /]|lucene|jetty|\d+\.\d+\.\d+/i);
    }
  });

  it("has details, advice and checks for operators for a client on this machine", async () => {
    const { state, checks } = await ask();
    const through = await service.get("/status", { headers: { Via: "1.1 proxy" } });
    const others = (await through.json()) as { state: string; checks: Check[] };
    expect(others.state).toBe(state);
    const names = checks.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["keys", "address", "software"]));
    expect(others.checks.map(({ name }) => name)).toEqual(
      names.filter((name) => !["keys", "address", "software"].includes(name)),
    );
    await expect
      .poll(async () => (await ask()).checks.find(({ name }) => name === "data-2"))
      .toMatchObject({
        detail: "/nowhere/secret-name",
        advice: expect.stringMatching(/DATA_ROOTS/),
      });
  });

  it("is shared by all requests: Solr is checked once, and not again for some time", {
    tags: ["slow"],
  }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await ask();
    const before = solr.passed();
    const all = await Promise.all(Array.from({ length: 200 }, () => ask()));
    expect(all).toHaveLength(200);
    // What follows other instances is asked in the meantime, too.
    expectBelow(solr.passed() - before, 30_000);
  });
});

describe.each([
  ["hangs", () => solr.hold()],
  ["is down", () => solr.cutAfter(0)],
])("the status while Solr %s", (_, stop) => {
  it("changes within 5 s and answers at once, as ping does; ready fails; and all recovers by itself", {
    tags: ["slow"],
  }, async () => {
    await expect.poll(() => stateOf("search")).toBe("ok");
    stop();
    const begin = Date.now();
    const slowest: number[] = [];
    const pings: number[] = [];
    const search = async () => {
      const { milliseconds, checks } = await ask();
      slowest.push(milliseconds);
      const asked = performance.now();
      await whether("/ping");
      pings.push(performance.now() - asked);
      return checks.find(({ name }) => name === "search")?.state;
    };
    await expect.poll(search, { interval: 200 }).toBe("failed");
    expectBelow(Date.now() - begin, 5500 + byBusyness(pings));
    const ready = performance.now();
    expect(await whether("/ready")).toBe(503);
    expectBelow(performance.now() - ready, 5500 + byBusyness(pings));
    expect(await whether("/ping")).toBe(200);
    solr.mend();
    await expect.poll(search, { interval: 200 }).toBe("ok");
    await expect.poll(() => whether("/ready")).toBe(200);
    // Beside what a busy machine takes.
    expectBelow(middle(slowest) - middle(pings), 200);
  });
});

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the page in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    if (chromium !== undefined) browser = await sharedBrowser(chromium);
  });
  afterAll(closePages);

  it.each([
    [390, "light"],
    [390, "dark"],
    [1280, "light"],
    [1280, "dark"],
  ] as const)(
    "fits at %i px, %s: nothing scrolls sideways, and axe finds nothing",
    async (width, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(`${service.address}/api/climate-nextgen/status`);
      if (process.env.SCREENSHOTS) {
        const path = join(process.env.SCREENSHOTS, `status-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
      expect(await page.textContent("main")).toMatch(/Data root 2 of 2 is not there/);
      expect(await axeViolations(page, colorScheme === "dark")).toEqual([]);
      expect(complaints).toEqual([]);
      await page.getByRole("link", { name: "Look again" }).click();
      await page.close();
    },
  );
});
