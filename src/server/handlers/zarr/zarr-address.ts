import { PREFIX } from "../../../../generated/prefix.js";

/**
 * The address of the zarr stream of a data set.
 *
 * @param base the service's own address, as callers see it
 */
export const zarrAddress = (base: string, id: string): string =>
  `${base}${PREFIX}/data-portal/zarr/${id}.zarr`;
