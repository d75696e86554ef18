/** The user of a first start. */
import { randomBytes } from "node:crypto";
import type { Accounts } from "../../identity/accounts/accounts.js";
import { PasswordHasher } from "../../identity/accounts/password-hash.js";
import type { Config } from "../../server/config.js";
import { editAccounts } from "../accounts/edit-accounts.js";
import { recordChange } from "../accounts/record-change.js";

/**
 * Makes the user `demo` where no users were ever made and no identity provider has any; once, however many instances
 * start.
 *
 * @returns the password, which is kept nowhere; undefined when there are users
 */
export async function makeDemoUser(
  config: Config,
  { users, claimFirstUser }: Accounts,
): Promise<string | undefined> {
  if (config.auth.outside !== undefined) return undefined;
  return editAccounts(config, async () => {
    if (!(await claimFirstUser())) return undefined;
    const password = randomBytes(12).toString("base64url");
    const hasher = new PasswordHasher();
    await users.add("demo", "demo@localhost", await hasher.hash(password));
    await hasher.close();
    await recordChange(config, "user-added", "demo");
    return password;
  });
}
