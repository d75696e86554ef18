/**
 * Makes a reproducible catalogue of any length with the cardinalities of CMIP6.
 *
 *     npx tsx bench/make-catalogue.ts FILE [N] [full | details]
 */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const CARDINALITIES = { models: 120, experiments: 60, members: 50, variables: 300 };

const KINDS = ["usual", "full", "details"] as const;
/** `full`: every facet has a value, half of them have two. `details`: with all details of files. */
export type Kind = (typeof KINDS)[number];

/** Files of one data set, one for each time slice. */
const SLICES = 5;
/** Every 40th data set has an older version as well. */
const REVISED = 40;
/** Coprime to the number of data sets, so it steps through all of them in a mixed order. */
const STEP = 48_611_333;

const TABLES = [
  { table: "Amon", frequency: "mon", realm: "atmos" },
  { table: "day", frequency: "day", realm: "atmos" },
  { table: "Omon", frequency: "mon", realm: "ocean" },
  { table: "6hrLev", frequency: "6hr", realm: "atmos" },
  { table: "Lmon", frequency: "mon", realm: "land" },
  { table: "SImon", frequency: "mon", realm: "seaIce" },
] as const;
const BOXES = [
  "ENVELOPE(-180,180,90,-90)",
  "ENVELOPE(0,360,90,-90)",
  "ENVELOPE(-44.5,65.2,72.6,21.8)",
] as const;
const GRIDS = ["gn", "gr", "gr1"] as const;

const pad = (value: number, width: number): string => String(value).padStart(width, "0");
const pick = <T>(from: readonly T[], index: number): T => from[index % from.length] as T;

export const names = {
  model: (index: number): string => `MODEL-ESM${1 + (index % 3)}-${pad(index, 3)}`,
  experiment: (index: number): string => `${index % 2 ? "ssp" : "hist"}-${pad(index, 2)}`,
  member: (index: number): string => `r${1 + index}i1p1f${1 + (index % 2)}`,
  variable: (index: number): string => `var${pad(index, 3)}`,
};

/** Facets of a regional model on a named grid; half of them have two values. */
function everyFacet(number: number, model: string): object {
  return {
    product: ["CMIP", "ScenarioMIP"],
    realm: ["atmos", "land"],
    time_aggregation: ["mean", "max"],
    driving_model: [`${model}-driver`, "ERA5"],
    grid_id: [`grid-${number % 30}`, "EUR-11"],
    level_type: ["2d", "height2m"],
    rcm_name: [`RCM-${number % 25}`],
    rcm_version: [`v${number % 7}-r1`],
  };
}

/** Details of a document. */
function details(number: number, slice: number): object {
  const identifier = String(number * 10 + slice).padStart(12, "0");
  return {
    size: 1_000_000 + ((number * 7919 + slice) % 900_000_000),
    checksum: `sha256:${identifier.repeat(5)}0000`,
    modified: `2019-11-${pad(1 + (number % 28), 2)}T12:00:${pad(slice, 2)}Z`,
    inode: identifier,
    tracking_id: `hdl:21.14100/00000000-0000-4000-8000-${identifier}`,
    standard_name: `standard_name_of_${number % 200}`,
    long_name: `Name for people of ${number % 300}`,
    units: pick(["K", "kg m-2 s-1", "Pa", "m s-1", "%"], number),
    nominal_resolution: pick(["50 km", "100 km", "250 km"], number),
    license: "CC BY 4.0",
    further_info_url: `https://furtherinfo.example.org/CMIP6.${number % 5000}`,
    retracted: number % 100 === 0,
  };
}

/** The documents of one data set, those of an older version first. */
function* dataset(number: number, kind: Kind): Generator<object> {
  const { models, experiments, members, variables } = CARDINALITIES;
  let rest = (number * STEP) % (models * experiments * members * variables);
  const next = (count: number): number => {
    const digit = rest % count;
    rest = Math.floor(rest / count);
    return digit;
  };
  const [v, m, e, r] = [next(variables), next(models), next(experiments), next(members)];
  const { table, frequency, realm } = pick(TABLES, v);
  const [model, experiment] = [names.model(m), names.experiment(e)];
  const [member, variable] = [names.member(r), names.variable(v)];
  const [institute, activity] = [`INST-${pad(m % 40, 2)}`, e % 2 ? "ScenarioMIP" : "CMIP"];
  const grid = pick(GRIDS, m);
  const day = 1 + (number % 28);
  for (const year of number % REVISED === 0 ? [2018, 2020] : [2019]) {
    const version = `v${year}11${pad(day, 2)}`;
    const folder = `/pool/data/CMIP6/${activity}/${institute}/${model}/${experiment}/${member}/${table}/${variable}/${grid}/${version}`;
    for (let slice = 0; slice < SLICES; slice++) {
      const from = (e % 2 ? 2015 : 1850) + slice * 17;
      const file_name = `${variable}_${table}_${model}_${experiment}_${member}_${grid}_${from}01-${from + 16}12.nc`;
      yield {
        project: ["CMIP6"],
        product: [activity],
        institute: [institute],
        model: [model],
        experiment: [experiment],
        time_frequency: [frequency],
        realm: [realm],
        variable: [variable],
        ensemble: [member],
        time_aggregation: ["mean"],
        fs_type: "posix",
        grid_label: [grid],
        cmor_table: [table],
        format: "nc",
        level_type: ["2d"],
        dataset: "bench",
        time: `[${from}-01-01T00:00:00Z TO ${from + 16}-12-31T23:59:59Z]`,
        bbox: pick(BOXES, m),
        version,
        file_name,
        file: `${folder}/${file_name}`,
        uri: `file://${folder}/${file_name}`,
        ...(kind === "full" && everyFacet(number, model)),
        ...(kind === "details" && details(number, slice)),
      };
    }
  }
}

/** The first `count` documents, as JSON. */
export function* documents(count: number, kind: Kind = "usual"): Generator<string> {
  let made = 0;
  for (let number = 0; made < count; number++) {
    for (const document of dataset(number, kind)) {
      if (made++ < count) yield JSON.stringify(document);
    }
  }
}

/** Writes a catalogue as JSON Lines, or as one array for a raw request to Solr. */
export async function writeCatalogue(
  path: string,
  count: number,
  form: "lines" | "array" = "lines",
  kind: Kind = "usual",
): Promise<void> {
  const out = createWriteStream(path);
  const separator = form === "array" ? ",\n" : "\n";
  let text = form === "array" ? "[" : "";
  let first = true;
  for (const document of documents(count, kind)) {
    text += first ? document : separator + document;
    first = false;
    if (text.length < 1 << 18) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end(`${text}${form === "array" ? "]" : ""}\n`);
  await once(out, "close");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, count = "500000", kind = "usual"] = process.argv.slice(2);
  if (file === undefined || !/^\d+$/.test(count) || !(KINDS as readonly string[]).includes(kind)) {
    process.stderr.write("Usage: make-catalogue FILE [N] [full | details]\n");
    process.exit(2);
  }
  await writeCatalogue(file, Number(count), "lines", kind as Kind);
}
