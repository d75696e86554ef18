/** Answers of a service, as in the contract. */
import type { components } from "../../../generated/openapi.js";

type Schemas = components["schemas"];
export type Complete = Schemas["Complete"];
export type Coverage = Schemas["Coverage"];
export type ExtendedSearchResult = Schemas["ExtendedSearchResult"];
export type MetadataSearchResult = Schemas["MetadataSearchResult"];
export type Summary = Schemas["Summary"];
export type Why = Schemas["Why"];
