import { readFileSync } from "node:fs";
import { packagePath } from "../../platform/package-root.js";

/** The generation of solr/configset: its schema says it, and writes it into every document. */
export const GENERATION = generationOf(
  readFileSync(packagePath("solr", "configset", "conf", "schema.xml"), "utf8"),
);

function generationOf(schema: string): number {
  const number = /<field name="_generation_" type="generation" default="(\d+)"/.exec(schema)?.[1];
  if (number === undefined) throw new TypeError("solr/configset has no generation");
  return Number(number);
}

/**
 * Fields that Solr computes when a document is written. A document that is copied must be written without them: `_version_`
 * would be a condition on the stored document, and the others would have two values.
 */
export const COMPUTED: readonly string[] = [
  "_version_",
  "_root_",
  "_generation_",
  "time_raw",
  "file_digest",
];

/**
 * The field by which SolrCloud chooses the shard of a document. solr/configset derives it from `file`, so that the files
 * of a dataset share a shard. The collection `state` uses its key instead.
 */
export const ROUTE = "route";

/** The collection of the catalogue. */
export const FILES = "files";

/** The collections of the service. `state` has a configset of its own. */
export const COLLECTIONS = [FILES, "state"] as const;

/** The collection that earlier generations had beside `files`, with the newest versions. */
export const FORMER_LATEST = "latest";

/** The configset of a collection: a folder of solr/. */
export function configsetOf(collection: string): "configset" | "state" {
  return collection === "state" ? "state" : "configset";
}

/** The name of a configset in an outside Solr, where earlier generations are kept under other names. */
export const configsetName = (configset: string): string =>
  configset === "state" ? "climate-nextgen-state" : `climate-nextgen-${GENERATION}`;
