/** What all views have in common: how the page is served, and its frame. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packagePath } from "../../src/platform/package-root.js";
import { findChromium, startBrowser } from "../support/page/browser.js";
import { addressOf, useBrowsing } from "../support/page/page.js";
import { firstLoad } from "../support/page/page-speed.js";
import { expectBelow } from "../support/run/bounds.js";
import { loadSample } from "../support/service/sample.js";
import { emptyIndex } from "../support/service/service.js";
import { useService } from "../support/service/use-service.js";

const service = useService({ documents: [] });
const browsing = useBrowsing(service);

describe("the page", () => {
  it("requests the flavours once, whatever views are opened", async () => {
    const { page, go, close } = await browsing.openPage("cart");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await go("?variable=tas");
    for (const [link, title] of [
      ["Coverage", "Coverage"],
      ["Complete models", "Complete models"],
      ["Cart", "Cart"],
      ["Search", "Search"],
    ] as const) {
      await page.getByRole("link", { name: link, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
    }
    await page.waitForLoadState("networkidle");
    expect(asked.filter((address) => address.endsWith("/databrowser/overview"))).toHaveLength(1);
    await close();
  });

  it("starts with the vocabulary of most files, and writes it into its address", async () => {
    await loadSample(service.solr);
    const { page, go, close } = await browsing.openPage("");
    await page.getByRole("checkbox", { name: /^tas/ }).first().check();
    await expect
      .poll(async () => (await addressOf(page)).search)
      .toBe("?flavour=cmip6&variable_id=tas");
    await page.getByRole("link", { name: "Climate data browser" }).click();
    await expect.poll(async () => (await addressOf(page)).search).toBe("?flavour=cmip6");
    // From a view that searches nothing, the search box has the same words.
    await go("cart");
    await page.getByRole("combobox", { name: "Search the archive" }).fill("tas");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.address}/?flavour=cmip6&variable_id=tas`);
    // Names without a flavour are those of the service's first one.
    await go("?variable=tas");
    await page.getByRole("button", { name: "Remove variable: tas" }).waitFor();
    expect((await addressOf(page)).search).toBe("?variable=tas");
    await emptyIndex(service.solr);
    await close();
  });

  it("is served at the address of each view, and may load and run only its own files", async () => {
    const paths = JSON.parse(readFileSync(packagePath("dist", "page", "paths.json"), "utf8"));
    const rows = readFileSync(packagePath("web", "src", "shell", "views.ts"), "utf8");
    expect(paths).toHaveLength(rows.match(/^ {4}component: /gm)?.length ?? 0);
    for (const path of paths) {
      const answer = await fetch(`${service.address}/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|\*|https?:/);
      const again = { "If-None-Match": answer.headers.get("ETag") ?? "" };
      expect((await fetch(answer.url, { headers: again })).status).toBe(304);
    }
    expect((await fetch(`${service.address}/nothing`)).status).toBe(404);
  });

  it("has files whose names change with their content, compressed beforehand, and cached for good", async () => {
    const html = await (await fetch(`${service.address}/`)).text();
    const [, name] = /src="(assets\/main-\w+\.js)"/.exec(html) ?? [];
    const headers = { "Accept-Encoding": "br" };
    const answer = await fetch(`${service.address}/${name}`, { headers });
    expect(answer.headers.get("Content-Type")).toMatch(/javascript/);
    expect(answer.headers.get("Cache-Control")).toContain("immutable");
    expect(answer.headers.get("Content-Encoding")).toBe("br");
    // The first view is one file, which all others share.
    const entry = await answer.text();
    expect(entry).toMatch(/^import[{"*]/);
    expect(html.match(/rel="modulepreload"/g)?.length).toBeLessThanOrEqual(2);
    for (const odd of ["assets/../index.html", "assets/%2e%2e/paths.json", "assets/"]) {
      expect((await fetch(`${service.address}/${odd}`)).status).not.toBe(200);
    }
  });

  it("goes from view to view by its links, and back, with its search", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&variable_id=tas");
    await page.getByRole("link", { name: "Coverage" }).click();
    await page.getByRole("heading", { level: 1, name: "Coverage" }).waitFor();
    expect((await addressOf(page)).href).toContain(
      `${service.address}/coverage?flavour=cmip6&variable_id=tas`,
    );
    expect(await page.title()).toContain("Coverage");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect((await addressOf(page)).href).toBe(`${service.address}/?flavour=cmip6&variable_id=tas`);
    await close();
  });

  it("loads at most 100 kB with its answers at first, and is soon usable on a slow machine", {
    tags: ["slow"],
  }, async () => {
    const program = findChromium();
    if (program === undefined) return;
    await loadSample(service.solr);
    const browser = await startBrowser(program);
    const { files, answers, interactive } = await firstLoad(browser, `${service.address}/`, 4);
    await browser.close();
    expect(files).toBeGreaterThan(50_000);
    expect(answers).toBeGreaterThan(5_000);
    expect(files + answers).toBeLessThanOrEqual(100_000);
    // A second on a quiet machine (bench/page.ts).
    expectBelow(interactive, 10_000);
  });
});
