/**
 * Makes a reproducible CMIP6 tree of any number of tiny files, those of the catalogue of make-catalogue.
 *
 *     npx tsx bench/make-tree.ts FOLDER [N]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { documents } from "./make-catalogue.js";
import { tinyNetcdf } from "./tiny-netcdf.js";

/** The members of a document that are written into its file. */
interface Described {
  readonly product: readonly [string];
  readonly institute: readonly [string];
  readonly model: readonly [string];
  readonly experiment: readonly [string];
  readonly time_frequency: readonly [string];
  readonly realm: readonly [string];
  readonly variable: readonly [string];
  readonly ensemble: readonly [string];
  readonly grid_label: readonly [string];
  readonly cmor_table: readonly [string];
  readonly time: string;
  readonly file: string;
}

const BEFORE = "/pool/data/";
const DAY = 86_400_000;
const EPOCH = Date.UTC(1850, 0, 1);
/** Half a time step in days, by frequency. */
const HALF: Readonly<Record<string, number>> = { mon: 15, day: 0.5, "6hr": 0.125 };

const digits = (number: number, width: number): string => number.toString(16).padStart(width, "0");

function content(document: Described, number: number): Buffer {
  const [start = "", end = ""] = document.time.slice(1, -1).split(" TO ");
  const half = HALF[document.time_frequency[0]] ?? 15;
  const days = (time: string): number => Math.round((Date.parse(time) - EPOCH) / DAY);
  const period = { first: days(start) + half, last: days(end) - half, half };
  return tinyNetcdf(document.variable[0], period, {
    Conventions: "CF-1.7 CMIP-6.2",
    mip_era: "CMIP6",
    activity_id: document.product[0],
    institution_id: document.institute[0],
    source_id: document.model[0],
    experiment_id: document.experiment[0],
    variant_label: document.ensemble[0],
    table_id: document.cmor_table[0],
    variable_id: document.variable[0],
    grid_label: document.grid_label[0],
    frequency: document.time_frequency[0],
    realm: document.realm[0],
    nominal_resolution: "100 km",
    license: "CC BY 4.0",
    tracking_id: `hdl:21.14100/00000000-0000-4000-8000-${digits(number, 12)}`,
    further_info_url: "https://furtherinfo.example.org/CMIP6",
    // As long as the history of a real file.
    history:
      "2020-01-01T00:00:00Z ; rewritten to be consistent with CMIP6 and CF standards. ".repeat(4),
  });
}

/** Writes the first `count` files, and returns the folder of the project. */
export function makeTree(folder: string, count: number): string {
  let before = "";
  let number = 0;
  for (const text of documents(count)) {
    const document = JSON.parse(text) as Described;
    const path = join(folder, document.file.slice(BEFORE.length));
    if (dirname(path) !== before) {
      before = dirname(path);
      mkdirSync(before, { recursive: true });
    }
    writeFileSync(path, content(document, number++));
  }
  return join(folder, "CMIP6");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder, count = "100000"] = process.argv.slice(2);
  if (folder === undefined || !/^\d+$/.test(count)) {
    process.stderr.write("Usage: make-tree FOLDER [N]\n");
    process.exit(2);
  }
  process.stdout.write(`${makeTree(folder, Number(count))}\n`);
}
