/** What is told of the datasets of documents, by plain arithmetic. */
import type { components } from "../../../../generated/openapi.js";
import { FACETS, type Facet } from "../../../../src/domain/vocabulary/facets.js";
import type { DatasetDocument } from "./dataset-documents.js";
import { boxes, byValue, summary } from "./expected.js";

type Dataset = components["schemas"]["Dataset"];

export type { DatasetDocument };

/** In milliseconds, with the first and the last one. */
type Span = readonly [first: number, last: number];

const spanOf = ({ known: { period } }: DatasetDocument): Span | undefined =>
  period && [period.start ?? -Infinity, period.end ?? Infinity];

const text = (time: number): string | null =>
  Number.isFinite(time) ? new Date(time).toISOString().replace(/\.(000|999)Z$/, "Z") : null;
const told = ([start, end]: Span) => ({ start: text(start), end: text(end) });

/** From the beginning of the first step to the end of the last. */
function inSteps([first, last]: Span, frequency: string): Span {
  const at = (time: number, more: number): number => {
    if (!Number.isFinite(time)) return time;
    const date = new Date(time);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    if (frequency === "yr") return Date.UTC(year + more, 0, 1);
    return frequency === "mon"
      ? Date.UTC(year, month + more, 1)
      : Date.UTC(year, month, day + more);
  };
  return [at(first, 0), at(last, 1) - 1];
}

/** One after the other what spans make together where they meet. */
function joined<T extends { readonly by: Span; readonly span: Span }>(all: readonly T[]): Span[] {
  let parts = all.map(({ by, span }) => ({ by, span }));
  for (;;) {
    const next: typeof parts = [];
    for (const one of parts) {
      const place = next.findIndex(({ by }) => by[0] <= one.by[1] + 1 && one.by[0] <= by[1] + 1);
      const other = next[place];
      if (other === undefined) next.push(one);
      else {
        const whole = (a: Span, b: Span): Span => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
        next[place] = { by: whole(other.by, one.by), span: whole(other.span, one.span) };
      }
    }
    if (next.length === parts.length) break;
    parts = next;
  }
  return parts.map(({ span }) => span).sort((a, b) => a[0] - b[0]);
}

function overlaps(documents: readonly DatasetDocument[], natives: readonly string[]): Span[] {
  const kinds = new Map<string, Span[]>();
  for (const one of documents) {
    const span = spanOf(one);
    if (span === undefined) continue;
    const fields = [...natives, "format", "fs_type", "version"];
    const kind = JSON.stringify(
      fields.map((field) => [...(one.known.values.get(field) ?? [])].sort()),
    );
    kinds.set(kind, [...(kinds.get(kind) ?? []), span]);
  }
  const both = [...kinds.values()].flatMap((spans) =>
    spans.flatMap((a, i) =>
      spans.slice(i + 1).flatMap((b): Span[] => {
        const shared: Span = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
        return shared[1] - shared[0] >= 1000 ? [shared] : [];
      }),
    ),
  );
  return joined(both.map((span) => ({ by: span, span })));
}

/** What all have, as the first of their spellings. */
function single(documents: readonly DatasetDocument[], native: string): string | undefined {
  const folded = new Set(documents.flatMap(({ known }) => known.values.get(native) ?? []));
  const isAll = documents.every(({ known }) => known.values.get(native)?.length === 1);
  if (!isAll || folded.size !== 1) return undefined;
  const written = documents.flatMap(({ document }) =>
    [document[native] ?? FACETS[native as Facet].default].flat().map(String),
  );
  return written.sort((a, b) => (a < b ? -1 : 1))[0];
}

const numberOf = (version: string): number => Number(version.slice(1));

/** One that stands, then one on a disk, then the newest, then by its path. */
function example(documents: readonly DatasetDocument[]) {
  const rank = ({ document, known }: DatasetDocument): (string | number)[] => [
    document.retracted === true ? 1 : 0,
    known.values.get("fs_type")?.[0] === "posix" ? 0 : 1,
    -numberOf(String(document.version)),
    document.file,
  ];
  const [best] = [...documents].sort((a, b) => {
    const other = rank(b);
    const place = rank(a).findIndex((part, i) => part !== other[i]);
    return place < 0 ? 0 : (rank(a)[place] ?? 0) < (other[place] ?? 0) ? -1 : 1;
  });
  const { document, known } = best ?? {};
  const [format = "nc"] = known?.values.get("format") ?? [];
  const isLocal = /^(?:\/|file:\/\/\/)/.test(String(document?.file));
  const isPrivate = document?.user !== undefined || document?.owner !== undefined;
  const reason = isPrivate
    ? "These data are another user's."
    : !isLocal
      ? "These data are not on a disk of this service."
      : ["nc", "zarr"].includes(format)
        ? "These data are outside the folders that this service reads. Its operator can add the folder to DATA_ROOTS."
        : `The service streams NetCDF and zarr, not ${format}.`;
  const uri = document?.uri === undefined ? {} : { uri: String(document.uri) };
  return { file: document?.file ?? "", ...uri, readable: false, reason };
}

/** CMIP6 data are cited by model and experiment. */
function citation(name: string | null): string | null {
  const cited = /^(CMIP6(?:\.[^.]*){4})\./i.exec(name ?? "")?.[1];
  return cited === undefined
    ? null
    : `https://www.wdc-climate.de/ui/cmip6?input=${encodeURIComponent(cited)}`;
}

function dataset(
  name: string | null,
  documents: readonly DatasetDocument[],
  natives: readonly string[],
  nameOf: (native: string) => string,
): Dataset {
  const all = documents.map(({ known }) => known);
  const { files, bytes, sized_files, retracted, formats, storage } = summary(all);
  const spans = documents.flatMap((one) => {
    const span = spanOf(one);
    const [frequency = ""] = one.known.values.get("time_frequency") ?? [];
    return span === undefined ? [] : [{ by: inSteps(span, frequency), span }];
  });
  const periods = joined(spans);
  const shared = name === null ? [] : overlaps(documents, natives);
  const facets = (name === null ? [] : natives).flatMap((native) => {
    const value = single(documents, native);
    return value === undefined ? [] : [[nameOf(native), value] as const];
  });
  const different = boxes(all)
    .map(({ west, east, south, north }) => ({ west, east, south, north }))
    .sort((a, b) => a.west - b.west || a.east - b.east || a.south - b.south || a.north - b.north);
  return {
    dataset_id: name,
    files,
    bytes,
    sized_files,
    retracted,
    formats,
    storage,
    versions: byValue(all, "version")
      .sort(([a], [b]) => numberOf(b) - numberOf(a))
      .map(([version, of]) => {
        const { files, retracted } = summary(of);
        const spans = documents.flatMap((one) => {
          const span = of.includes(one.known) ? spanOf(one) : undefined;
          return span === undefined ? [] : [span];
        });
        const whole: Span = [
          Math.min(...spans.map(([first]) => first)),
          Math.max(...spans.map(([, last]) => last)),
        ];
        return { version, files, retracted, ...told(whole) };
      }),
    version_count: byValue(all, "version").length,
    start: text(periods[0]?.[0] ?? Infinity),
    end: text(periods.at(-1)?.[1] ?? Infinity),
    dated_files: spans.length,
    periods: periods.map(told),
    period_count: periods.length,
    gaps: periods.slice(1).map(([start], i) => told([(periods[i]?.[1] ?? 0) + 1, start - 1])),
    overlaps: shared.map(told),
    overlap_count: shared.length,
    facets: Object.fromEntries(facets),
    boxes: different.slice(0, 20),
    box_count: different.length,
    citation_url: citation(name),
    example: example(documents),
  };
}

/** Those with names by these, then what has none. @param natives facets whose values are told */
export function expectedDatasets(
  documents: readonly DatasetDocument[],
  natives: readonly string[],
  nameOf: (native: string) => string,
): Dataset[] {
  const groups = new Map<string | null, DatasetDocument[]>();
  for (const one of documents) {
    const name = one.known.datasetId ?? null;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const named = [...groups].filter(([name]) => name !== null);
  named.sort(([a], [b]) => Buffer.compare(Buffer.from(a ?? ""), Buffer.from(b ?? "")));
  const rest = groups.get(null);
  return [...named, ...(rest ? [[null, rest] as const] : [])].map(([name, of]) =>
    dataset(name, of, natives, nameOf),
  );
}
