/** Declares the commands `statistics` and `audit`. */
import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../../platform/errors.js";
import { dayOf } from "../../server/audit/days.js";
import type { Config } from "../../server/settings/config.js";
import { config } from "../service/config.js";
import { printLine } from "../terminal/print-line.js";
import type { StatisticsOptions } from "./statistics.js";

function day(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || dayOf(time) !== text) {
    throw new InvalidArgumentError("Write a day such as 2026-11-22.");
  }
  return text;
}

function days(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1.");
}

/** Prints the pseudonym of a text in the audit, for which its key must be permanent. */
async function pseudonym({ audit }: Config, text: string): Promise<void> {
  const isPermanent = audit?.key.text !== undefined || audit?.key.file !== undefined;
  if (audit === undefined || (audit.to === "stdout" && !isPermanent)) {
    throw new UserError("Set AUDIT to a folder, or set AUDIT_KEY.");
  }
  const { knownPseudonyms } = await import("../../server/audit/pseudonyms.js");
  const folder = audit.to === "stdout" ? "" : audit.to.folder;
  await printLine((await knownPseudonyms(audit.key, folder)).of(text));
}

export function addAuditCommands(program: Command): void {
  program
    .command("statistics")
    .description("print what was searched and read, and which searches found nothing")
    .argument("[folder...]", "AUDIT folders of one or more instances (default: the setting AUDIT)")
    .option("--days <number>", "the last days, including today (30)", days)
    .option("--from <day>", "the first day, such as 2026-11-01 (UTC)", day)
    .option("--to <day>", "the last day (default: today)", day)
    .option("--top <number>", "lines of each table", days, 20)
    .option("--json", "print JSON")
    .action(async (folders: string[], options: StatisticsOptions) =>
      (await import("./statistics.js")).statistics(await config(), folders, options),
    );
  program
    .command("audit")
    .description("find a person in the audit records")
    .command("pseudonym")
    .description("print the pseudonym of a name, a subject or an address")
    .argument("<text>")
    .action(async (text: string) => pseudonym(await config(), text));
}
