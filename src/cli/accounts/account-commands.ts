/** Declares the commands `auth`, `users`, `clients` and `keys`; each loads its code when it runs. */
import { type Command, Option } from "commander";
import { config } from "../service/config.js";
import { report } from "../terminal/print-line.js";
import { type CredentialOptions, refreshTokenOf, withRefreshToken } from "./credentials.js";

const accounts = () => import("./accounts.js");

interface AuthOptions extends CredentialOptions {
  readonly force?: boolean;
  readonly print: "json" | "token";
  /** Number of -v options. */
  readonly verbose: number;
}

async function auth({ verbose, print, refreshTokenFile, ...options }: AuthOptions): Promise<void> {
  const { authenticate } = await import("../client/authenticate.js");
  const refreshToken = await refreshTokenOf({ ...options, refreshTokenFile });
  const token = await authenticate({ ...options, refreshToken, ...(verbose > 0 && { report }) });
  process.stdout.write(
    `${print === "token" ? token.access_token : JSON.stringify(token, null, 2)}\n`,
  );
}

export function addAccountCommands(program: Command, version: string): void {
  addAuth(program, version);
  addUsers(program.command("users").description("manage the accounts of this service"));
  addClients(program.command("clients").description("manage the registered applications"));
  addKeys(program.command("keys").description("manage the keys that sign access tokens"));
}

function addAuth(program: Command, version: string): void {
  withRefreshToken(program.command("auth"))
    .description("print a token for a service, the cached one if it is still valid")
    .version(version, "-V, --version")
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("-u, --username <name>", "login name; the terminal asks for it if it is needed")
    .option("-f, --force", "get a new token even if the cached one is valid")
    .addOption(
      new Option("--print <what>", "all of it as JSON, or the access token alone, for shells")
        .choices(["json", "token"])
        .default("json"),
    )
    .option("-v, --verbose", "print each step", (_, count: number) => count + 1, 0)
    .action(auth);
}

function addUsers(users: Command): void {
  users
    .command("add")
    .description("add a user; the password is asked for")
    .argument("<name>")
    .option("--email <address>", "e-mail address")
    .option("--admin", "make the user an administrator, who may change what all users share")
    .option("--password-stdin", "read the password from standard input")
    .action(async (name: string, options) =>
      (await accounts()).addUser(await config(), name, options),
    );
  users
    .command("passwd")
    .description("set a user's password; a disabled user can sign in again")
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
    .description("make a user an administrator, who may change what all users share")
    .argument("<name>")
    .option("--remove", "take the right away again")
    .action(async (name: string, options: { remove?: boolean }) =>
      (await accounts()).setAdministrator(await config(), name, options.remove !== true),
    );
  users
    .command("disable")
    .description("stop a user from signing in")
    .argument("<name>")
    .action(async (name: string) => (await accounts()).disableUser(await config(), name));
  users
    .command("remove")
    .description("remove a user")
    .argument("<name>")
    .action(async (name: string) => (await accounts()).removeUser(await config(), name));
}

function addClients(clients: Command): void {
  clients
    .command("add")
    .description("add a client, or give it a new secret, and print it as JSON")
    .argument("<id>")
    .option("--public", "a public client, which has no secret")
    .action(async (id: string, options: { public?: boolean }) =>
      (await accounts()).addClient(await config(), id, options.public === true),
    );
  clients
    .command("list")
    .description("print the clients as JSON")
    .action(async () => (await accounts()).listClients(await config()));
  clients
    .command("remove")
    .description("remove a client")
    .argument("<id>")
    .action(async (id: string) => (await accounts()).removeClient(await config(), id));
}

function addKeys(keys: Command): void {
  keys
    .command("rotate")
    .description("sign new tokens with a new key")
    .action(async () => (await accounts()).rotateKeys(await config()));
  keys
    .command("seal")
    .description("seal the private keys in Solr under the first key of STATE_KEY")
    .action(async () => (await accounts()).sealKeys(await config()));
}
