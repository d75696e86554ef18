/** The commands `users`, `clients` and `keys`: who may sign in, and the keys that sign access tokens. */
import { PasswordHasher } from "../../identity/accounts/password-hash.js";
import { AccountError, checkName, checkPassword } from "../../identity/accounts/users.js";
import { SetupError } from "../../index/collections/setup-error.js";
import type { Config } from "../../server/settings/config.js";
import { readPassword } from "../client/ask.js";
import { report } from "../terminal/print-line.js";
import { withAccounts } from "./edit-accounts.js";
import { recordChange } from "./record-change.js";

interface PasswordOptions {
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
    name,
    sub,
    email,
    disabled,
    administrator,
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

/** Adds a client, or gives it a new secret; prints the secret as JSON, which is the only time it is shown. */
export async function addClient(config: Config, id: string, isPublic: boolean): Promise<void> {
  const secret = await withAccounts(config, ({ clients, edit }) =>
    edit(() => clients.add(id, !isPublic)),
  );
  await recordChange(config, "client-added", id);
  const shown = { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
  process.stdout.write(`${JSON.stringify(shown)}\n`);
}

/** Prints the clients as JSON, without the hashes of their secrets. */
export async function listClients(config: Config): Promise<void> {
  const clients = await withAccounts(config, async ({ clients, load }) => {
    await load();
    return clients.list();
  });
  const shown = clients.map(({ id, secret }) => ({ client_id: id, public: secret === undefined }));
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
}

export async function removeClient(config: Config, id: string): Promise<void> {
  const removed = await withAccounts(config, ({ clients, edit }) => edit(() => clients.remove(id)));
  if (!removed) throw new AccountError(`The client ${id} does not exist.`);
  await recordChange(config, "client-removed", id);
}

/** Makes a new key. A running service signs its next token with it; other instances of the same Solr follow within two seconds. */
export async function rotateKeys(config: Config): Promise<void> {
  const kid = await withAccounts(config, async ({ keys, edit }) => {
    const made = await edit(() => keys.add());
    await keys.prune();
    return made;
  });
  await recordChange(config, "keys-rotated");
  report(
    "Earlier keys stay valid until the tokens that they signed expire; shared addresses are no longer valid.",
  );
  process.stdout.write(`${JSON.stringify({ kid })}\n`);
}

/** Seals the private keys in Solr under the first key of STATE_KEY. @throws SetupError if the keys are files */
export async function sealKeys(config: Config): Promise<void> {
  const count = await withAccounts(config, async ({ shared, edit }) => {
    if (shared === undefined) {
      throw new SetupError(
        "Without SOLR_URL the keys are files in DATA_DIR, which are not sealed.",
      );
    }
    return edit(() => shared.keys.seal());
  });
  if (count > 0) await recordChange(config, "keys-sealed");
  report(
    count === 0
      ? "All keys are sealed under the first key of STATE_KEY already."
      : `Sealed ${count} key${count === 1 ? "" : "s"} under the first key of STATE_KEY; the others are not needed any more.`,
  );
}
