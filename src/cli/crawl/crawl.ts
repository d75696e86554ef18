/** The command `crawl`. */
import { resolve } from "node:path";
import { Crawl, type CrawlOptions } from "../../catalogue/crawl/crawl.js";
import { BytePace } from "../../catalogue/crawl/describe/checksum.js";
import { ARCHIVES, describeFile } from "../../catalogue/crawl/describe/describe-file.js";
import { FileSystem } from "../../catalogue/crawl/tree/file-system.js";
import { readShard } from "../../catalogue/crawl/tree/shard.js";
import type { PathList } from "../../catalogue/crawl/tree/sources.js";
import { loadStandard } from "../../catalogue/drs/index.js";
import { Pattern } from "../../catalogue/drs/pattern.js";
import { nearest } from "../../domain/text/nearest-names.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import { Datasets } from "../../files/zarr/dataset/datasets.js";
import { inputOf } from "../../index/loading/read-documents.js";
import type { Solr } from "../../index/solr.js";
import { UserError } from "../../platform/errors.js";
import type { Config } from "../../server/settings/config.js";
import { bytesOf } from "../../server/settings/values.js";
import { totalSize } from "../index/load-files.js";
import { orSetupError, withSolr } from "../service/with-solr.js";
import { printLine } from "../terminal/print-line.js";
import { type Progress, progress } from "../terminal/progress.js";
import { CrawlReport, progressText, summaryText } from "./crawl-report.js";

/** Options as commander parses them. */
export interface CrawlSettings {
  readonly drs: string;
  readonly facet?: Readonly<Record<string, string>>;
  readonly dataset?: string;
  readonly from?: readonly string[];
  readonly removedFrom?: readonly string[];
  readonly archive?: readonly string[];
  readonly shard?: string;
  readonly minAge?: string;
  readonly again?: boolean;
  readonly checksum?: boolean;
  readonly checksumRate?: string;
  readonly keepGone?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
}

/** An option has an impossible value. */
class BadCrawl extends UserError {
  override readonly name = "BadCrawl";
}

/** Small, because no file is read twice. */
const METADATA_BYTES = 8 << 20;
/** Timeout of one file. */
const READING_MS = 120_000;
/** Fields that --facet may set. */
const FIELDS = [...FACET_NAMES.filter((facet) => facet !== "user"), "version"];

/**
 * Crawls folders, files and lists into the Solr of SOLR_URL or of DATA_DIR. A Solr of DATA_DIR that does not run is
 * started for the crawl.
 *
 * @param out receives progress and refused files
 * @returns the exit status: 1 if files were refused or left out, or the crawl was interrupted
 */
export async function crawl(
  config: Config,
  paths: readonly string[],
  settings: CrawlSettings,
  out?: NodeJS.WriteStream,
): Promise<number> {
  const { dryRun } = settings;
  // On a terminal documents and a progress bar would share lines.
  const isSilent = dryRun === true && process.stdout.isTTY === true;
  const bar = progress("Crawling", undefined, out);
  const report = new CrawlReport(bar, settings.report);
  const stop = new AbortController();
  const end = (): void => {
    bar.note("Stopping; files that were read are still loaded. A second signal stops at once.");
    stop.abort();
  };
  const fs = new FileSystem();
  const datasets = new Datasets({
    metadataBytes: METADATA_BYTES,
    time: READING_MS,
    memory: config.readingMemory,
  });
  try {
    const options = await optionsOf(paths, settings, datasets, fs);
    const show = isSilent ? () => {} : showing(bar);
    const work = new Crawl(fs, { ...options, report, signal: stop.signal, onProgress: show });
    // Before Solr starts, so that a mistyped path is reported at once.
    await work.prepare();
    process.once("SIGINT", end).once("SIGTERM", end);
    const begin = performance.now();
    if (dryRun)
      for await (const document of work.documents()) await printLine(JSON.stringify(document));
    else
      await withSolr(
        config,
        (solr) => run(work, solr),
        (line) => bar.note(line),
      );
    const seconds = (performance.now() - begin) / 1000;
    if (!isSilent) bar.end(summaryText(work.counts, report.refused, report.notes, seconds));
    if (stop.signal.aborted)
      bar.note("The crawl was interrupted; run the same command again to complete it.");
    return report.refused > 0 || stop.signal.aborted ? 1 : 0;
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
    report.close();
    await Promise.all([fs.close(), datasets.close()]);
  }
}

const run = (work: Crawl, solr: Solr): Promise<void> =>
  orSetupError(
    work.run(solr),
    (reason) =>
      `Solr failed during the crawl (${reason}); run the same command again to complete it.`,
  );

function showing(bar: Progress): CrawlOptions["onProgress"] {
  // Starts here: the first callback already counts many files.
  const begin = performance.now();
  return (counts) => {
    const seconds = (performance.now() - begin) / 1000;
    bar.update(0, progressText(counts, seconds));
  };
}

async function optionsOf(
  paths: readonly string[],
  settings: CrawlSettings,
  datasets: Datasets,
  fs: FileSystem,
): Promise<Omit<CrawlOptions, "report" | "signal" | "onProgress">> {
  const { facet = {}, dataset, checksum = false } = settings;
  const lists = await listsOf(paths, settings);
  requireFields(Object.keys(facet));
  const standard = await loadStandard(settings.drs);
  const isArchived = ARCHIVES.has(facet.fs_type ?? "");
  const pace = new BytePace(rateOf(settings.checksumRate ?? "100m"));
  const archives = (settings.archive ?? []).map(archiveRule);
  const storageOf: CrawlOptions["storageOf"] = (path) => {
    const rule = archives.find(({ pattern }) => pattern.fits(path));
    if (rule !== undefined) return { fs_type: rule.fsType, isArchive: true };
    const fsType = standard.storage(path);
    return fsType === undefined
      ? { isArchive: false }
      : { fs_type: fsType, isArchive: ARCHIVES.has(fsType) };
  };
  return {
    paths: paths.filter((path) => path !== "-").map((path) => resolve(path)),
    lists,
    shard: settings.shard === undefined ? undefined : readShard(settings.shard),
    minAge: settings.minAge === undefined ? undefined : seconds(settings.minAge),
    keepGone: settings.keepGone === true,
    isFiled: (path) => !("reason" in standard.read(path)),
    storageOf,
    again: settings.again === true,
    needsSum: ({ path, kind }) =>
      checksum && kind === "file" && !isArchived && !storageOf(path).isArchive,
    describe: (file, isArchive) =>
      describeFile(file, {
        standard,
        datasets: isArchive ? undefined : datasets,
        facets: facet,
        checksum: checksum && !isArchive ? fs : false,
        pace,
        ...(dataset !== undefined && { collection: dataset }),
      }),
  };
}

/** The lists of paths to read. @throws BadCrawl, UnreadableInput */
async function listsOf(
  paths: readonly string[],
  { from = [], removedFrom = [] }: CrawlSettings,
): Promise<PathList[]> {
  if (paths.length + from.length + removedFrom.length === 0) {
    throw new BadCrawl("Name folders or files to crawl, or - for a list on standard input.");
  }
  const existing = [...paths.filter((path) => path === "-"), ...from];
  if ([...existing, ...removedFrom].filter((path) => path === "-").length > 1) {
    throw new BadCrawl("Standard input can be used for one list only.");
  }
  await totalSize([...from, ...removedFrom].filter((path) => path !== "-"));
  return [
    ...existing.map((path) => ({ input: inputOf(path), isRemoved: false })),
    ...removedFrom.map((path) => ({ input: inputOf(path), isRemoved: true })),
  ];
}

function requireFields(names: readonly string[]): void {
  const wrong = names.find((name) => !FIELDS.includes(name));
  if (wrong === undefined) return;
  const similar = nearest(wrong, FIELDS).join(", ");
  throw new BadCrawl(`--facet ${wrong}: not a native facet; similar ones are ${similar}.`);
}

function archiveRule(text: string): { readonly pattern: Pattern; readonly fsType: string } {
  const [, pattern, fsType] = /^(.+)=([\w-]+)$/s.exec(text) ?? [];
  if (pattern === undefined || fsType === undefined) {
    throw new BadCrawl(`--archive ${text}: write PATTERN=fs_type, such as '/arch/*=hsm'.`);
  }
  return { pattern: new Pattern(pattern), fsType };
}

/** Bytes a second. */
function rateOf(text: string): number {
  if (/^[1-9]\d{0,5}[kmg]$/i.test(text)) return bytesOf(text);
  throw new BadCrawl(`--checksum-rate ${text}: write a size such as 500m.`);
}

function seconds(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new BadCrawl(`--min-age ${text}: write seconds, such as 60.`);
  return value;
}
