/** The command `crawl`, as the command line shows it. */
import type { Command } from "commander";
import { keyValue, several } from "../terminal/key-value.js";
import type { CrawlSettings } from "./crawl.js";

const HELP = `
Path templates and attributes of a standard are data: --drs names one of the package (cmip5, cmip6, cmip7, cordex,
cordex-cmip6, nextgems, freva) or a file of your own, as docs/drs.md tells.

What the index has is not opened again while size, time and inode are the same, so a crawl that was ended anywhere
is completed by the next. Entries of files that are gone are taken out when their folder was listed to its end and
is not empty. The exit status is 1 when something was refused or left for the next time.

Lists have a path a line, or a NUL behind each; +PATH is there, -PATH has gone. Of a folder with a slash at its end
everything is taken.

Examples:
  climate-nextgen crawl --drs cmip6 /pool/data/CMIP6
  climate-nextgen crawl --drs cmip6 --dry-run ~/CMIP6 > catalogue.jsonl
  climate-nextgen crawl --drs cmip6 --shard 1/4 /pool/data/CMIP6
  lfs find /pool/data -type f -mtime -1 -print0 | climate-nextgen crawl --drs cmip6 -
  climate-nextgen crawl --drs cordex --archive '/arch/*=hsm' /arch/cordex`;

/** Adds it to a program. @param run what it does */
export function addCrawlCommand(
  program: Command,
  run: (paths: readonly string[], settings: CrawlSettings) => Promise<void>,
): void {
  program
    .command("crawl")
    .description("bring the index up to what lies in folders of data")
    .argument("[path...]", "folders and files; - for a list of paths on standard input")
    .requiredOption("--drs <name|file>", "the data reference syntax of the paths")
    .option("--facet <key=value>", "a facet of all files, which wins", keyValue)
    .option("--dataset <name>", "the collection that they are: the facet dataset")
    .option("--from <file>", "a list of paths that are there; - for standard input", several)
    .option("--removed-from <file>", "a list of paths that have gone, taken out if so", several)
    .option("--archive <pattern=fs_type>", "paths whose files are never opened", several)
    .option("--shard <i/n>", "of n crawls of the same tree this is the i-th")
    .option("--min-age <seconds>", "leave files for the next time that are younger", "60")
    .option("--checksum", "read all of each file for its SHA-256")
    .option("--keep-gone", "take nothing out")
    .option("--dry-run", "print the documents of all files as JSON Lines; Solr is not asked")
    .option("--report <file>", "say there what was refused, not on standard error")
    .addHelpText("after", HELP)
    .action((paths: string[], settings: CrawlSettings) => run(paths, settings));
}
