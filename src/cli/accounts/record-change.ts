/** Writes account changes by commands to the audit log of the service. */
import { userInfo } from "node:os";
import { openAudit } from "../../server/audit/audit.js";
import type { Config } from "../../server/settings/config.js";
import { report } from "../terminal/print-line.js";

type AccountAction =
  | "user-added"
  | "password-changed"
  | "administrator-made"
  | "administrator-removed"
  | "user-disabled"
  | "user-removed"
  | "client-added"
  | "client-removed"
  | "keys-rotated"
  | "keys-sealed";

/** The system user who runs the command. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}

/**
 * Records a change that was made. A failure to record is reported and undoes nothing. Nothing is recorded if the
 * audit goes to standard output, which belongs to the command.
 *
 * @param name user name or client id
 */
export async function recordChange(
  { audit: settings }: Config,
  action: AccountAction,
  name?: string,
): Promise<void> {
  if (settings === undefined || settings.to === "stdout") return;
  try {
    const print = (): boolean => false;
    const audit = await openAudit(settings, { report, print, isCommand: true });
    audit?.recordAccount(action, name, machineUser());
    await audit?.close();
  } catch (error) {
    report(`The change was made but not recorded: ${(error as Error).message}`);
  }
}
