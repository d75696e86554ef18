/** Names of attributes that HDF5 and netCDF-C keep for themselves (netCDF-C, nc4internal.c, NC_reserved). */

/** Those that tie variables to their dimensions. */
export const DIMENSION_ATTRIBUTES = [
  "CLASS",
  "NAME",
  "DIMENSION_LIST",
  "REFERENCE_LIST",
  "_Netcdf4Coordinates",
  "_Netcdf4Dimid",
] as const;

/** Those that no caller sees. */
export const HIDDEN_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...DIMENSION_ATTRIBUTES,
  "_nc3_strict",
  "_NCProperties",
]);
