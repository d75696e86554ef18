/** The command `auth`: prints a token. */
import { authenticate } from "../client/authenticate.js";

export interface AuthCommandOptions {
  readonly host?: string;
  readonly username?: string;
  readonly refreshToken?: string;
  readonly force?: boolean;
  /** How often -v was given. */
  readonly verbose: number;
}

/** @throws AuthenticationError */
export async function auth({ verbose, ...options }: AuthCommandOptions): Promise<void> {
  const report = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const token = await authenticate({ ...options, ...(verbose > 0 && { report }) });
  process.stdout.write(`${JSON.stringify(token, null, 2)}\n`);
}
