/** Where a command takes a refresh token from: an argument stands in the list of processes, for all to see. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { AuthenticationError } from "../client/authentication-error.js";

export interface RefreshTokenOptions {
  readonly username?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly refreshTokenFile?: string | undefined;
}

const VARIABLE = "CLIMATE_NEXTGEN_REFRESH_TOKEN";

/** Adds the options to a command. */
export const withRefreshToken = (command: Command): Command =>
  command
    .option("-r, --refresh-token <token>", "use this instead of name and password; others see it")
    .option("--refresh-token-file <file>", "the same, from a file, - for standard input")
    .addHelpText("after", `\nA refresh token may also be in the environment, as ${VARIABLE}.`);

/**
 * The refresh token that options or the environment name; a user name that is given goes before the environment.
 *
 * @throws AuthenticationError when a file cannot be read, or has none
 */
export async function refreshTokenOf(
  { username, refreshToken, refreshTokenFile }: RefreshTokenOptions,
  env = process.env,
): Promise<string | undefined> {
  if (refreshToken !== undefined) return refreshToken;
  if (refreshTokenFile !== undefined) return tokenIn(refreshTokenFile);
  return username === undefined ? env[VARIABLE]?.trim() || undefined : undefined;
}

async function tokenIn(file: string): Promise<string> {
  const content = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new AuthenticationError(`${file} cannot be read (${cause.code}).`, { cause });
    },
  );
  const [token = ""] = content.trim().split(/\s/);
  if (token === "") throw new AuthenticationError(`There is no refresh token in ${file}.`);
  return token;
}
