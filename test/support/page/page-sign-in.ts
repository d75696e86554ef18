/** Signing in on the page, as a person does who uses a keyboard. */
import type { Page } from "playwright-core";
import { PASSWORD } from "../service/sign-in.js";
import { tabTo } from "./hands.js";

/** What leads to the sign-in page, in the head of every view. */
export const signInButton = (page: Page) =>
  page.getByRole("banner").getByRole("button", { name: "Sign in" });

/** What stands in the head of every view once somebody has signed in. */
export const accountLink = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("link", { name: `Account: ${name}` });

/** Gives name and password on the sign-in page. */
export async function giveCredentials(page: Page, name: string, password = PASSWORD) {
  await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  await tabTo(page, page.getByLabel("User name"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(name);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
}

/** Signs in, from wherever the page is, and is there again. */
export async function signInOn(page: Page, name: string): Promise<void> {
  await signInButton(page).click();
  await giveCredentials(page, name);
  await accountLink(page, name).waitFor();
}
