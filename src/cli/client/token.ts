import type { components } from "../../../generated/openapi.js";

/** Access token and refresh token, with their ends in seconds since 1970. */
export type Token = components["schemas"]["Token"];
