import type { Answer } from "../service/request.js";

/** A flavour as the service lists it. */
export type Definition = Answer<"/databrowser/flavours">["flavours"][number];
