/** What is measured, put together from what the parts of the service count. */
import { readFileSync } from "node:fs";
import type { Audit } from "../audit/audit.js";
import { Metrics } from "../metrics/metrics.js";
import { packagePath } from "../package-root.js";
import type { Solr } from "../solr/solr.js";
import type { Datasets } from "../zarr/datasets.js";

/** Of the package. */
export const VERSION = (
  JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }
).version;

export function measure(solr: Solr, datasets: Datasets, audit?: Audit): Metrics {
  return new Metrics(VERSION, {
    onSolrCall: (listener) => {
      solr.http.onCall = listener;
    },
    caches: () => ({
      "facet-counts": solr.usage.facetCounts,
      files: datasets.kept.files,
      "rendered-chunks": datasets.kept.rendered,
    }),
    turns: () => solr.usage.turns,
    reading: () => datasets.reading,
    ...(audit && { audit: () => audit.state }),
  });
}
