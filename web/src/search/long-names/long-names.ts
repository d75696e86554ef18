/**
 * Long names beside codes: of variables as CMIP6's tables and the CF standard names have them, of experiments, institutes and the
 * like as their standards describe them. What is not sure is not there. Loaded when they are shown first.
 */
import { signal } from "@preact/signals";

type Names = Readonly<Record<string, string>>;

/** By native facet and value in lower case; empty until they are loaded. */
const tables = signal<Readonly<Record<string, Names>>>({});
let loading: Promise<void> | undefined;

/** Without them codes stand alone. */
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

/** Whether there are any of a facet. */
export const hasLongNames = (native: string): boolean => native in tables.value;
