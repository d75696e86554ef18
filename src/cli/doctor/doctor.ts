/** The command `doctor`. */
import { Examination } from "../../catalogue/doctor/examine.js";
import { anyOf } from "../../domain/search/lucene.js";
import { buildSearch, type Search } from "../../domain/search/search.js";
import { builtIn, FLAVOUR_NAMES } from "../../domain/vocabulary/flavours.js";
import type { SolrHttp } from "../../index/transport/http.js";
import { DomainError, UserError } from "../../platform/errors.js";
import type { Config } from "../../server/settings/config.js";
import { clausesBelow } from "../service/clauses-below.js";
import { withSolr } from "../service/with-solr.js";
import { count } from "../terminal/plurals.js";
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
 * Checks the indexed data below paths and by facets; by default everything public.
 *
 * @returns the exit status: 0 if nothing is wrong, else 1
 * @throws UserError if the check failed or is incomplete
 */
export async function doctor(
  config: Config,
  paths: readonly string[],
  options: DoctorOptions,
): Promise<number> {
  // Before Solr starts, so that a mistyped name is reported at once.
  const search = await searchFor(paths, options);
  return withSolr(config, ({ http }) => examine(http, search, options));
}

async function examine(
  http: SolrHttp,
  search: Search,
  { headers = false, json, patience }: DoctorOptions,
): Promise<number> {
  const report = json ? jsonReport : new TextReport();
  const begin = performance.now();
  const bar = progress("Checking", undefined);
  // On a terminal findings and a progress bar would share lines.
  const showsBar = process.stdout.isTTY !== true;
  const examination = new Examination(http, search, {
    headers,
    timeout: patience * 1000,
    onProgress: (done, total) => {
      if (showsBar)
        bar.update(done, `${done.toLocaleString("en")} of ${total.toLocaleString("en")} files`);
    },
  });
  const { counter } = examination;
  try {
    for await (const finding of examination.findings()) await report.finding(finding);
    // No files must not look like no problems.
    if (counter.files === 0)
      throw new UserError("The index has no such files: nothing was checked.");
    await report.end(counter, (performance.now() - begin) / 1000);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const message = `The index could not be read completely (${error.message}): the findings cover ${count(counter.files, "file")} and are incomplete.`;
    throw new UserError(message, { cause: error });
  } finally {
    await examination.close();
  }
  return counter.found.size > 0 ? 1 : 0;
}

/** @throws UserError if flavour or filters are wrong */
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
    filters: [...clauses, ...(below.length > 0 ? [anyOf(below.flat())] : [])],
  };
}
