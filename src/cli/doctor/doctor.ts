/** The command `doctor`. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { pino } from "pino";
import { Examination } from "../../catalogue/doctor/examine.js";
import { anyOf, exactly, startsWith } from "../../domain/search/lucene.js";
import { buildSearch, type Search } from "../../domain/search/search.js";
import { builtIn, FLAVOUR_NAMES } from "../../domain/vocabulary/flavours.js";
import { SolrHttp } from "../../index/transport/http.js";
import { DomainError, UserError } from "../../platform/errors.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import type { Config } from "../../server/config.js";
import { report } from "../terminal/print-line.js";
import { progress } from "../terminal/progress.js";
import { jsonReport, TextReport } from "./doctor-report.js";

export interface DoctorOptions {
  readonly flavour: string;
  readonly search?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: boolean;
  readonly json?: boolean;
  /** Seconds. */
  readonly patience: number;
}

/**
 * Looks at the data that the index names, below paths and by facets; at everything public where neither is given.
 *
 * @returns the exit status: 0 when nothing is wrong, 1 when something is
 * @throws UserError when it could not be done, or not to its end
 */
export async function doctor(
  config: Config,
  paths: readonly string[],
  options: DoctorOptions,
): Promise<number> {
  // First: a name that is mistyped is told at once, not after Solr is up.
  const search = await searchFor(paths, options);
  const logger = pino({ level: "silent" });
  const { endpoint, topology, close } = await openSolr(config, { report, logger, share: true });
  try {
    const http = new SolrHttp(endpoint, config.solr.timeoutMs);
    return await examine({ http, topology }, search, options);
  } finally {
    await close();
  }
}

async function examine(
  index: ConstructorParameters<typeof Examination>[0],
  search: Search,
  { headers = false, json, patience }: DoctorOptions,
): Promise<number> {
  const said = json ? jsonReport : new TextReport();
  const begin = performance.now();
  const bar = progress("Looking", undefined);
  // On a terminal findings and a bar would be in each other's way.
  const showsBar = process.stdout.isTTY !== true;
  const examination = new Examination(index, search, {
    headers,
    timeout: patience * 1000,
    onProgress: (done, total) => {
      if (showsBar)
        bar.update(done, `${done.toLocaleString("en")} of ${total.toLocaleString("en")} files`);
    },
  });
  const { counter: tally } = examination;
  try {
    for await (const finding of examination.findings()) await said.finding(finding);
    // Nobody should take for well what nobody has looked at.
    if (tally.files === 0)
      throw new UserError("The index has no such files: nothing was looked at.");
    await said.end(tally, (performance.now() - begin) / 1000);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const told = `The index could not be read to its end (${error.message}): ${tally.files} files were looked at, and what is said of them is not all.`;
    throw new UserError(told, { cause: error });
  } finally {
    await examination.close();
  }
  return tally.found.size > 0 ? 1 : 0;
}

/** @throws UserError that names what is wrong with it */
async function searchFor(
  paths: readonly string[],
  { flavour: name, search = {} }: DoctorOptions,
): Promise<Search> {
  const flavour = builtIn(name);
  if (flavour === undefined) {
    throw new UserError(
      `There is no flavour ${JSON.stringify(name)}; it is one of ${FLAVOUR_NAMES.join(", ")}.`,
    );
  }
  const { time, bbox, ...filters } = search;
  const { filters: clauses } = buildSearch({
    path: { flavour, uniq_key: "file" },
    query: {
      "multi-version": true,
      translate: true,
      time_select: "flexible",
      bbox_select: "flexible",
      time,
      bbox,
      filters,
    },
  });
  const below = await Promise.all(paths.map(clausesBelow));
  return {
    collection: "files",
    filters: [...clauses, ...(below.length > 0 ? [anyOf(below.flat())] : [])],
  };
}

/** What a path names and all below it, as it is written and without links. */
async function clausesBelow(path: string): Promise<string[]> {
  const named = withoutTrailing(resolve(path), "/");
  const real = await realpath(named || "/").catch(() => named);
  return [...new Set([named, withoutTrailing(real, "/")])].flatMap((one) => [
    exactly("file", one),
    startsWith("file", `${one}/`),
  ]);
}
