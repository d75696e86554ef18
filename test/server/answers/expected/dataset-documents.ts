/** Documents by chance whose datasets have versions, gaps, overlaps, copies and odd names. */
import type { Known } from "../../../support/data/known-documents.js";
import {
  type Chance,
  knownVersions,
  randomDocuments,
} from "../../../support/data/random-documents.js";
import type { TestDocument } from "../../../support/service/service.js";

export interface DatasetDocument {
  readonly document: TestDocument;
  readonly known: Known;
}

const MODELS = ["MODEL", "model", "Modèle", 'a"b', "x'{!y}\\z", "日本", "a b", "$" + "{user.home}"];
const DATASETS = 25;

const two = (number: number): string => String(number).padStart(2, "0");

/** Years as files say them: with bounds, or from their first to their last value. */
function periodOf(frequency: string, first: number, last: number, isBounded: boolean): string {
  if (isBounded) return `[${first}-01-01T00:00:00Z TO ${last}-12-31T23:59:59Z]`;
  const [day, hour] = frequency === "day" ? [31, 12] : [16, 12];
  const from = frequency === "day" ? 1 : 16;
  return `[${first}-01-${two(from)}T12:00:00Z TO ${last}-12-${day}T${hour}:00:00Z]`;
}

function dataset(chance: Chance, index: number): TestDocument[] {
  const { random, below, pick } = chance;
  const frequency = pick(["mon", "day", "yr", "6hr", "fx"]);
  const facets = {
    project: "CMIP6",
    product: "CMIP",
    institute: "X",
    experiment: "historical",
    model: pick(MODELS),
    ensemble: `r${1 + below(3)}i1p1f1`,
    cmor_table: "Amon",
    variable: pick(["tas", "pr"]),
    time_frequency: frequency,
    grid_label: "gn",
  };
  const isBounded = random() < 0.5;
  const made: TestDocument[] = [];
  const add = (folder: string, file: string, more: Partial<TestDocument>) => {
    made.push({
      ...facets,
      file: `/d${index}/${folder}/${file}`,
      version: folder.slice(-9),
      ...(random() < 0.7 && { size: below(1_000_000) }),
      ...more,
    });
  };
  const isOld = random() < 0.4;
  for (let part = 0; part < 2 + below(6); part++) {
    const [first, last] = [1900 + 5 * part, 1904 + 5 * part + (random() < 0.15 ? 2 : 0)];
    const time = frequency === "fx" ? "fx" : periodOf(frequency, first, last, isBounded);
    const name = `part_${part}.nc`;
    // One that is missing leaves a gap, also where it was there before.
    const isMissing = random() < 0.2;
    if (isOld) add("a/v20190101", name, { time, retracted: true });
    if (isMissing) continue;
    add("a/v20200101", name, { time });
    if (random() < 0.15) add("copy/v20200101", name, { time });
    if (random() < 0.15) add("tape/v20200101", name, { time, fs_type: "HSM" });
  }
  return made;
}

export function datasetDocuments(chance: Chance): DatasetDocument[] {
  const { posted } = randomDocuments(chance.random);
  const made = Array.from({ length: DATASETS }, (_, index) => dataset(chance, index));
  const documents = [...posted, ...made.flat()];
  return knownVersions(documents).map((known, at) => ({
    document: documents[at] as TestDocument,
    known,
  }));
}
