/** The commands `clients ...`: applications that request tokens under their own name. */
import { AccountError } from "../../identity/accounts/users.js";
import type { Config } from "../../server/settings/config.js";
import { withAccounts } from "./edit-accounts.js";
import { recordChange } from "./record-change.js";

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
