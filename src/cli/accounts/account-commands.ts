/** The commands about tokens, users, clients and keys, as the command line shows them; each loads what it needs. */
import type { Command } from "commander";
import { config } from "../service/config.js";
import type { AuthCommandOptions } from "./auth.js";
import { withRefreshToken } from "./refresh-token.js";

const accounts = () => import("./users.js");
const applications = () => import("./clients.js");

/** Adds them to a program. */
export function addAccountCommands(program: Command, version: string): void {
  withRefreshToken(program.command("auth"))
    .description("get a token for a service, kept or new, and print it as JSON")
    .version(version, "-V, --version")
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("-u, --username <name>", "login name; asked for where it is needed")
    .option("-f, --force", "make a new token even if the kept one is valid")
    .option("-v, --verbose", "say what happens", (_, count: number) => count + 1, 0)
    .action(async (options: AuthCommandOptions) => (await import("./auth.js")).auth(options));

  const users = program.command("users").description("manage the accounts of this service");
  users
    .command("add")
    .description("add a user; the password is asked for")
    .argument("<name>")
    .option("--email <address>", "e-mail address")
    .option("--admin", "an administrator, who may change what is for all")
    .option("--password-stdin", "read the password from standard input")
    .action(async (name: string, options) =>
      (await accounts()).addUser(await config(), name, options),
    );
  users
    .command("passwd")
    .description("set a user's password, and let a disabled user in again")
    .argument("<name>")
    .option("--password-stdin", "read the password from standard input")
    .action(async (name: string, options) =>
      (await accounts()).changePassword(await config(), name, options),
    );
  users
    .command("list")
    .description("print the users as JSON")
    .action(async () => (await accounts()).listUsers(await config()));
  users
    .command("admin")
    .description("make a user an administrator, who may change what is for all")
    .argument("<name>")
    .option("--remove", "no administrator any more")
    .action(async (name: string, options: { remove?: boolean }) =>
      (await accounts()).setAdministrator(await config(), name, options.remove !== true),
    );
  users
    .command("disable")
    .description("let a user in no more")
    .argument("<name>")
    .action(async (name: string) => (await accounts()).disableUser(await config(), name));
  users
    .command("remove")
    .description("remove a user")
    .argument("<name>")
    .action(async (name: string) => (await accounts()).removeUser(await config(), name));

  const clients = program.command("clients").description("manage the applications with a name");
  clients
    .command("add")
    .description("add a client, or give it a new secret, and print it as JSON")
    .argument("<id>")
    .option("--public", "without a secret")
    .action(async (id: string, options: { public?: boolean }) =>
      (await applications()).addClient(await config(), id, options.public === true),
    );
  clients
    .command("list")
    .description("print the clients as JSON")
    .action(async () => (await applications()).listClients(await config()));
  clients
    .command("remove")
    .description("remove a client")
    .argument("<id>")
    .action(async (id: string) => (await applications()).removeClient(await config(), id));

  const keys = program.command("keys").description("manage the keys that sign access tokens");
  keys
    .command("rotate")
    .description("sign with a new key from now on")
    .action(async () => (await import("./keys.js")).rotateKeys(await config()));
  keys
    .command("seal")
    .description("seal the private keys in Solr under the first key of STATE_KEY")
    .action(async () => (await import("./keys.js")).sealKeys(await config()));
}
