import { PREFIX } from "../../../../generated/prefix.js";
import { STORE_ENDS, type ZarrVersion } from "../../../files/zarr/address.js";

/**
 * The address of the zarr stream of a data set.
 *
 * @param base the service's own address, as callers see it
 */
export const zarrAddress = (base: string, id: string, version: ZarrVersion = 2): string =>
  `${base}${PREFIX}/data-portal/zarr/${id}${STORE_ENDS[version]}`;
