/** What is measured, put together from what the parts of the service count. */

import type { Datasets } from "../../files/zarr/datasets.js";
import type { Solr } from "../../index/solr.js";
import { readManifest } from "../../platform/package-root.js";
import type { Audit } from "../audit/audit.js";
import { Metrics } from "../metrics/metrics.js";

export function measure(solr: Solr, datasets: Datasets, audit?: Audit): Metrics {
  return new Metrics(readManifest().version, {
    onSolrCall: (listener) => {
      solr.http.onCall = listener;
    },
    caches: () => ({
      "facet-counts": solr.usage.facetCounts,
      pages: solr.usage.pages,
      breakdowns: solr.usage.breakdowns,
      groups: solr.usage.groups,
      datasets: solr.usage.datasets,
      files: datasets.kept.files,
      "rendered-chunks": datasets.kept.rendered,
    }),
    admission: () => solr.usage.admission,
    reading: () => datasets.reading,
    ...(audit && { audit: () => audit.state }),
  });
}
