/** Formats of data in STAC assets, by the facet `format` in lower case. */

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  nc: "application/netcdf",
  nc4: "application/netcdf",
  netcdf: "application/netcdf",
  zarr: "application/vnd+zarr",
  grb: "application/wmo-GRIB2",
  grib: "application/wmo-GRIB2",
  grb2: "application/wmo-GRIB2",
  grib2: "application/wmo-GRIB2",
};

/** Formats of files that the service can stream. */
export const STREAMED: ReadonlySet<string> = new Set(["nc", "nc4", "netcdf", "zarr"]);
