/** What somebody types on the page stays, and the focus with it, whatever answers arrive meanwhile. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { focused } from "../../support/page/hands.js";
import { addressOf, useBrowsing } from "../../support/page/page.js";
import { signInButton, signInOn } from "../../support/page/page-sign-in.js";
import { useService, useUser } from "../../support/service/use-service.js";

const service = useService({ documents: "sample" });
const name = useUser(service);
const browsing = useBrowsing(service);

const timeOf = async (page: Page) => (await addressOf(page)).searchParams.get("time");

describe("a period", () => {
  it("is typed from end to end without leaving the keyboard, also after a sign-out", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&time=1850+to");
    const type = async (from: string, to: string): Promise<void> => {
      await page.getByLabel("From", { exact: true }).fill(from);
      await page.keyboard.press("Tab");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(to);
      await page.keyboard.press("Enter");
    };
    await type("1990", "2000");
    expect(await timeOf(page)).toBe("1990 to 2000");
    expect(await focused(page)).toBe("INPUT To");
    await page.waitForLoadState("networkidle");
    expect(await focused(page)).toBe("INPUT To");
    await signInOn(page, name);
    await page.getByRole("link", { name: `Account: ${name}` }).click();
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await signInButton(page).waitFor();
    expect(await focused(page)).toBe("BUTTON Sign in");
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await type("1991", "2001-06");
    expect(await timeOf(page)).toBe("1991 to 2001-06");
    expect(await focused(page)).toBe("INPUT To");
    await page.getByRole("button", { name: "Any period" }).press("Enter");
    expect(await timeOf(page)).toBeNull();
    expect(await focused(page)).toMatch(/^BUTTON Last 30 years/);
    await close();
  });

  it("is shown when Back restores it, and stays while it is typed", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&time=1850+to+1900");
    const [from, to] = [
      page.getByLabel("From", { exact: true }),
      page.getByLabel("To", { exact: true }),
    ];
    await page.getByRole("button", { name: "Historical 1850 to 2014" }).click();
    await expect.poll(() => to.inputValue()).toBe("2014");
    await from.fill("1");
    await page.evaluate(() => history.back());
    await expect.poll(() => to.inputValue()).toBe("1900");
    expect(await from.inputValue()).toBe("1");
    await close();
  });
});

describe("a region", () => {
  it("is typed side by side", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&bbox=-10,30,35,70");
    await page.getByLabel("West", { exact: true }).focus();
    for (const side of ["170", "-170", "-20", "20.5"]) {
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(side);
      await page.keyboard.press("Tab");
    }
    const bbox = async () => (await addressOf(page)).searchParams.get("bbox");
    await expect.poll(bbox).toBe("170,-170,-20,20.5");
    await page.getByText("Region: 170°E to 170°W, 20°S to 20.5°N", { exact: true }).waitFor();
    await close();
  });
});
