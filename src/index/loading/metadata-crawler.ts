/**
 * The documents that metadata-crawler writes, in the form of ours: it keeps a period as two dates, a box as four numbers, and has a
 * value for what it does not know. None of that can be in a document of ours, so that each is known by its value alone.
 *
 * Source: metadata-crawler 2608.2.0, `api/config.py` (what it writes) and `ingester/solr.py` (what it makes of that for Solr).
 */

type Given = Readonly<Record<string, unknown>>;
type Translation = (value: unknown, document: Given) => unknown;

/** Field -> its value in our form; undefined where nothing is known, the value itself where there is nothing to translate. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  time: (value, document) => (isPair(value) ? period(value, document) : value),
  // west, east, south, north
  bbox: (value) => (isBox(value) ? `ENVELOPE(${[0, 1, 3, 2].map((i) => value[i])})` : value),
  version: (value) => (value === "-1" ? undefined : value),
};

/** What it writes for a start and an end that it has not found. */
const UNKNOWN_START = /^0001-01-01T00:00(:00)?$/;
const UNKNOWN_END = /^9999-12-31T23:59(:00)?$/;
/** A time as it writes them: of UTC, without saying so. */
const UNZONED = /T[\d:.]+$/;

function period([start, end]: readonly [string, string], document: Given): string | undefined {
  const from = UNKNOWN_START.test(start) ? "*" : zoned(start);
  const to = UNKNOWN_END.test(end) ? "*" : zoned(end);
  if (from !== "*" || to !== "*") return `[${from} TO ${to}]`;
  // The same is said of constant data and where the name of a file has no time.
  return isConstant(document) ? "fx" : undefined;
}

const zoned = (time: string): string => (UNZONED.test(time) ? `${time}Z` : time);

const isConstant = ({ time_frequency, cmor_table }: Given): boolean =>
  [time_frequency, cmor_table].flat().some((value) => /fx$/i.test(String(value)));

const DATE = /^[+-]?\d{4,}-\d\d-\d\dT/;
const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((one) => typeof one === "string" && DATE.test(one));

const isBox = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length === 4 && value.every((one) => typeof one === "number");

/** A document in our form; the same object where nothing had to be translated. */
export function fromMetadataCrawler(document: Given): Given {
  let translated: Record<string, unknown> | undefined;
  for (const field in TRANSLATIONS) {
    const value = document[field];
    if (value === undefined) continue;
    const now = (TRANSLATIONS[field] as Translation)(value, document);
    if (now === value) continue;
    translated ??= { ...document };
    if (now === undefined) delete translated[field];
    else translated[field] = now;
  }
  return translated ?? document;
}
