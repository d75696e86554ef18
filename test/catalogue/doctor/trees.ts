/** Trees of small files with their documents in the index, in which nothing is wrong until something is planted. */
import { randomUUID } from "node:crypto";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DAY, SECOND } from "../../../src/domain/extent/durations.js";
import { type Calendar, calendarNamed } from "../../../src/files/cf/calendar.js";
import { isoDate } from "../../../src/files/cf/time-units.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import type { SolrHttp } from "../../../src/index/transport/http.js";
import { classicFile } from "../../support/data/classic-file.js";
import { deleteFound } from "../../support/solr/started-solr.js";

export type Document = Record<string, unknown> & { file: string };

export interface Planted {
  readonly kind: string;
  readonly file: string;
}

/** A data set on disk: files of a year each, of days in the middle of which they are. */
export interface Tree {
  readonly id: string;
  readonly calendar: string;
  readonly documents: Document[];
}

const calendarOf = (name: string): Calendar => {
  const found = calendarNamed(name);
  if (found === undefined) throw new Error(name);
  return found;
};

export const YEARS = 6;
const FIRST_YEAR = 1990;

/** The bytes of a year; its times are those of `calendar`. */
export function yearFile(
  calendar: string,
  year: number,
  attributes: Readonly<Record<string, string>> = {},
): Buffer {
  const of = calendarOf(calendar);
  const first = (of.toDays({ year: FIRST_YEAR, month: 1, day: 1 }) ?? 0) as number;
  const from = (of.toDays({ year, month: 1, day: 1 }) ?? 0) - first;
  const to = (of.toDays({ year: year + 1, month: 1, day: 1 }) ?? 0) - first;
  const times = Array.from({ length: to - from }, (_, i) => from + i + 0.5);
  return bytesOf(calendar, times, attributes);
}

const bytesOf = (
  calendar: string,
  times: readonly number[],
  attributes: Readonly<Record<string, string>> = {},
): Buffer =>
  classicFile({
    dimensions: { time: times.length },
    attributes: { frequency: "day", ...attributes },
    variables: [
      {
        name: "time",
        dimensions: ["time"],
        attributes: { units: `days since ${FIRST_YEAR}-01-01`, calendar, standard_name: "time" },
        values: times,
      },
      { name: "tas", dimensions: ["time"], attributes: { units: "K" }, values: times },
    ],
  });

/** A file that was begun, and has no times. */
export const emptyFile = (calendar: string): Buffer => bytesOf(calendar, []);

/** What an index knows of a year. */
export function yearSpan(
  calendar: string,
  year: number,
): Pick<Document, "time_start" | "time_end"> {
  const of = calendarOf(calendar);
  const from = (of.toDays({ year, month: 1, day: 1 }) ?? 0) * DAY;
  const to = (of.toDays({ year: year + 1, month: 1, day: 1 }) ?? 0) * DAY - SECOND;
  return { time_start: isoDate(from, of), time_end: isoDate(to, of) };
}

export async function statOf(path: string): Promise<Record<string, unknown>> {
  const { size, mtimeMs, ino } = await stat(path);
  return { size, modified: new Date(Math.floor(mtimeMs)).toISOString(), inode: String(ino) };
}

/** @param name a folder of its own below root */
export async function makeTree(root: string, name: string, calendar: string): Promise<Tree> {
  const id = `CMIP6.CMIP.I.M.historical.r1i1p1f1.day.tas.gn-${name}`;
  const documents: Document[] = [];
  for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year++) {
    const file = join(root, name, "v20200101", `tas_day_${year}.nc`);
    const tracking_id = `hdl:21.14100/${randomUUID()}`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, yearFile(calendar, year, { tracking_id }));
    documents.push({
      file,
      dataset_id: id,
      version: "v20200101",
      fs_type: "posix",
      project: "CMIP6",
      variable: "tas",
      ensemble: "r1i1p1f1",
      time_frequency: "day",
      time: `[${year} TO ${year}]`,
      ...yearSpan(calendar, year),
      tracking_id,
      checksum: `sha256:${tracking_id}`,
      ...(await statOf(file)),
    });
  }
  return { id, calendar, documents };
}

/** Puts documents into the collection that the doctor looks at, as a crawler that posts them itself. */
export async function post(http: SolrHttp, documents: readonly Document[]): Promise<void> {
  const files = new SolrCollection(http, "files");
  await files.update(JSON.stringify(documents));
  await files.commit(false);
}

export async function clear(http: SolrHttp): Promise<void> {
  const files = new SolrCollection(http, "files");
  await deleteFound(files, "*:*");
  await files.commit(false);
}
