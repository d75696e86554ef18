/** Long names beside codes, from the standards that define the codes. Codes are the same in all flavours. */
import { EXPERIMENTS } from "./experiments.js";
import { OTHERS } from "./others.js";
import { VARIABLES } from "./variables.js";

const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  variable: VARIABLES,
  experiment: EXPERIMENTS,
  ...OTHERS,
};

/** The long name of a facet's value; undefined if none is known. @param value in any case */
export function longName(native: string, value: string): string | undefined {
  const names = Object.hasOwn(TABLES, native) ? TABLES[native] : undefined;
  const key = value.toLowerCase();
  return names && Object.hasOwn(names, key) ? names[key] : undefined;
}

export const hasLongNames = (native: string): boolean => Object.hasOwn(TABLES, native);
