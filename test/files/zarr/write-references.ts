/** References to data sets as a client has them after the download. */
import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Dataset } from "../../../src/files/zarr/dataset/dataset.js";
import { planReferences } from "../../../src/files/zarr/references/plan.js";
import { jsonReferences } from "../../../src/server/formats/references/json.js";
import { parquetReferences } from "../../../src/server/formats/references/parquet.js";
import { runPython } from "../../support/programs/python.js";

export const FORMS = ["json", "parquet"] as const;
export type Form = (typeof FORMS)[number];

/**
 * Writes the references to a data set.
 *
 * @param path without its end
 * @returns the path of the document, or of the unpacked folder
 */
export async function writeReferences(dataset: Dataset, form: Form, path: string): Promise<string> {
  const { signal } = new AbortController();
  const referable = dataset.referable?.();
  if (referable === undefined) throw new Error(`${path} is of a store`);
  const plan = await planReferences(referable, 5_000_000, undefined, signal);
  if (form === "json") {
    await pipeline(jsonReferences(plan, undefined), createWriteStream(`${path}.json`));
    return `${path}.json`;
  }
  const name = path.slice(dirname(path).length + 1);
  const archive = parquetReferences(plan, `${name}.parq`, undefined);
  await pipeline(archive, createWriteStream(`${path}.zip`));
  await runPython(["-m", "zipfile", "-e", `${path}.zip`, dirname(path)]);
  return `${path}.parq`;
}
