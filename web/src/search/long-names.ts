/** Long names beside codes, loaded on first use: the tables are larger than the rest of the search. */
import { signal } from "@preact/signals";

type Tables = typeof import("../../../src/domain/vocabulary/long-names/long-names.js");

/** Undefined until loaded. */
const tables = signal<Tables | undefined>(undefined);
let loading: Promise<void> | undefined;

/** Without them, codes stand alone. */
export function loadLongNames(): Promise<void> {
  loading ??= import("../../../src/domain/vocabulary/long-names/long-names.js").then(
    (loaded) => {
      tables.value = loaded;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** @param value in any case */
export const longName = (native: string, value: string): string | undefined =>
  tables.value?.longName(native, value);

export const hasLongNames = (native: string): boolean =>
  tables.value?.hasLongNames(native) ?? false;
