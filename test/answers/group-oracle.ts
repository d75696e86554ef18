/** Which groups are complete, told by going through all files for each group and need, month by month. */
import type { GroupDocument } from "./group-documents.js";

/** Values that files have, by the names of CMIP6. Some mean something in the language of needs, or of Solr. */
export const FACETS = {
  source_id: ["MPI;ESM", "CESM\\2", "UK:ESM1 *", 'IPSL"$}{!x}'],
  member_id: ["r1i1p1f1", "r2i1p1f1", "r3,\u0001i1"],
  experiment_id: ["historical", "ssp585", "hist-nat"],
  grid_label: ["gn", "gr"],
  variable_id: ["tas", "pr", "areacella", "${solr.home}"],
  table_id: ["Amon", "fx", "Omon"],
  license: ["CC BY 4.0; see https://example.org/?a=b", "none"],
} as const;

type Name = keyof typeof FACETS;

export interface Asked {
  readonly groupBy: readonly Name[];
  readonly needs: readonly {
    readonly values: readonly (readonly [Name, readonly string[]])[];
    readonly on?: readonly Name[];
    readonly from?: string;
    readonly to?: string;
  }[];
  readonly filters: readonly (readonly [string, string])[];
}

export interface GroupOracle {
  readonly answer: {
    readonly group_count: number;
    readonly complete: readonly Readonly<Record<string, string>>[];
    readonly near_misses: readonly {
      readonly group: Readonly<Record<string, string>>;
      readonly missing: readonly {
        readonly need: number;
        readonly gaps?:
          | readonly { readonly from: string | null; readonly to: string | null }[]
          | undefined;
      }[];
    }[];
  };
  /** Of the complete groups, in the order of results. */
  readonly files: readonly string[];
}

const FIELDS: Readonly<Record<Name, keyof GroupDocument>> = {
  source_id: "model",
  member_id: "ensemble",
  experiment_id: "experiment",
  grid_label: "grid_label",
  variable_id: "variable",
  table_id: "cmor_table",
  license: "license",
};

/** What was found out of a file, which is asked for many times. */
const known = new WeakMap<GroupDocument, Map<string, string[]>>();

function remembered(document: GroupDocument, key: string, find: () => string[]): string[] {
  const its = known.get(document) ?? new Map<string, string[]>();
  known.set(document, its);
  const values = its.get(key) ?? find();
  its.set(key, values);
  return values;
}

const valuesOf = (document: GroupDocument, name: Name): string[] =>
  remembered(document, name, () => {
    const value = document[FIELDS[name]] ?? [];
    return [...new Set([value].flat().map((text) => String(text).toLowerCase()))];
  });

type Need = Asked["needs"][number];

const meets = (document: GroupDocument, { values }: Need): boolean =>
  values.every(([name, all]) =>
    all.some((value) => valuesOf(document, name).includes(value.toLowerCase())),
  );

function passes(document: GroupDocument, [key, value]: readonly [string, string]): boolean {
  if (key === "dataset") return document.dataset === value;
  if (key === "experiment_id") {
    return valuesOf(document, "experiment_id").some((one) => one.startsWith("hist"));
  }
  if (key === "source_id_not_") return !valuesOf(document, "source_id").includes("mpi;esm");
  throw new Error(`no such filter: ${key}`);
}

/** Groups that a file is in, as texts. */
const groupsOf = (document: GroupDocument, names: readonly Name[]): string[] =>
  remembered(document, `by ${names.join()}`, () => {
    let groups: string[][] = [[]];
    for (const name of names) {
      groups = groups.flatMap((group) =>
        valuesOf(document, name).map((value) => [...group, value]),
      );
    }
    return groups.map((group) => JSON.stringify(group));
  });

/** Months that are looked at, since year 0; periods of the files lie well within. */
const [FIRST, LAST] = [1800 * 12, 1900 * 12];

const monthOf = (text: string, isEnd: boolean): number => {
  const [year = "", month] = text.split("-");
  return Number(year) * 12 + (month === undefined ? (isEnd ? 11 : 0) : Number(month) - 1);
};

/** Whether a file has something of a month, in whole steps of its frequency. */
function has({ time, time_frequency }: GroupDocument, month: number): boolean {
  if (time === undefined) return false;
  if (time === "fx") return true;
  const [, from = "", to = ""] = /^\[(\S+) TO (\S+)\]$/.exec(time) ?? [];
  let [first, last] = [monthOf(from, false), monthOf(to, true)];
  if (time_frequency[0] === "yr") {
    first = Math.floor(first / 12) * 12;
    last = Math.floor(last / 12) * 12 + 11;
  }
  return first <= month && month <= last;
}

const start = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01T00:00:00Z`;
const end = (month: number): string =>
  new Date(Date.parse(start(month + 1)) - 1000).toISOString().replace(".000Z", "Z");

function gapsOf(files: readonly GroupDocument[], { from, to }: Need) {
  const timed = files.filter(({ time }) => time !== undefined);
  const covered = (month: number): boolean => timed.some((file) => has(file, month));
  const all = {
    from: from ? start(monthOf(from, false)) : null,
    to: to ? end(monthOf(to, true)) : null,
  };
  if (timed.length === 0) return [all];
  const isConstant = timed.some(({ time }) => time === "fx");
  const months = Array.from({ length: LAST - FIRST }, (_, index) => FIRST + index).filter(covered);
  const low = from ? monthOf(from, false) : isConstant ? FIRST : (months[0] ?? FIRST);
  const high = to ? monthOf(to, true) : isConstant ? LAST : (months.at(-1) ?? FIRST);
  if (low > high) return [all];
  const gaps: { from: string; to: string }[] = [];
  let open: number | undefined;
  for (let month = low; month <= high + 1; month++) {
    const isMissing = month <= high && !isConstant && !covered(month);
    if (isMissing) open ??= month;
    else if (open !== undefined) {
      gaps.push({ from: start(open), to: end(month - 1) });
      open = undefined;
    }
  }
  return gaps;
}

export function oracle(documents: readonly GroupDocument[], asked: Asked): GroupOracle {
  const { groupBy, needs, filters } = asked;
  const onOf = (need: Need): readonly Name[] =>
    groupBy.filter((name) => need.on?.includes(name) ?? true);
  const found = documents.filter((document) => filters.every((filter) => passes(document, filter)));
  const isOfAll = needs.every((need) => onOf(need).length < groupBy.length);
  const looked = isOfAll ? found : found.filter((one) => needs.some((need) => meets(one, need)));
  const groups = [...new Set(looked.flatMap((document) => groupsOf(document, groupBy)))];
  const judged = groups.map((key) => {
    const values = JSON.parse(key) as string[];
    const group = Object.fromEntries(groupBy.map((name, index) => [name, values[index] ?? ""]));
    const missing = needs.flatMap((need, index) => {
      const on = onOf(need);
      const part = JSON.stringify(on.map((name) => group[name]));
      const files = found.filter((one) => meets(one, need) && groupsOf(one, on).includes(part));
      if (need.from === undefined && need.to === undefined) {
        return files.length > 0 ? [] : [{ need: index }];
      }
      const gaps = gapsOf(files, need);
      return gaps.length > 0 ? [{ need: index, gaps }] : [];
    });
    return { key, values, group, missing };
  });
  judged.sort((a, b) => a.missing.length - b.missing.length || compared(a.values, b.values));
  const complete = judged.filter(({ missing }) => missing.length === 0);
  const isListed = (document: GroupDocument): boolean =>
    complete.some(
      ({ key, group }) =>
        groupsOf(document, groupBy).includes(key) ||
        needs.some((need) => {
          const on = onOf(need);
          const part = JSON.stringify(on.map((name) => group[name]));
          return meets(document, need) && groupsOf(document, on).includes(part);
        }),
    );
  return {
    answer: {
      group_count: groups.length,
      complete: complete.map(({ group }) => group),
      near_misses: judged
        .filter(({ missing }) => missing.length > 0)
        .map(({ group, missing }) => ({ group, missing })),
    },
    files: found
      .filter(isListed)
      .map(({ file }) => file)
      .sort()
      .reverse(),
  };
}

function compared(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  if (index < 0) return 0;
  return (a[index] ?? "") < (b[index] ?? "") ? -1 : 1;
}
