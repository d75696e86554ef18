/** The sample catalogue of the project. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadFiles } from "../../../src/cli/index/load-files.js";
import type { Solr } from "../../../src/index/solr.js";
import { packagePath } from "../../../src/platform/package-root.js";
import type { TestDocument } from "./service.js";

const SAMPLE = packagePath("data", "catalogue.jsonl");

/** The folder of a dataset of the sample, and the first of its files: five years of `tas`. */
export const SAMPLE_FOLDER = packagePath(
  "data/files/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710",
);
export const SAMPLE_FILE = join(
  SAMPLE_FOLDER,
  "tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc",
);

/** The documents as the catalogue has them: their paths are relative to its folder. */
export const sampleDocuments = <Document = TestDocument>(): Document[] =>
  readFileSync(SAMPLE, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Document);

/** Indexes the sample as `climate-nextgen index` does: with absolute paths. */
export const loadSample = (solr: Pick<Solr, "http">) =>
  loadFiles(solr.http, [SAMPLE], packagePath("data"));
