/** The sample catalogue of the project. */
import { readFileSync } from "node:fs";
import { loadFiles } from "../../../src/cli/index/load-files.js";
import type { Solr } from "../../../src/index/solr.js";
import { packagePath } from "../../../src/platform/package-root.js";
import type { TestDocument } from "./service.js";

const SAMPLE = packagePath("data", "catalogue.jsonl");

/** The documents as the catalogue has them: their paths are relative to its folder. */
export const sampleDocuments = <Document = TestDocument>(): Document[] =>
  readFileSync(SAMPLE, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Document);

/** Indexes the sample as `climate-nextgen index` does: with absolute paths. */
export const loadSample = (solr: Pick<Solr, "http">) =>
  loadFiles(solr.http, [SAMPLE], packagePath("data"));
