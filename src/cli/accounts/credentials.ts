/** Finds the tokens for a command. A file or the environment is safer than an argument, which the process list shows. */

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { refusalOf } from "../../platform/errors.js";
import type { Credentials } from "../client/authenticate.js";
import { AuthenticationError } from "../client/authentication-error.js";

interface RefreshTokenOptions {
  readonly username?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly refreshTokenFile?: string | undefined;
}

/** The options by which a command calls a service. */
export interface CredentialOptions extends RefreshTokenOptions {
  readonly host?: string | undefined;
}

const REFRESH_TOKEN = "CLIMATE_NEXTGEN_REFRESH_TOKEN";
const SCRIPT_TOKEN = "CLIMATE_NEXTGEN_TOKEN";

const withTokenFile = (command: Command): Command =>
  command.option(
    "--refresh-token-file <file>",
    "read the refresh token from a file; - for standard input",
  );

/** Tells in the help of a command where it finds its token. */
export const TOKENS = `The token cached by "climate-nextgen auth" is used, the refresh token in
${REFRESH_TOKEN}, or a token for scripts in ${SCRIPT_TOKEN}.`;

/** Adds the options of those who may sign in, but need not. */
export const withCredentials = (command: Command): Command =>
  withTokenFile(
    command.option("-u, --username <name>", "login name; the terminal asks for it if it is needed"),
  );

export const withRefreshToken = (command: Command): Command =>
  withTokenFile(
    command.option(
      "-r, --refresh-token <token>",
      "use this instead of name and password; visible in the process list",
    ),
  ).addHelpText(
    "after",
    `\nA refresh token can also be set in the environment, as ${REFRESH_TOKEN}.`,
  );

/**
 * The credentials of the options or of the environment. The options take precedence, and a refresh token over one for scripts.
 *
 * @throws AuthenticationError as `refreshTokenOf`
 */
export async function credentialsOf(options: CredentialOptions): Promise<Credentials> {
  const { host, username } = options;
  const refreshToken = await refreshTokenOf(options);
  const isNamed = username !== undefined || refreshToken !== undefined;
  return {
    host,
    username,
    refreshToken,
    scriptToken: isNamed ? undefined : fromEnvironment(SCRIPT_TOKEN),
  };
}

/**
 * The refresh token of the options or of the environment. A user name in the options takes precedence over the environment.
 *
 * @throws AuthenticationError if the file cannot be read or is empty
 */
export async function refreshTokenOf({
  username,
  refreshToken,
  refreshTokenFile,
}: RefreshTokenOptions): Promise<string | undefined> {
  if (refreshToken !== undefined) return refreshToken;
  if (refreshTokenFile !== undefined) return tokenIn(refreshTokenFile);
  return username === undefined ? fromEnvironment(REFRESH_TOKEN) : undefined;
}

const fromEnvironment = (name: string): string | undefined =>
  process.env[name]?.trim() || undefined;

async function tokenIn(file: string): Promise<string> {
  const content = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new AuthenticationError(`${file} cannot be read (${refusalOf(cause)}).`, { cause });
    },
  );
  const [token = ""] = content.trim().split(/\s/);
  if (token === "") throw new AuthenticationError(`${file} contains no refresh token.`);
  return token;
}
