/**
 * Translates documents of metadata-crawler. It writes a period as two dates, a box as four numbers, and placeholders
 * for unknown values. No document of this service has such values, so they are recognised by value alone.
 *
 * Source: metadata-crawler 2608.2.0, `api/config.py` (its output) and `ingester/solr.py` (its input for Solr).
 */

type Given = Readonly<Record<string, unknown>>;
type Translation = (value: unknown, document: Given) => unknown;

/** Field -> its translated value; undefined if unknown, the same value if nothing is to translate. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  time: (value, document) => {
    const pair = isPair(value) ? value : halfKnown(value);
    return pair === undefined ? value : period(pair, document);
  },
  // west, east, south, north
  bbox: (value) => (isBox(value) ? `ENVELOPE(${[0, 1, 3, 2].map((i) => value[i])})` : value),
  version: (value) => (value === "-1" ? undefined : value),
};

/** Placeholders for an unknown start and end. */
const UNKNOWN_START = /^0001-01-01T00:00(:00)?$/;
const UNKNOWN_END = /^9999-12-31T23:59(:00)?$/;
const IN_SOLR = /^\[(\S+) TO (\S+)\]$/;
/** A time without a zone; metadata-crawler means UTC. */
const UNZONED = /T[\d:.]+$/;

function period([start, end]: readonly [string, string], document: Given): string | undefined {
  const from = UNKNOWN_START.test(start) ? "*" : zoned(start);
  const to = UNKNOWN_END.test(end) ? "*" : zoned(end);
  if (from !== "*" || to !== "*") return `[${from} TO ${to}]`;
  // It writes the same for constant data and for files without a time in their name.
  return isConstant(document) ? "fx" : undefined;
}

/** Its period in a document that comes from Solr, if start or end is unknown. */
function halfKnown(value: unknown): readonly [string, string] | undefined {
  const [, start, end] = (typeof value === "string" && IN_SOLR.exec(value)) || [];
  if (start === undefined || end === undefined) return undefined;
  return UNKNOWN_START.test(start) || UNKNOWN_END.test(end) ? [start, end] : undefined;
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

/** The translated document, or the same object if nothing had to change. */
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
