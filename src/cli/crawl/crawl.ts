/** What the command `crawl` does. */
import { resolve } from "node:path";
import { pino } from "pino";
import { Crawl, type CrawlOptions } from "../../catalogue/crawl/crawl.js";
import { ARCHIVES, describeFile } from "../../catalogue/crawl/describe-file.js";
import { FileSystem } from "../../catalogue/crawl/file-system.js";
import { readShard } from "../../catalogue/crawl/shard.js";
import type { PathList } from "../../catalogue/crawl/sources.js";
import { loadStandard } from "../../catalogue/drs/index.js";
import { Pattern } from "../../catalogue/drs/pattern.js";
import { nearest } from "../../domain/text/nearest-names.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import { Datasets } from "../../files/zarr/datasets.js";
import { SetupError } from "../../index/collections/setup-error.js";
import { inputOf } from "../../index/loading/read-documents.js";
import { Solr } from "../../index/solr.js";
import { DomainError, UserError } from "../../platform/errors.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import type { Config } from "../../server/config.js";
import { totalSize } from "../index/load-files.js";
import { printLine } from "../terminal/print-line.js";
import { type Progress, progress } from "../terminal/progress.js";
import { CrawlReport, progressText, summaryText } from "./crawl-report.js";

/** Options as they are written. */
export interface CrawlSettings {
  readonly drs: string;
  readonly facet?: Readonly<Record<string, string>>;
  readonly dataset?: string;
  readonly from?: readonly string[];
  readonly removedFrom?: readonly string[];
  readonly archive?: readonly string[];
  readonly shard?: string;
  readonly minAge: string;
  readonly checksum?: boolean;
  readonly keepGone?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
}

/** An option says what cannot be. */
export class BadCrawl extends UserError {
  override readonly name = "BadCrawl";
}

/** What is kept of files that were read: none of them is asked for again. */
const METADATA_BYTES = 8 << 20;
/** Milliseconds for one file. */
const READING_MS = 120_000;
/** Fields that may be given for all files, besides facets. */
const FIELDS = [...FACET_NAMES.filter((facet) => facet !== "user"), "version"];

/**
 * Crawls folders, files and lists into the Solr that SOLR_URL names, or that runs on DATA_DIR; where none runs
 * there, it is brought up for the time of the crawl.
 *
 * @param out gets progress and what is refused
 * @returns the exit status: 1 when something was refused, left out, or broken off
 */
export async function crawl(
  config: Config,
  paths: readonly string[],
  settings: CrawlSettings,
  out?: NodeJS.WriteStream,
): Promise<number> {
  const { dryRun } = settings;
  // On a terminal documents and a bar would stand in one another's lines.
  const isSilent = dryRun === true && process.stdout.isTTY === true;
  const bar = progress("Crawling", undefined, out);
  const report = new CrawlReport(bar, settings.report);
  const stop = new AbortController();
  const end = (): void => {
    bar.note("Ending; what was read is loaded. Once more ends at once.");
    stop.abort();
  };
  const fs = new FileSystem();
  const datasets = new Datasets({
    metadataBytes: METADATA_BYTES,
    time: READING_MS,
    memory: config.readingMemory,
  });
  try {
    const options = await optionsOf(paths, settings, datasets);
    const show = isSilent ? () => {} : showing(bar);
    const work = new Crawl(fs, { ...options, report, signal: stop.signal, onProgress: show });
    // Before Solr is up: a path that is mistyped is told at once.
    await work.prepare();
    process.once("SIGINT", end).once("SIGTERM", end);
    const begin = performance.now();
    if (dryRun)
      for await (const document of work.documents()) await printLine(JSON.stringify(document));
    else await load(config, work, bar);
    const seconds = (performance.now() - begin) / 1000;
    if (!isSilent) bar.end(summaryText(work.counts, report.refused, report.notes, seconds));
    if (stop.signal.aborted)
      bar.note("Ended before it was done; run the same again to complete it.");
    return report.refused > 0 || stop.signal.aborted ? 1 : 0;
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
    report.close();
    await Promise.all([fs.close(), datasets.close()]);
  }
}

async function load(config: Config, work: Crawl, bar: Progress): Promise<void> {
  const opened = await openSolr(config, {
    report: (line) => bar.note(line),
    logger: pino({ level: "silent" }),
    share: true,
  });
  try {
    await work.run(new Solr(opened.endpoint, config.solr.timeoutMs, opened.topology));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new SetupError(
      `Solr did not do all that was asked (${error.message}); run the same again to complete the crawl.`,
      { cause: error },
    );
  } finally {
    await opened.close();
  }
}

function showing(bar: Progress): CrawlOptions["onProgress"] {
  // Not when the first file has been read: it is told of at the same moment as many others.
  const begin = performance.now();
  return (counts) => {
    const seconds = (performance.now() - begin) / 1000;
    bar.update(0, progressText(counts, seconds));
  };
}

type Read = Omit<CrawlOptions, "report" | "signal" | "onProgress">;

/** @throws BadCrawl, InvalidStandard, UnreadableInput */
async function optionsOf(
  paths: readonly string[],
  settings: CrawlSettings,
  datasets: Datasets,
): Promise<Read> {
  const { from = [], removedFrom = [], facet = {}, dataset, checksum = false } = settings;
  const lists = [...paths.filter((path) => path === "-"), ...from];
  if (paths.length + from.length + removedFrom.length === 0) {
    throw new BadCrawl("Say what to crawl: folders or files, or - for a list on standard input.");
  }
  if ([...lists, ...removedFrom].filter((path) => path === "-").length > 1) {
    throw new BadCrawl("Standard input can be one list only.");
  }
  await totalSize([...from, ...removedFrom].filter((path) => path !== "-"));
  for (const name of Object.keys(facet)) {
    if (!FIELDS.includes(name)) {
      throw new BadCrawl(
        `--facet ${name}: is no native facet; near are ${nearest(name, FIELDS).join(", ")}.`,
      );
    }
  }
  const standard = await loadStandard(settings.drs);
  const archives = (settings.archive ?? []).map(archiveRule);
  return {
    paths: paths.filter((path) => path !== "-").map((path) => resolve(path)),
    lists: [
      ...lists.map((path): PathList => ({ input: inputOf(path), isRemoved: false })),
      ...removedFrom.map((path): PathList => ({ input: inputOf(path), isRemoved: true })),
    ],
    shard: settings.shard === undefined ? undefined : readShard(settings.shard),
    minAge: seconds(settings.minAge),
    keepGone: settings.keepGone === true,
    isFiled: (path) => !("reason" in standard.read(path)),
    storageOf: (path) => {
      const rule = archives.find(({ pattern }) => pattern.fits(path));
      if (rule !== undefined) return { fs_type: rule.fsType, isArchive: true };
      const fsType = standard.storage(path);
      return fsType === undefined
        ? { isArchive: false }
        : { fs_type: fsType, isArchive: ARCHIVES.has(fsType) };
    },
    describe: (file, isArchive) =>
      describeFile(file, {
        standard,
        datasets: isArchive ? undefined : datasets,
        facets: facet,
        checksum: checksum && !isArchive,
        ...(dataset !== undefined && { collection: dataset }),
      }),
  };
}

/** @throws BadCrawl */
function archiveRule(text: string): { readonly pattern: Pattern; readonly fsType: string } {
  const [, pattern, fsType] = /^(.+)=([\w-]+)$/s.exec(text) ?? [];
  if (pattern === undefined || fsType === undefined) {
    throw new BadCrawl(`--archive ${text}: write PATTERN=fs_type, such as '/arch/*=hsm'.`);
  }
  return { pattern: new Pattern(pattern), fsType };
}

/** @throws BadCrawl */
function seconds(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new BadCrawl(`--min-age ${text}: write seconds, such as 60.`);
  return value;
}
