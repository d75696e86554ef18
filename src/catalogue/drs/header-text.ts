/** Reads header attributes as texts that can be values of facets. A header may hold anything of any length. */

import { UNSEEN } from "../../domain/text/invisible-characters.js";
import type { Header, Variable } from "../../files/cf/header.js";

/** Characters of a value; the longest licence texts have some hundreds. */
export const MAX_TEXT = 4000;
/** Placeholders for missing values in headers of CMIP and CORDEX. */
const NOTHING = new Set([
  "",
  "none",
  "n/a",
  "na",
  "unknown",
  "unset",
  "no parent",
  "not specified",
]);

/** Characters of a variable's name (netcdf.h, NC_MAX_NAME is 256). */
const MAX_NAME = 500;

/** Whether a variable's name can be a value. HDF5 allows any text. */
export const isValue = (name: string): boolean =>
  name.length <= MAX_NAME && name.trim() !== "" && name.isWellFormed() && name.search(UNSEEN) < 0;

/**
 * An attribute as one line of text.
 *
 * @returns undefined if it is missing, is a placeholder, or is a list of numbers
 */
export function attributeText(
  of: Pick<Header | Variable, "attributes">,
  name: string,
): string | undefined {
  const value = of.attributes.get(name);
  if (value === undefined) return undefined;
  if (typeof value !== "string" && value.length !== 1) return undefined;
  const text = typeof value === "string" ? value : `${value[0]}`;
  // Too long: returned unchanged, so that the caller leaves it out. A part would be another value.
  if (text.length > 2 * MAX_TEXT) return text;
  const line = text.replaceAll(UNSEEN, " ").replaceAll(/\s+/g, " ").trim();
  return NOTHING.has(line.toLowerCase()) || !line.isWellFormed() ? undefined : line;
}
