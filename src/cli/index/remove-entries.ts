/** The command `remove`: takes entries out of the index and leaves the files alone. */
import { anyOf, exists, noneOf, uncached } from "../../domain/search/lucene.js";
import type { Search } from "../../domain/search/search.js";
import { deletionClauses } from "../../domain/search/user-data-clause.js";
import { removeDocuments } from "../../index/loading/remove-files.js";
import type { Solr } from "../../index/solr.js";
import { UserError } from "../../platform/errors.js";
import type { Config } from "../../server/settings/config.js";
import { clausesBelow } from "../service/clauses-below.js";
import { orSetupError, withSolr } from "../service/with-solr.js";
import { number } from "../terminal/plurals.js";
import { printLine } from "../terminal/print-line.js";
import { progress } from "../terminal/progress.js";

export interface RemoveOptions {
  readonly search?: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
}

/** Entries per request. */
const BATCH = 5000;

const entries = (of: number): string => `${number(of)} ${of === 1 ? "entry" : "entries"}`;

/**
 * Removes entries in every version, except those that users registered.
 *
 * @param paths what is at or below them
 */
export async function removeEntries(
  config: Config,
  paths: readonly string[],
  { search = {}, dryRun = false }: RemoveOptions,
): Promise<void> {
  if (paths.length + Object.keys(search).length === 0) {
    throw new UserError(
      "Name the entries to remove: paths, or -s key=value; `-s 'file=*'` means all.",
    );
  }
  const below = (await Promise.all(paths.map(clausesBelow))).flat();
  const filters = [
    ...deletionClauses(search),
    ...(below.length > 0 ? [anyOf(below)] : []),
    noneOf([exists("owner")]),
  ];
  await withSolr(config, (solr) =>
    orSetupError(
      remove(solr, { filters: filters.map(uncached) }, dryRun),
      (reason) => `Solr failed (${reason}); run the same command again to remove the rest.`,
    ),
  );
}

async function remove(solr: Solr, search: Search, isDry: boolean): Promise<void> {
  const bar = progress("Removing", undefined);
  let done = 0;
  let waiting: string[] = [];
  const out = async (): Promise<void> => {
    done += await removeDocuments(solr.http, waiting);
    waiting = [];
    bar.update(done, entries(done));
  };
  for await (const batch of await solr.export(search, { fields: ["file"], start: 0 })) {
    for (const { file } of batch) {
      if (isDry) await printLine(String(file));
      else waiting.push(String(file));
    }
    if (isDry) done += batch.length;
    else if (waiting.length >= BATCH) await out();
  }
  await out();
  bar.end(`${entries(done)} ${isDry ? "would be removed" : "removed"}`);
}
