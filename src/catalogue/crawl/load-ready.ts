/** Loads the documents of a crawl into the index. */
import { Loader } from "../../index/loading/load.js";
import { settleDatasets } from "../../index/loading/marks/settle.js";
import { datasetVersion } from "../../index/loading/version.js";
import type { SolrHttp } from "../../index/transport/http.js";
import { registeredByUsers } from "./known.js";

export interface Ready {
  readonly file: string;
  readonly text: string;
}

export interface LoadReports {
  stored(documents: number): void;
  /** The index refused the document of a file. */
  refused(file: string, reason: string): void;
  /** A user has registered the file, whose document is not loaded. */
  ofUser(file: string): void;
}

/** Loads documents, except those of files that users have registered. */
export async function loadReady(
  http: SolrHttp,
  ready: readonly Ready[],
  reports: LoadReports,
): Promise<void> {
  const users = await registeredByUsers(
    http,
    ready.map(({ file }) => file),
  );
  for (const file of users) reports.ofUser(file);
  const mine = ready.filter(({ file }) => !users.has(file));
  if (mine.length === 0) return;
  const loader = new Loader(http, {
    onRefused: ({ line, reason }) => reports.refused(mine[line - 1]?.file ?? "", reason),
  });
  const { stored } = await loader.load(
    (async function* () {
      for (const [index, { text }] of mine.entries()) yield { text, line: index + 1 };
    })(),
  );
  reports.stored(stored);
  // Another crawl may have loaded another version at the same time. The later of the two sees both.
  const datasets = mine.flatMap(({ text }) => datasetVersion(JSON.parse(text))?.dataset ?? []);
  await settleDatasets(http, datasets);
}
