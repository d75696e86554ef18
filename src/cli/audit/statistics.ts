/** The command `statistics`. */
import { resolve } from "node:path";
import { datasetId, digestsOf } from "../../files/zarr/address.js";
import type { Solr } from "../../index/solr.js";
import { DomainError, refusalOf, UserError } from "../../platform/errors.js";
import { dayOf, firstOf } from "../../server/audit/days.js";
import { type Period, Sums } from "../../server/audit/sums.js";
import type { Config } from "../../server/settings/config.js";
import { withSolr } from "../service/with-solr.js";
import { jsonStatistics, textStatistics } from "./statistics-report.js";

export interface StatisticsOptions {
  readonly days?: number;
  readonly from?: string;
  readonly to?: string;
  /** Maximal number of rows of each table. */
  readonly top: number;
  readonly json?: boolean;
}

const DEFAULT_DAYS = 30;

/** Prints what was searched and read. @throws UserError if folders or days are wrong */
export async function statistics(
  config: Config,
  folders: readonly string[],
  options: StatisticsOptions,
): Promise<void> {
  const period = periodOf(options);
  const sums = new Sums();
  for (const folder of foldersOf(config, folders)) {
    await sums.add(folder, period).catch((cause: unknown) => {
      throw new UserError(`${folder} cannot be read (${refusalOf(cause)}).`, { cause });
    });
  }
  const { top } = options;
  const read = sums.mostRead(top);
  const names = read.length > 0 ? await namesOf(config, read) : new Map<string, string>();
  const report = options.json ? jsonStatistics : textStatistics;
  await report(sums, {
    period,
    top,
    read: read.map((one) => ({ ...one, name: names.get(one.id) })),
  });
}

function foldersOf({ audit }: Config, folders: readonly string[]): readonly string[] {
  if (folders.length > 0) return folders.map((folder) => resolve(folder));
  if (audit !== undefined && audit.to !== "stdout") return [audit.to.folder];
  throw new UserError("Name folders, or set AUDIT to the folder of the records.");
}

function periodOf({ days, from, to = dayOf(Date.now()) }: StatisticsOptions): Period {
  if (days !== undefined && from !== undefined) {
    throw new UserError("--days and --from exclude each other.");
  }
  const period = { from: from ?? firstOf(days ?? DEFAULT_DAYS, to), to };
  if (period.from > period.to) throw new UserError("--from is after --to.");
  return period;
}

/** Names of public data sets; empty if Solr does not answer. */
async function namesOf(
  config: Config,
  read: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  try {
    const find = async (solr: Solr): Promise<void> => {
      for (const { id } of read) {
        const found = await solr.byDigest(digestsOf(id), undefined, ["file", "user", "owner"]);
        const [document, ...others] = found.filter(({ file }) => datasetId(String(file)) === id);
        const isPublic = document?.user === undefined && document?.owner === undefined;
        if (document !== undefined && others.length === 0 && isPublic) {
          names.set(id, String(document.file));
        }
      }
    };
    await withSolr(config, find, () => {});
  } catch (error) {
    if (!(error instanceof UserError || error instanceof DomainError)) throw error;
    process.stderr.write("Solr does not answer: data sets are shown by their identifiers.\n");
  }
  return names;
}
