/** A service that goes away while somebody works with the page, and comes back. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "../support/page/axe.js";
import { addressOf, useBrowsing } from "../support/page/page.js";
import { use } from "../support/run/use.js";
import { startForwarder } from "../support/service/forwarder.js";
import { loadSample } from "../support/service/sample.js";
import { emptyIndex, startService, type TestService } from "../support/service/service.js";
import { useFaultySolr } from "../support/solr/faulty-solr.js";

const solr = useFaultySolr();
/** What the page knows as the service. */
const door = use(startForwarder, (one) => one.close());
let service: TestService;

const start = async (): Promise<void> => {
  service = await startService({ baseUrl: door.address, endpoint: { urls: [solr.url] } });
  door.to([Number(new URL(service.address).port)]);
};
const kill = async (): Promise<void> => {
  door.to([]);
  await service.close();
};
beforeAll(async () => {
  await start();
  await emptyIndex(service.solr);
  await loadSample(service.solr);
});
afterAll(() => service.close());
const browsing = useBrowsing(door);

const banner = (page: Page) => page.getByText("The service does not answer.").first();

describe("a service that is away", () => {
  it("is reported; the content stays, and the page goes on by itself when it is back", async () => {
    const { page, context } = await browsing.openPage("?flavour=cmip6&mip_era=cmip6");
    await page.getByText("MPI-ESM1-2-LR").first().waitFor();
    await kill();
    // A search that nobody has asked for yet.
    await page.evaluate(() => {
      history.pushState(null, "", "?flavour=cmip6&mip_era=cmip6&variable_id=pr");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await banner(page).waitFor();
    await page.getByText(/Trying again/).waitFor();
    await page.getByRole("alert").filter({ hasText: "reconnects by itself" }).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // What was there is there still.
    await page.getByText("MPI-ESM1-2-LR").first().waitFor();
    // A view whose program is not loaded yet.
    await page.getByRole("link", { name: "Vocabularies" }).click();
    await page.getByText("Opening …").waitFor();
    await page.getByRole("button", { name: "Try now" }).click();
    await start();
    await page.getByText("The service is back.").first().waitFor();
    await page.getByRole("heading", { level: 1, name: "Vocabularies" }).waitFor();
    await page.getByRole("cell", { name: "built in" }).first().waitFor();
    await page.goBack();
    await page.getByText("MPI-ESM1-2-LR").first().waitFor();
    expect((await addressOf(page)).href).toContain("variable_id=pr");
    expect(await banner(page).count()).toBe(0);
    await context.close();
  });

  it("is found again without any action", async () => {
    const { page, context } = await browsing.openPage("flavours");
    await page.getByRole("cell", { name: "built in" }).first().waitFor();
    await kill();
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await banner(page).waitFor();
    await start();
    await page.getByText("The service is back.").first().waitFor();
    await page.getByRole("list", { name: "Example searches" }).waitFor();
    // Each finds something, whatever the index is of.
    const starts = page.getByRole("list", { name: "Example searches" });
    await expect.poll(() => starts.getByRole("link", { name: /\d+ files?$/ }).count()).toBe(3);
    for (const link of await starts.getByRole("link").all()) {
      const told = Number(
        /([\d,]+) files?$/.exec(await link.innerText())?.[1]?.replaceAll(",", ""),
      );
      const asked = new URL((await link.getAttribute("href")) ?? "", (await addressOf(page)).href)
        .searchParams;
      const flavour = asked.get("flavour");
      asked.delete("flavour");
      const answer = await service.get(`/databrowser/summary/${flavour}/file?${asked}`);
      expect([told, told > 0]).toEqual([(await answer.json()).files, true]);
    }
    await context.close();
  });
});

describe("a service that refuses for a while", () => {
  it("gets the request again when it allowed one", async () => {
    const { page, context } = await browsing.openPage("cart");
    await page.evaluate(() => {
      const item = {
        kind: "search",
        flavour: "cmip6",
        title: "pr",
        pairs: [["variable_id", "pr"]],
      };
      const kept = JSON.stringify({ version: 1, items: [{ ...item, files: 1, bytes: 1 }] });
      localStorage.setItem("climate-nextgen-cart /", kept);
    });
    await page.reload();
    solr.fail(() => ({ status: 503, body: "{}" }));
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByText(/Retrying in \d+ s/).waitFor();
    const waiting = page.waitForEvent("download");
    solr.fail(() => undefined);
    expect((await waiting).suggestedFilename()).toBe("cart.txt");
    await page
      .getByRole("status")
      .filter({ hasText: /^Downloaded .*, / })
      .first()
      .waitFor();
    await context.close();
  });
});
