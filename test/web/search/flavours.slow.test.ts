/** Flavours of one's own on the page: made, searched in, changed, deleted, and refused in the service's words. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { handsOf } from "../../support/page/hands.js";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { giveCredentials } from "../../support/page/page-sign-in.js";
import { useService, useUser } from "../../support/service/use-service.js";

const service = useService({
  documents: [{ file: "/a.nc", project: "p", model: "icon", variable: "tas" }],
});
const name = useUser(service);
const browsing = useBrowsing(service);

async function signIn(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await giveCredentials(page, name);
  await page.getByRole("button", { name: "Create a vocabulary" }).waitFor();
}

describe("flavours of one's own", () => {
  it("are made, refused in the service's words, searched in, changed and deleted, by keyboard", {
    timeout: 180_000,
  }, async () => {
    const { page, close } = await browsing.openPage("flavours");
    await page
      .getByRole("row", { name: /cmip6.*built in.*model: source_id/ })
      .first()
      .waitFor();
    await signIn(page);
    const { keyboard: hands } = handsOf(page);
    await hands.press(page.getByRole("button", { name: "Create a vocabulary" }));
    await hands.write(page.getByLabel("Name", { exact: true }), "cmip6");
    await hands.write(page.getByLabel("Name of model"), "time");
    await hands.press(page.getByRole("button", { name: "Create", exact: true }));
    const alert = page.getByRole("alert");
    await alert
      .getByText(/is too much like the flavour cmip6, which is built in/)
      .first()
      .waitFor();
    await alert
      .getByText(/"time" means something else/)
      .first()
      .waitFor();
    expect(await page.getByLabel("Name of model").getAttribute("aria-invalid")).toBe("true");
    await hands.write(page.getByLabel("Name", { exact: true }), "my-lab");
    await hands.write(page.getByLabel("Name of model"), "gcm");
    await hands.press(page.getByRole("button", { name: "Create", exact: true }));
    await page.getByRole("row", { name: /my-lab.*model: gcm/ }).waitFor();
    // The focus is where somebody goes on, not lost with the form.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await hands.press(page.getByRole("link", { name: "Search in my-lab" }));
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect((await addressOf(page)).href).toContain("flavour=my-lab");
    await page.getByText("gcm").first().waitFor();
    await page.goBack();
    await hands.press(page.getByRole("button", { name: "Change my-lab" }));
    await hands.write(page.getByLabel("Name", { exact: true }), "our-lab");
    await hands.write(page.getByLabel("Name of experiment"), "scenario");
    await hands.press(page.getByRole("button", { name: "Save" }));
    await page.getByRole("row", { name: /our-lab.*model: gcm, experiment: scenario/ }).waitFor();
    await hands.press(page.getByRole("button", { name: "Delete our-lab" }));
    await hands.press(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await expect.poll(() => page.getByRole("row", { name: /our-lab/ }).count()).toBe(0);
    // What only administrators may, the service refuses, and says so.
    await hands.press(page.getByRole("button", { name: "Create a vocabulary" }));
    await hands.write(page.getByLabel("Name", { exact: true }), "for-all");
    await hands.press(page.getByLabel("For everyone"));
    await hands.press(page.getByRole("button", { name: "Create", exact: true }));
    await page
      .getByRole("alert")
      .getByText(/administrators/i)
      .first()
      .waitFor();
    await close();
  });

  it("have no fault for axe, in light and dark, on a phone and enlarged", async () => {
    await expectAccessible(browsing, "flavours", async (page) => {
      await page.getByRole("cell", { name: "built in" }).first().waitFor();
      await signIn(page);
      await page.getByRole("button", { name: "Create a vocabulary" }).click();
      await page.getByLabel("Name of model").waitFor();
      await page.getByRole("cell", { name: "built in" }).first().waitFor();
    });
  });
});
