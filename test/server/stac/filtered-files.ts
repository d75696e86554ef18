/** Documents for filters by chance: several files of a dataset, lists, spellings that differ in case, missing values. */
import { type FilteredFile, VALUES } from "../../domain/cql2/random-filters.js";
import type { TestDocument } from "../../support/service/service.js";

const DAY = 86_400_000;
/** The largest latitude that documents may have. */
const NORTHMOST = 90;

export interface FilteredDocument extends FilteredFile {
  readonly document: TestDocument;
  /** Of its dataset. */
  readonly name: string;
}

const day = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Files of datasets that differ in their experiment only; each has one or two files with values of their own. */
export function filteredDocuments(random: () => number, datasets: number): FilteredDocument[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (all: readonly string[] = []): string => all[below(all.length)] ?? "";
  const some = (all: readonly string[] = []): string[] => all.filter(() => random() < 0.4);
  return Array.from({ length: datasets }, (_, index): FilteredDocument[] => {
    const experiment = `e${String(index).padStart(3, "0")}`;
    const [variable, model] = [pick(VALUES.variable), pick(VALUES.model)];
    const files = Array.from({ length: 1 + below(2) }, (_, part): FilteredDocument => {
      const [realm, names] = [some(VALUES.realm), some(VALUES.standard_name)];
      const first = Date.UTC(pick(["1850", "1900", "1990", "2014"]) as unknown as number, 0, 1);
      const last = first + (1 + below(40)) * 365 * DAY;
      const isTimed = random() < 0.85;
      const west = below(100) - 100;
      const south = below(60) - 60;
      const north = south + below(Math.min(100, NORTHMOST - south + 1));
      const box = [west, south, west + below(100), north] as const;
      const isPlaced = random() < 0.8;
      const retracted = random() < 0.2;
      const document = {
        file: `/filtered/${experiment}/${part}.nc`,
        // The name of a dataset of CMIP6 has neither a realm nor a standard name.
        project: "CMIP6",
        product: "p",
        institute: "i",
        ensemble: "r1i1p1f1",
        experiment,
        variable: [variable],
        model: [model],
        cmor_table: "Amon",
        ...(realm.length > 0 && { realm }),
        ...(names.length > 0 && { standard_name: names }),
        ...(isTimed && { time: `[${day(first)} TO ${day(last)}]` }),
        ...(isPlaced && { bbox: `ENVELOPE(${box[0]},${box[2]},${box[3]},${box[1]})` }),
        ...(retracted && { retracted: true }),
      };
      return {
        document,
        name: experiment,
        texts: { variable: [variable], model: [model], realm, standard_name: names },
        start: isTimed ? first : Date.parse("0001-01-01T00:00:00Z"),
        end: isTimed ? last + DAY - 1000 : Date.parse("9999-12-31T23:59:59Z"),
        retracted,
        box: isPlaced ? box : undefined,
      };
    });
    // Filters compare the period that the item shows, which is that of all its files.
    const start = Math.min(...files.map((file) => file.start));
    const end = Math.max(...files.map((file) => file.end));
    return files.map((file) => ({ ...file, start, end }));
  }).flat();
}

/** The number of datasets with a file for which a filter is true. */
export const datasetsWith = (
  files: readonly FilteredDocument[],
  truth: (file: FilteredFile) => boolean | null,
): number => new Set(files.filter((file) => truth(file) === true).map(({ name }) => name)).size;
