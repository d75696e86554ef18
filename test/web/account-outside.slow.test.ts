/** Signing in and out on the page, where accounts are at an outside provider. */
import { beforeAll, expect, it } from "vitest";
import { pageAddress } from "../../src/identity/sign-in/authorization-request.js";
import { addressOf, useBrowsing } from "../support/page/page.js";
import { accountLink, signInButton } from "../support/page/page-sign-in.js";
import { use } from "../support/run/use.js";
import { startForwarder } from "../support/service/forwarder.js";
import { useProvider } from "../support/service/identity-provider.js";
import { useService } from "../support/service/use-service.js";

/** The service's public address, which has to be known before it starts: the provider sends codes there. */
const door = use(startForwarder, (one) => one.close());
const provider = useProvider(undefined, () => [pageAddress(door.address)]);
const service = useService(() => ({
  baseUrl: door.address,
  auth: { outside: provider.outside },
}));
beforeAll(() => door.to([Number(new URL(service.address).port)]));
const browsing = useBrowsing(door);

it("a sign-in goes through the provider's pages, also out of the provider's own session", async () => {
  const { page, close, go } = await browsing.openPage("?flavour=cmip6&variable_id=tas", {
    elsewhere: provider.issuer,
  });
  const here = (await addressOf(page)).href;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await signInButton(page).click();
  await accountLink(page, "olga").waitFor();
  expect((await addressOf(page)).href).toBe(here);
  expect(asked.some((address) => address.startsWith(`${provider.issuer}/auth?`))).toBe(true);

  // The provider still knows this browser, so that a reload asks nobody.
  await page.reload();
  await accountLink(page, "olga").waitFor();
  expect((await addressOf(page)).href).toBe(here);

  await accountLink(page, "olga").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  const note = page.getByRole("status").filter({ hasText: "You are signed out here." });
  await note.getByRole("link", { name: "Sign out there as well" }).click();
  await page.waitForURL(`${provider.issuer}/session/end`);
  await page.getByRole("button", { name: /^Yes/ }).click();
  await page.getByRole("heading", { name: /sign-out success/i }).waitFor();
  const cookies = await page.context().cookies(provider.issuer);
  expect(cookies.map(({ name }) => name)).not.toContain("_session");

  await go("account");
  await signInButton(page).waitFor();
  await close();
});
