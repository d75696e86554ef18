/** The command `auth`: prints a token. */
import { authenticate } from "../client/authenticate.js";
import { report } from "../terminal/print-line.js";
import { refreshTokenOf } from "./refresh-token.js";

export interface AuthCommandOptions {
  readonly host?: string;
  readonly username?: string;
  readonly refreshToken?: string;
  readonly refreshTokenFile?: string;
  readonly force?: boolean;
  readonly print: "json" | "token";
  /** Number of -v options. */
  readonly verbose: number;
}

export async function auth({
  verbose,
  print,
  refreshTokenFile,
  ...options
}: AuthCommandOptions): Promise<void> {
  const refreshToken = await refreshTokenOf({ ...options, refreshTokenFile });
  const token = await authenticate({ ...options, refreshToken, ...(verbose > 0 && { report }) });
  process.stdout.write(
    `${print === "token" ? token.access_token : JSON.stringify(token, null, 2)}\n`,
  );
}
