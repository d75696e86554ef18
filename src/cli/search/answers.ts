/** Answers of a service, by their shapes in the contract. */
import type { components } from "../../../generated/openapi.js";

type Schemas = components["schemas"];
export type Coverage = Schemas["Coverage"];
export type ExtendedSearchResult = Schemas["ExtendedSearchResult"];
export type MetadataSearchResult = Schemas["MetadataSearchResult"];
export type Summary = Schemas["Summary"];
export type Why = Schemas["Why"];

export interface Complete {
  readonly group_by: readonly string[];
  readonly needs: readonly { readonly need: string }[];
  readonly group_count: number;
  readonly complete_count: number;
  readonly complete: readonly Readonly<Record<string, string>>[];
  readonly near_misses: readonly {
    readonly group: Readonly<Record<string, string>>;
    readonly missing: readonly {
      readonly need: number;
      readonly gaps?: readonly { readonly from: string | null; readonly to: string | null }[];
    }[];
  }[];
}
