/** The commands `users ...`: the accounts of this service. */
import { PasswordHasher } from "../../identity/accounts/password-hash.js";
import { AccountError, checkName, checkPassword } from "../../identity/accounts/users.js";
import type { Config } from "../../server/settings/config.js";
import { readPassword } from "../client/ask.js";
import { report } from "../terminal/print-line.js";
import { withAccounts } from "./edit-accounts.js";
import { recordChange } from "./record-change.js";

export interface PasswordOptions {
  /** Read the first line of standard input. */
  readonly passwordStdin?: boolean;
}

export async function addUser(
  config: Config,
  name: string,
  options: PasswordOptions & { readonly email?: string; readonly admin?: boolean },
): Promise<void> {
  checkName(name);
  const { sub } = await withAccounts(config, async ({ users, edit, claimFirstUser }) => {
    if ((await users.current(name)) !== undefined)
      throw new AccountError(`A user ${name} exists already.`);
    const hash = await newPassword(name, options);
    return edit(async () => {
      await claimFirstUser();
      return users.add(name, options.email ?? "", hash, options.admin === true);
    });
  });
  await recordChange(config, "user-added", name);
  if (options.admin === true) await recordChange(config, "administrator-made", name);
  report(`Added the user ${name} (${sub}).`);
}

export async function changePassword(
  config: Config,
  name: string,
  options: PasswordOptions,
): Promise<void> {
  await withAccounts(config, async ({ users, edit }) => {
    if ((await users.current(name)) === undefined)
      throw new AccountError(`There is no user ${name}.`);
    const hash = await newPassword(name, options);
    await edit(() => users.setPassword(name, hash));
  });
  await recordChange(config, "password-changed", name);
  report(`The user ${name} has a new password; earlier refresh tokens are not valid any more.`);
}

/** Prints the users as JSON, without their password hashes. */
export async function listUsers(config: Config): Promise<void> {
  const users = await withAccounts(config, async ({ users, load }) => {
    await load();
    return users.list();
  });
  const shown = users.map(({ name, sub, email, disabled, administrator = false }) => ({
    ...{ name, sub, email, disabled, administrator },
  }));
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
}

/** Gives or takes the right to change what is for all. */
export async function setAdministrator(
  config: Config,
  name: string,
  isOne: boolean,
): Promise<void> {
  await withAccounts(config, ({ users, edit }) => edit(() => users.setAdministrator(name, isOne)));
  await recordChange(config, isOne ? "administrator-made" : "administrator-removed", name);
  report(`The user ${name} is ${isOne ? "an" : "no"} administrator${isOne ? "" : " any more"}.`);
}

export async function disableUser(config: Config, name: string): Promise<void> {
  await withAccounts(config, ({ users, edit }) => edit(() => users.disable(name)));
  await recordChange(config, "user-disabled", name);
  report(`The user ${name} cannot sign in any more; a new password undoes that.`);
}

export async function removeUser(config: Config, name: string): Promise<void> {
  await withAccounts(config, ({ users, edit }) => edit(() => users.remove(name)));
  await recordChange(config, "user-removed", name);
  report(`Removed the user ${name}.`);
}

async function newPassword(name: string, { passwordStdin }: PasswordOptions): Promise<string> {
  const password = passwordStdin ? await firstLine() : await askTwice(name);
  checkPassword(password);
  const hasher = new PasswordHasher();
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
}

async function askTwice(name: string): Promise<string> {
  const ask = (question: string): Promise<string> => readPassword(question, "use --password-stdin");
  const password = await ask(`New password of ${name}: `);
  if ((await ask("The same again: ")) === password) return password;
  throw new AccountError("The two passwords differ.");
}

async function firstLine(): Promise<string> {
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  return text.split(/\r?\n/)[0] ?? "";
}
