#!/usr/bin/env node
/** The command line. Each command loads its code when it runs, so that short commands start fast. */
import { Command } from "commander";
import { addAccountCommands } from "./cli/accounts/account-commands.js";
import { addAuditCommands } from "./cli/audit/audit-commands.js";
import { addCompletionCommands } from "./cli/completion/completion-command.js";
import { addCrawlCommand } from "./cli/crawl/crawl-command.js";
import { addDoctorCommand } from "./cli/doctor/doctor-command.js";
import { addDownloadCommand } from "./cli/download/download-command.js";
import {
  addBackupCommands,
  addIndexCommand,
  addRemoveCommand,
  addSolrCommands,
} from "./cli/index/index-commands.js";
import { addJoinCommand } from "./cli/join/join-command.js";
import { addSearchCommand } from "./cli/search/search-command.js";
import { config, readSettings } from "./cli/service/config.js";
import { addUserDataCommands } from "./cli/user-data/user-data-commands.js";
import { sentenceOf } from "./platform/errors.js";
import { guardOutput, OutputClosed } from "./platform/output.js";
import { readManifest } from "./platform/package-root.js";

const { version, description } = readManifest();

const program = new Command("climate-nextgen")
  .description(`${description}. Settings come from the environment, see .env.example.`)
  .version(version, "-V, --version")
  .showHelpAfterError();

program
  .command("serve")
  .description("run the service; without SOLR_URL it starts its own Solr")
  .option("--workers <number>", "number of worker processes, one per processor core (WORKERS)")
  .action(async ({ workers }: { workers?: string }) => {
    const { serve } = await import("./cli/service/serve.js");
    // The service itself warns of misspelled settings, in its log or on the terminal.
    await serve(await readSettings(workers === undefined ? {} : { WORKERS: workers }));
  });

addIndexCommand(program);
addRemoveCommand(program);
addSearchCommand(program);
addDownloadCommand(program);
addCrawlCommand(program, async (paths, settings) => {
  const { crawl } = await import("./cli/crawl/crawl.js");
  process.exitCode = await crawl(await config(), paths, settings);
});
addDoctorCommand(program);
addJoinCommand(program);
addAccountCommands(program, version);
addUserDataCommands(program);
addSolrCommands(program);
addBackupCommands(program, version);
addAuditCommands(program);
addCompletionCommands(program);

guardOutput();
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof OutputClosed)) report(error);
}

function report(error: unknown): void {
  process.stderr.write(`${sentenceOf(error) ?? (error as Error).stack}\n`);
  process.exitCode = 1;
}
