/** Signing in and out on the page, and tokens for scripts, in a real browser. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeViolations } from "../support/page/axe.js";
import { handsOf, tabTo } from "../support/page/hands.js";
import { holdRequests } from "../support/page/hold-requests.js";
import { addressOf, expectAccessible, useBrowsing } from "../support/page/page.js";
import {
  accountLink,
  giveCredentials,
  signInButton,
  signInOn,
} from "../support/page/page-sign-in.js";
import { status } from "../support/service/sign-in.js";
import { useService, useUser } from "../support/service/use-service.js";

// So short that what takes some seconds renews it.
const service = useService({ auth: { accessTokenLifetime: 4 } });
const name = useUser(service);
const browsing = useBrowsing(service);

const account = (page: Page) => accountLink(page, name);

/** All that a browser keeps of the page beyond its memory, and what stands in its address. */
async function kept(page: Page, context: BrowserContext): Promise<string> {
  const inPage = await page.evaluate(async () =>
    JSON.stringify([
      { ...sessionStorage },
      { ...localStorage },
      await indexedDB.databases(),
      await caches.keys(),
      [location.href, document.cookie, name, JSON.stringify(history.state)],
    ]),
  );
  return inPage + JSON.stringify(await context.storageState({ indexedDB: true }));
}

/** Hears of every address, and of every token that the service gives. */
function listen(page: Page) {
  const [addresses, secrets]: [string[], Set<string>] = [[], new Set()];
  page.on("request", (request) => addresses.push(request.url()));
  page.on("framenavigated", (frame) => addresses.push(frame.url()));
  page.on("response", async (response) => {
    if (!response.url().endsWith("/auth/v2/token") || response.status() !== 200) return;
    const { access_token, refresh_token } = await response.json();
    for (const token of [access_token, refresh_token]) secrets.add(token);
  });
  return { addresses, secrets };
}

it("a user signs in by keyboard and stays on the view; a reload keeps that, signing out ends it", async () => {
  const { page, context, close } = await browsing.openPage("flavours?flavour=native&variable=tas");
  const where = (await addressOf(page)).href;
  const { addresses, secrets } = listen(page);
  await tabTo(page, signInButton(page));
  await page.keyboard.press("Enter");
  await giveCredentials(page, name, "wrong");
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("wrong");
  await giveCredentials(page, name);
  await account(page).waitFor();
  expect((await addressOf(page)).href).toBe(where);

  await page.reload();
  await account(page).waitFor();
  expect((await addressOf(page)).href).toBe(where);
  await expect.poll(() => secrets.size).toBeGreaterThanOrEqual(4);

  const everything = await kept(page, context);
  expect(everything).toContain("climate-nextgen signed in");
  for (const secret of secrets) {
    expect(everything).not.toContain(secret);
    expect(addresses.join("\n")).not.toContain(secret);
  }
  const codes = addresses.filter((address) => /[?&]code=/.test(address));
  expect(codes.length).toBeGreaterThanOrEqual(2);
  expect(everything).not.toMatch(/cnc_|cnr_|eyJ|verifier/);
  const cookies = await context.cookies();
  expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([[true, "Lax"]]);

  // A new tab is signed in as well, with tokens of its own.
  const tab = await context.newPage();
  const { secrets: others } = listen(tab);
  await tab.goto(`${service.address}/account`);
  await tab.getByText("Signed in as").waitFor();
  expect((await addressOf(tab)).href).toBe(`${service.address}/account`);
  expect([...others].filter((token) => secrets.has(token))).toEqual([]);

  await handsOf(page).keyboard.press(account(page));
  await handsOf(page).keyboard.press(page.getByRole("button", { name: "Sign out" }));
  await signInButton(page).waitFor();
  await tab.getByText("You have signed out in another tab.").waitFor();
  await tab.close();
  await page.reload();
  await signInButton(page).click();
  await page.getByLabel("Password").waitFor();
  await page.getByRole("link", { name: "Back without signing in" }).click();
  await signInButton(page).waitFor();
  expect((await addressOf(page)).href).toBe(
    `${service.address}/account?flavour=native&variable=tas`,
  );
  await close();
});

it("Back after a sign-in leads to where it began, never to the address of its answer", async () => {
  const { page, close } = await browsing.openPage("coverage?flavour=native");
  await page.getByRole("link", { name: "Vocabularies" }).click();
  await page.getByRole("heading", { level: 1, name: "Vocabularies" }).waitFor();
  const where = (await addressOf(page)).href;
  await signInOn(page, name);
  const seen: string[] = [];
  for (let step = 0; step < 6 && !(await addressOf(page)).href.includes("coverage"); step++) {
    await page.goBack();
    await account(page).waitFor();
    seen.push((await addressOf(page)).href);
  }
  expect(seen.at(-1)).toMatch(/\/coverage\?flavour=native/);
  expect(new Set(seen.slice(0, -1))).toEqual(new Set([where]));
  await close();
});

it("a new tab of a browser whose sign-in is over is signed out silently, and tries once", async () => {
  const { page, context, close } = await browsing.openPage("account");
  await signInOn(page, name);
  await context.clearCookies();
  const tab = await context.newPage();
  const { addresses } = listen(tab);
  await tab.goto(`${service.address}/flavours`);
  await signInButton(tab).waitFor();
  expect(await tab.locator(".sign-in-note").count()).toBe(0);
  await tab.reload();
  await signInButton(tab).waitFor();
  expect((await addressOf(tab)).href).toBe(`${service.address}/flavours`);
  expect(addresses.filter((address) => address.includes("prompt=none"))).toHaveLength(1);
  await close();
});

it("a script token is made, copied, used as the page says, and revoked", async () => {
  const { page, context, close } = await browsing.openPage("account");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInOn(page, name);
  await page.getByText("You have no tokens.").waitFor();
  await page.getByLabel("Purpose").fill("nightly job");
  await page.getByLabel("Expires after").selectOption({ label: "7 days" });
  await page.getByRole("button", { name: "Create a token" }).click();
  await page.getByRole("heading", { name: "Token “nightly job” created" }).waitFor();
  await page.getByRole("button", { name: "Copy the token" }).click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect(token).toMatch(/^cns_/);
  expect((await status(service, token)).status).toBe(200);
  await page.getByText("Show code").click();
  const line = (await page.locator("pre code").textContent()) ?? "";
  expect(line).not.toContain(token);
  const env = { ...process.env, TOKEN: token };
  const said = await promisify(execFile)("bash", ["-c", line], { env });
  expect(JSON.parse(said.stdout)).toMatchObject({ email: `${name}@example.org` });
  expect(await kept(page, context)).not.toContain(token);

  const renewed = page.waitForResponse((answer) => {
    const form = new URLSearchParams(answer.request().postData() ?? "");
    return form.get("grant_type") === "refresh_token" && answer.status() === 200;
  });
  await page.waitForTimeout(3700);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "Revoke nightly job" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("You have no tokens.").waitFor();
  await renewed;
  // What was pressed is gone, and the keyboard's place is not.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BUTTON");
  expect((await status(service, token)).status).toBe(401);
  await close();
});

it.each(["request", "answer"] as const)(
  "a sign-out is not undone by a renewal on its way, whose %s is late",
  async (part) => {
    const { page, close } = await browsing.openPage("account");
    const { secrets } = listen(page);
    await signInOn(page, name);
    await page.getByText("You have no tokens.").waitFor();
    const revoked: (string | null)[] = [];
    page.on("response", (answer) => {
      if (!answer.url().endsWith("/auth/v2/revoke")) return;
      revoked.push(new URLSearchParams(answer.request().postData() ?? "").get("token"));
    });
    const late = await holdRequests(page, "POST", "**/auth/v2/token", part);
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 60_000;
    });
    await page.getByRole("link", { name: "Vocabularies" }).click();
    await late.arrived;
    await account(page).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInButton(page).waitFor();
    await expect.poll(() => revoked.length).toBe(1);
    const answered = page.waitForResponse("**/auth/v2/token");
    await late.release();
    await answered;
    const sent = page.waitForRequest("**/databrowser/flavours*");
    await page.getByRole("link", { name: "Vocabularies" }).click();
    expect(await (await sent).headerValue("Authorization")).toBeNull();
    expect(await page.locator(".sign-in-note").count()).toBe(0);
    // The service may have made the new tokens after it had revoked the others.
    const given = () => [...secrets].findLast((token) => token.startsWith("cnr_"));
    await expect.poll(() => revoked.length).toBe(part === "answer" ? 2 : 1);
    await expect.poll(given).toBe(revoked.at(-1));
    await close();
  },
);

it("a sign-out in another tab is not undone by a sign-in on its way", async () => {
  const { page, context, close } = await browsing.openPage("account");
  await signInOn(page, name);
  const tab = await context.newPage();
  const late = await holdRequests(tab, "POST", "**/auth/v2/token", "answer");
  await tab.goto(`${service.address}/account`);
  await late.arrived;
  await page.getByRole("button", { name: "Sign out" }).click();
  await tab.getByText("You have signed out in another tab.").waitFor();
  const revoked = tab.waitForResponse("**/auth/v2/revoke");
  await late.release();
  await revoked;
  await signInButton(tab).waitFor();
  expect(await account(tab).count()).toBe(0);
  expect(await tab.evaluate(() => ({ ...localStorage }))).toEqual({});
  await close();
});

it("an answer that this tab did not request signs nobody in, and leaves the address", async () => {
  const { page, close } = await browsing.openPage("account?code=cnc_x&state=y&iss=z");
  await signInButton(page).waitFor();
  expect((await addressOf(page)).href).toBe(`${service.address}/account`);
  await close();
});

it("axe finds no fault in the sign-in page, and in the account with a new token", {
  tags: ["slow"],
}, async () => {
  let count = 0;
  await expectAccessible(browsing, "account", async (page) => {
    count += 1;
    const shoot = async (what: string): Promise<void> => {
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${what}-${count}.png`, fullPage: true });
    };
    await signInButton(page).click();
    await giveCredentials(page, name, "wrong");
    await page.getByRole("alert").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await shoot("sign-in");
    await giveCredentials(page, name);
    await page.getByLabel("Purpose").fill(`for axe ${count}`);
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByRole("button", { name: "Copy the token" }).waitFor();
    await shoot("account");
  });
});
