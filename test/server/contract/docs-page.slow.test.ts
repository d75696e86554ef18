/** Swagger UI as its readers have it: in a browser. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { findChromium, startBrowser } from "../../support/page/browser.js";
import { pythonOf } from "../../support/programs/python.js";
import { type Language, RUNNABLE, runLines } from "../../support/project/lines.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { addUser, PASSWORD } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

const chromium = findChromium();
const service = useService({ documents: sampleDocuments().slice(0, 100) });
let browser: Browser;
let context: BrowserContext;
let page: Page;
let user: string;
/** What the page complained of, and what it asked other hosts for. */
let wrong: string[];

beforeAll(() => void pythonOf(), 600_000);
beforeAll(async () => {
  user = (await addUser(service.dataDir)).name;
  if (chromium !== undefined) browser = await startBrowser(chromium);
});
afterAll(() => browser?.close());

beforeEach(async () => {
  wrong = [];
  context = await browser.newContext({ viewport: { width: 1200, height: 1400 } });
  page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.address)) {
      wrong.push(request.url());
    }
  });
});
afterEach(async () => {
  await context.close();
  expect(wrong).toEqual([]);
});

/** Opens the page at an operation. */
async function open(tag: string, operation: string): Promise<Locator> {
  // From one operation to the next, only the part behind # differs: that loads nothing.
  await page.goto("about:blank");
  await page.goto(`${service.address}/docs#/${tag}/${operation}`);
  const block = page.locator(`#operations-${tag.replace(" ", "_")}-${operation}`);
  await block.locator(".request-lines pre").waitFor();
  return block;
}

const lines = async (block: Locator, language: Language): Promise<string> => {
  await block.getByRole("button", { name: language, exact: true }).click();
  return (await block.locator(".request-lines pre").textContent()) ?? "";
};

/** Adds a value to a parameter that is an array. */
async function addValue(block: Locator, parameter: string, value: string): Promise<void> {
  const row = block.locator(`tr[data-param-name="${parameter}"]`);
  await row.getByRole("button", { name: /add .*item/i }).click();
  await row.locator("input[type=text]").last().fill(value);
}

async function execute(block: Locator): Promise<{ status: string; url: string }> {
  await block.getByRole("button", { name: "Execute" }).click();
  const live = block.locator(".live-responses-table");
  await live.waitFor();
  const status = await live.locator("tbody .response-col_status").first().textContent();
  const url = await block.locator(".request-url pre").first().textContent();
  return { status: status?.trim().slice(0, 3) ?? "", url: url?.trim() ?? "" };
}

describe.skipIf(chromium === undefined)("the documentation in a browser", () => {
  it("has for a search the lines of curl, Python, R and TypeScript, which find the same", async () => {
    const block = await open("search", "searchData");
    const found = new Set<string>();
    for (const language of RUNNABLE) {
      const text = await lines(block, language);
      expect(text).toContain(`${service.address}${PREFIX}/databrowser/data-search/cmip6/file`);
      expect(text).toContain("experiment_id");
      found.add((await runLines(language, text)).trim());
    }
    expect([...found]).toHaveLength(1);
    expect([...found][0]?.split("\n").length).toBeGreaterThan(3);
  });

  it("sends the filled-in values, an array as one key several times, and shows the same lines", async () => {
    const block = await open("search", "searchData");
    await addValue(block, "variable_id", "tas");
    await addValue(block, "variable_id", "it's");
    await addValue(block, "filter", "experiment_id_not_=ssp*");
    const { status, url } = await execute(block);
    expect(status).toBe("200");
    const query = [
      ["variable_id", "tas"],
      ["variable_id", "it's"],
      ["filter", "experiment_id_not_=ssp*"],
    ];
    const sent = [...new URL(url).searchParams].filter(([name]) => /variable_id|filter/.test(name));
    expect(sent.sort()).toEqual(query.sort());
    expect(
      [...new URL(url).searchParams.keys()].filter((name) => /model|realm/.test(name)),
    ).toEqual([]);
    const answers = new Set<string>();
    for (const language of RUNNABLE) {
      answers.add((await runLines(language, await lines(block, language))).trim());
    }
    expect([...answers]).toHaveLength(1);
    expect(await block.locator(".live-responses-table").textContent()).toContain("tas_Amon");
  });

  it("fills in what an operation requires, although no single parameter is required", async () => {
    const { status, url } = await execute(await open("search", "findComplete"));
    expect(status, url).toBe("200");
    expect(url).toContain("group_by=");
  });

  it("shows the filters of the chosen flavour", async () => {
    const block = await open("search", "searchMetadata");
    const row = (name: string): Locator => block.locator(`tr[data-param-name="${name}"]`);
    await expect.poll(() => row("source_id").count()).toBe(1);
    expect(await row("model").count()).toBe(0);
    await block.locator('tr[data-param-name="flavour"] select').selectOption("native");
    await expect.poll(() => row("model").count()).toBe(1);
    expect(await row("source_id").count()).toBe(0);
    expect(await row("file").count()).toBe(1);
    // One that somebody has made can be typed; what it does not rename has its native name.
    await block.locator('tr[data-param-name="flavour"] input').fill("my-lab");
    await expect.poll(() => lines(block, "curl")).toContain("/my-lab/file");
    expect(await row("model").count()).toBe(1);
    expect(await row("source_id").count()).toBe(0);
    await block.locator('tr[data-param-name="flavour"]');
  });

  it("keeps a sign-in over a reload, but no password, and nothing beyond the session", async () => {
    let block = await open("auth", "issueToken");
    const fields = await block.locator("tr[data-property-name] input[type=text]").all();
    expect(fields.length).toBeGreaterThan(4);
    for (const field of fields) expect(await field.inputValue()).toBe("");
    for (const [name, value] of [
      ["username", user],
      ["password", PASSWORD],
    ] as const) {
      await block.locator(`tr[data-property-name="${name}"] input`).first().fill(value);
    }
    expect((await execute(block)).status).toBe("200");

    await page.locator(".auth-wrapper .authorize").first().click();
    const dialog = page.locator(".auth-container").first();
    await dialog.locator("#oauth_username").fill(user);
    await dialog.locator("#oauth_password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Apply given OAuth2 credentials" }).click();
    await dialog.getByRole("button", { name: "Remove authorization" }).waitFor();
    await page.locator(".modal-ux .btn-done").first().click();

    await page.reload();
    block = await open("auth", "tokenStatus");
    expect((await execute(block)).status).toBe("200");
    const stored = await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }] as const);
    expect(stored[0]).toEqual({});
    const text = JSON.stringify(stored[1]);
    expect(text).toContain("eyJ");
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain("cnr_");
    const token = /eyJ[\w.-]+/.exec(text)?.[0] ?? "";
    for (const language of RUNNABLE) {
      const text = await lines(block, language);
      expect(text).not.toContain(token);
      expect(await runLines(language, text, { token })).toContain(`${user}@example.org`);
    }

    await page.locator(".auth-wrapper .authorize").first().click();
    await page
      .locator(".modal-ux")
      .getByRole("button", { name: "Remove authorization" })
      .first()
      .click();
    await page.locator(".modal-ux .btn-done").first().click();
    await page.reload();
    block = await open("auth", "tokenStatus");
    wrong = [];
    expect((await execute(block)).status).toBe("401");
    // The browser itself tells of a 401.
    wrong = wrong.filter((one) => !one.includes("401"));
  });

  it("is dark if the reader's system is", async () => {
    const brightness = async (): Promise<number> => {
      const color = await page.evaluate(
        () => getComputedStyle(document.documentElement).backgroundColor,
      );
      const [red = 255, , , alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
      return alpha === 0 ? 255 : red;
    };
    await page.emulateMedia({ colorScheme: "dark" });
    const block = await open("search", "searchData");
    await expect.poll(brightness).toBeLessThan(60);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/dark.png` });
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(brightness).toBeGreaterThan(200);
    if (process.env.SCREENSHOTS) {
      await block.locator(".request-lines").scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/light.png` });
    }
  });
});
