/** Trees of small CMIP6 files, and the command `crawl` on them. */
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { Command } from "commander";
import { crawl as crawlHere } from "../../../src/cli/crawl/crawl.js";
import { addCrawlCommand } from "../../../src/cli/crawl/crawl-command.js";
import type { Solr } from "../../../src/index/solr.js";
import { UserError } from "../../../src/platform/errors.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { type RunOptions, run, testSolrSettings } from "../../cli/command.js";
import { classicFile } from "../../support/data/classic-file.js";
import { selectPath } from "../../support/service/service.js";

export interface Cmip6File {
  readonly variable?: string;
  readonly member?: string;
  readonly experiment?: string;
  readonly version?: string;
  /** First and last year. */
  readonly years?: readonly [number, number];
}

/** A time long ago, so that nothing is too young. */
export const LONG_AGO = new Date("2020-06-01T12:00:00.250Z");

/** Where a file of CMIP6 lies below a root. */
export function cmip6Path({
  variable = "tas",
  member = "r1i1p1f1",
  experiment = "historical",
  version = "v20190710",
  years: [first, last] = [1850, 1859],
}: Cmip6File): string {
  const folder = `CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/${experiment}/${member}/Amon/${variable}/gn/${version}`;
  return `${folder}/${variable}_Amon_MPI-ESM1-2-LR_${experiment}_${member}_gn_${first}01-${last}12.nc`;
}

/** The file itself, with a time at each end. */
export function cmip6Bytes({
  variable = "tas",
  member = "r1i1p1f1",
  experiment = "historical",
  years: [first, last] = [1850, 1859],
}: Cmip6File): Buffer {
  const day = (iso: string): number => Date.parse(iso) / 86_400_000;
  const months = (last - first + 1) * 12;
  const times = Array.from({ length: months }, (_, month) =>
    day(`${first + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-15`),
  );
  return classicFile({
    dimensions: { time: months, lat: 2, lon: 2 },
    attributes: {
      Conventions: "CF-1.7 CMIP-6.2",
      mip_era: "CMIP6",
      activity_id: "CMIP",
      institution_id: "MPI-M",
      source_id: "MPI-ESM1-2-LR",
      experiment_id: experiment,
      variant_label: member,
      table_id: "Amon",
      variable_id: variable,
      grid_label: "gn",
      frequency: "mon",
      realm: "atmos",
      tracking_id: `hdl:21.14100/${variable}-${member}-${first}`,
    },
    variables: [
      {
        name: "time",
        dimensions: ["time"],
        attributes: { units: "days since 1970-01-01", calendar: "standard", standard_name: "time" },
        values: times,
      },
      {
        name: "lat",
        dimensions: ["lat"],
        attributes: { units: "degrees_north", standard_name: "latitude" },
        values: [-45, 45],
      },
      {
        name: "lon",
        dimensions: ["lon"],
        attributes: { units: "degrees_east", standard_name: "longitude" },
        values: [90, 270],
      },
      {
        name: variable,
        dimensions: ["lat", "lon"],
        attributes: { units: "K", standard_name: "air_temperature" },
        values: [1, 2, 3, 4],
      },
    ],
  });
}

/** Writes bytes that have not been touched for long. */
export async function put(path: string, bytes: Buffer | string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  await utimes(path, LONG_AGO, LONG_AGO);
  return path;
}

/** Writes a file of CMIP6 below a root. */
export const putCmip6 = (root: string, file: Cmip6File = {}): Promise<string> =>
  put(join(root, cmip6Path(file)), cmip6Bytes(file));

/** So many different files, ten a folder. */
export async function putMany(root: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let at = 0; at < count; at += 10) {
    const some = Array.from({ length: Math.min(10, count - at) }, (_, index) => ({
      member: `r${1 + at / 10}i1p1f1`,
      years: [1850 + index, 1850 + index] as const,
    }));
    paths.push(...(await Promise.all(some.map((file) => putCmip6(root, file)))));
  }
  return paths.sort();
}

/** The command as a process of its own. */
export const crawlProcess = (args: readonly string[], options: RunOptions = {}) =>
  run(["crawl", "--drs", "cmip6", ...args], { settings: testSolrSettings(), ...options });

/** The same in this process, which takes a tenth of the time; without standard input and output. */
export async function crawl(
  args: readonly string[],
  settings = testSolrSettings(),
): Promise<{ readonly status: number; readonly stderr: string }> {
  let stderr = "";
  let status = 1;
  const out = new Writable({
    write(text, _, done) {
      stderr += String(text);
      done();
    },
  }) as unknown as NodeJS.WriteStream;
  const program = new Command();
  addCrawlCommand(program, async (paths, options) => {
    status = await crawlHere(readConfig(settings), paths, options, out);
  });
  try {
    await program.parseAsync(["crawl", "--drs", "cmip6", ...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    stderr += `${error.message}\n`;
  }
  return { status, stderr };
}

/** All documents of a collection without what each writing changes. */
export async function contents(
  solr: Solr,
  collection: "files" | "latest",
): Promise<Record<string, unknown>[]> {
  const path = `${selectPath(collection)}q=*:*&rows=1000000&sort=file%20asc&fl=*`;
  const { text } = await solr.http.send({ path, timeoutMs: 120_000 });
  const { response } = JSON.parse(text) as { response: { docs: Record<string, unknown>[] } };
  return response.docs.map(({ _version_, added, updated, latest, ...document }) => document);
}

export async function filesIn(solr: Solr, collection: "files" | "latest"): Promise<string[]> {
  return (await contents(solr, collection)).map(({ file }) => String(file));
}

/** The lines about what was refused, or noted. */
export const told = (stderr: string): string[] =>
  stderr.split("\n").filter((line) => /: (?:refused|note): /.test(line));

/** A number of the last line. */
export function counted(stderr: string, what: string): number {
  const summary = stderr.split("\n").findLast((line) => /files?, .* in [\d.]+ s$/.test(line)) ?? "";
  const found = new RegExp(`([\\d,]+) ${what}`).exec(summary)?.[1];
  if (found === undefined) throw new Error(`No "${what}" in ${summary || stderr}`);
  return Number(found.replaceAll(",", ""));
}
