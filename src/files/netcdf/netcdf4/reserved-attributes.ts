/** Attribute names reserved by HDF5 and netCDF-C (netCDF-C, nc4internal.c, NC_reserved). */

/** Attributes that link variables to their dimensions. */
export const DIMENSION_ATTRIBUTES = [
  "CLASS",
  "NAME",
  "DIMENSION_LIST",
  "REFERENCE_LIST",
  "_Netcdf4Coordinates",
  "_Netcdf4Dimid",
] as const;

/** Attributes hidden from callers. */
export const HIDDEN_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...DIMENSION_ATTRIBUTES,
  "_nc3_strict",
  "_NCProperties",
]);
