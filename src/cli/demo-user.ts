/** The user of a first start. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PasswordHasher } from "../auth/password-hash.js";
import { Users } from "../auth/users.js";
import type { Config } from "../config.js";
import { editAccounts } from "./edit-accounts.js";

/**
 * Makes the user `demo` where no users were ever made and no identity provider has any.
 *
 * @returns the password, which is kept nowhere; undefined when there are users
 */
export async function makeDemoUser(config: Config): Promise<string | undefined> {
  const known = (): boolean => existsSync(join(config.dataDir, "users.json"));
  if (known() || config.auth.outside !== undefined) return undefined;
  return editAccounts(config, async () => {
    // Another instance may have been faster.
    if (known()) return undefined;
    const password = randomBytes(12).toString("base64url");
    const hasher = new PasswordHasher();
    await new Users(config.dataDir).add("demo", "demo@localhost", await hasher.hash(password));
    await hasher.close();
    return password;
  });
}
