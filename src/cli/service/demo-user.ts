/** Creates the first user. */
import { randomBytes } from "node:crypto";
import type { Accounts } from "../../identity/accounts/accounts.js";
import { PasswordHasher } from "../../identity/accounts/password-hash.js";
import type { Config } from "../../server/settings/config.js";
import { editAccounts } from "../accounts/edit-accounts.js";
import { recordChange } from "../accounts/record-change.js";

/**
 * Creates the user `demo` if there was never a user and no identity provider is set. Only one of several instances
 * that start does it.
 *
 * @returns the password, which is not stored; undefined if no user was created
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
