/** Declares the command `crawl`. */
import type { Command } from "commander";
import { keyValue, several } from "../terminal/key-value.js";
import type { CrawlSettings } from "./crawl.js";

const HELP = `
--drs names a standard of the package, such as cmip6 (an unknown name is answered with all of them), or a file of your own
with path templates and attributes, see docs/drs.md.

Indexed files whose size, time and inode are unchanged are not opened again, so an interrupted crawl is completed by
the next one. Entries of deleted files are removed if their folder was listed completely and is not empty. The exit
status is 1 if a file was refused or left for the next crawl.

With --again, unchanged files are described again: after a change of the standard, --facet, --dataset or --archive, or with a
new release. Their checksums stay.

With --checksum, unchanged files of which the index has no checksum are read too, at most --checksum-rate bytes a second in
all. Checksums are stored every few seconds, so an interrupted crawl goes on where it was.

A file that changed within the last minute is looked at twice, two seconds apart. It is left for the next crawl if its
size or time changes meanwhile, or changes while it is read.

Lists have one path per line, or a NUL after each path. +PATH exists, -PATH was deleted. A path that ends with a
slash is a folder, which is crawled completely.

Examples:
  climate-nextgen crawl --drs cmip6 /pool/data/CMIP6
  climate-nextgen crawl --drs cmip6 --dry-run ~/CMIP6 > catalogue.jsonl
  climate-nextgen crawl --drs cmip6 --shard 1/4 /pool/data/CMIP6
  lfs find /pool/data -type f -mtime -1 -print0 | climate-nextgen crawl --drs cmip6 -
  climate-nextgen crawl --drs cordex --archive '/arch/*=hsm' /arch/cordex`;

export function addCrawlCommand(
  program: Command,
  run: (paths: readonly string[], settings: CrawlSettings) => Promise<void>,
): void {
  program
    .command("crawl")
    .description("update the index from folders of data")
    .argument("[path...]", "folders and files; - for a list of paths on standard input")
    .requiredOption("--drs <name|file>", "the data reference syntax of the paths")
    .option(
      "--facet <key=value>",
      "set a facet of all files, whatever paths and headers say",
      keyValue,
    )
    .option("--dataset <name>", "the collection of the files: the facet dataset")
    .option("--from <file>", "a list of existing paths; - for standard input", several)
    .option(
      "--removed-from <file>",
      "a list of deleted paths; those that do not exist are removed",
      several,
    )
    .option("--archive <pattern=fs_type>", "paths whose files are never opened", several)
    .option("--shard <i/n>", "crawl the i-th of n parts of the tree")
    .option("--min-age <seconds>", "leave younger files for the next crawl")
    .option("--again", "read unchanged files too, as after a change of the standard or of --facet")
    .option("--checksum", "read files completely for their SHA-256, also those that lack it")
    .option("--checksum-rate <size>", "bytes a second for checksums, such as 500m", "100m")
    .option("--keep-gone", "remove no entries")
    .option("--dry-run", "print the documents of all files as JSON Lines, without Solr")
    .option("--report <file>", "write refused files and notes to a file, not to standard error")
    .addHelpText("after", HELP)
    .action((paths: string[], settings: CrawlSettings) => run(paths, settings));
}
