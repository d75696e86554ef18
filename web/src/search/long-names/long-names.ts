/**
 * Long names beside codes: variables from CMIP6 tables and CF standard names; experiments, institutes and others from
 * their standards. Uncertain names are left out. Loaded on first use.
 */
import { signal } from "@preact/signals";

type Names = Readonly<Record<string, string>>;

/** By native facet and lower-case value; empty until loaded. */
const tables = signal<Readonly<Record<string, Names>>>({});
let loading: Promise<void> | undefined;

/** Without them, codes stand alone. */
export function loadLongNames(): Promise<void> {
  loading ??= Promise.all([
    import("./variables.json"),
    import("./experiments.json"),
    import("./others.json"),
  ]).then(
    ([variable, experiment, others]) => {
      tables.value = {
        variable: variable.default,
        experiment: experiment.default,
        ...others.default,
      };
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** @param value in any case */
export function longName(native: string, value: string): string | undefined {
  const names = tables.value[native];
  const key = value.toLowerCase();
  return names && Object.hasOwn(names, key) ? names[key] : undefined;
}

export const hasLongNames = (native: string): boolean => native in tables.value;
