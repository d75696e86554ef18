/** The commands about tokens, users, clients and keys, as the command line shows them. */
import type { Command } from "commander";
import { readConfig } from "../config.js";
import { type AuthCommandOptions, auth } from "./auth.js";
import { addClient, listClients, removeClient } from "./clients.js";
import { rotateKeys } from "./keys.js";
import { withRefreshToken } from "./refresh-token.js";
import { addUser, changePassword, disableUser, listUsers, removeUser } from "./users.js";

const config = () => readConfig(process.env);

/** Adds them to a program. */
export function addAccountCommands(program: Command, version: string): void {
  withRefreshToken(program.command("auth"))
    .description("get a token for a service, kept or new, and print it as JSON")
    .version(version, "-V, --version")
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("-u, --username <name>", "login name; asked for where it is needed")
    .option("-f, --force", "make a new token even if the kept one is valid")
    .option("-v, --verbose", "say what happens", (_, count: number) => count + 1, 0)
    .action((options: AuthCommandOptions) => auth(options));

  const users = program.command("users").description("manage the accounts of this service");
  users
    .command("add")
    .description("add a user; the password is asked for")
    .argument("<name>")
    .option("--email <address>", "e-mail address")
    .option("--password-stdin", "read the password from standard input")
    .action((name: string, options) => addUser(config(), name, options));
  users
    .command("passwd")
    .description("set a user's password, and let a disabled user in again")
    .argument("<name>")
    .option("--password-stdin", "read the password from standard input")
    .action((name: string, options) => changePassword(config(), name, options));
  users
    .command("list")
    .description("print the users as JSON")
    .action(() => listUsers(config()));
  users
    .command("disable")
    .description("let a user in no more")
    .argument("<name>")
    .action((name: string) => disableUser(config(), name));
  users
    .command("remove")
    .description("remove a user")
    .argument("<name>")
    .action((name: string) => removeUser(config(), name));

  const clients = program.command("clients").description("manage the applications with a name");
  clients
    .command("add")
    .description("add a client, or give it a new secret, and print it as JSON")
    .argument("<id>")
    .option("--public", "without a secret")
    .action((id: string, options: { public?: boolean }) =>
      addClient(config(), id, options.public === true),
    );
  clients
    .command("list")
    .description("print the clients as JSON")
    .action(() => listClients(config()));
  clients
    .command("remove")
    .description("remove a client")
    .argument("<id>")
    .action((id: string) => removeClient(config(), id));

  program
    .command("keys")
    .description("manage the keys that sign access tokens")
    .command("rotate")
    .description("sign with a new key from now on")
    .action(() => rotateKeys(config()));
}
