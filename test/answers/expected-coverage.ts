/** What a coverage must say, by plain arithmetic over the documents that a search finds. */
import type { Known } from "../support/known-documents.js";
import { datasets } from "./expected.js";

export const CELLS = ["files", "datasets", "bytes", "members", "years"] as const;
export type Cells = (typeof CELLS)[number];

const YEAR = 365.2425 * 24 * 3600 * 1000;

/** Years that periods cover together. */
function years(documents: readonly Known[]): number {
  const closed = documents
    .flatMap(({ period }) => {
      const { start, end } = period ?? {};
      return start === undefined || end === undefined ? [] : [{ start, end: end + 1 }];
    })
    .sort((a, b) => a.start - b.start);
  let covered = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const { start, end } of closed) {
    covered += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return Math.round((100 * covered) / YEAR) / 100;
}

const members = ({ values }: Known): readonly string[] => values.get("ensemble") ?? [];

const NUMBER: Readonly<Record<Cells, (documents: readonly Known[]) => number>> = {
  files: ({ length }) => length,
  datasets,
  bytes: (documents) => documents.reduce((sum, { size = 0 }) => sum + size, 0),
  members: (documents) => new Set(documents.flatMap(members)).size,
  years,
};

const IS_KNOWN: Readonly<Record<Cells, (document: Known) => boolean>> = {
  files: () => true,
  datasets: ({ datasetId }) => datasetId !== undefined,
  bytes: ({ size }) => size !== undefined,
  members: (document) => members(document).length > 0,
  years: ({ period }) => period?.start !== undefined && period.end !== undefined,
};

/** By the value of the row and that of the column. */
export function coverage(
  documents: readonly Known[],
  rows: string,
  columns: string,
  cells: Cells,
): Map<string, number> {
  const groups = new Map<string, Known[]>();
  for (const document of documents) {
    for (const row of document.values.get(rows) ?? []) {
      for (const column of document.values.get(columns) ?? []) {
        const key = JSON.stringify([row, column]);
        groups.set(key, [...(groups.get(key) ?? []), document]);
      }
    }
  }
  return new Map([...groups].map(([key, of]) => [key, NUMBER[cells](of)]));
}

/** Of how many of the documents it is known what cells tell. */
export const knownFiles = (documents: readonly Known[], cells: Cells): number =>
  documents.filter(IS_KNOWN[cells]).length;
