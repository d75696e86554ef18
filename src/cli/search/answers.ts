/** Answers of a service, by their shapes in the contract. */
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

export interface ExtendedSearchResult {
  readonly documents: readonly Readonly<
    Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, number>>>
  >[];
  readonly after: string | null;
}

export interface Coverage {
  readonly rows: string;
  readonly columns: string;
  readonly cells: string;
  readonly total_count: number;
  readonly known_files?: number;
  readonly row_values: readonly string[];
  readonly column_values: readonly string[];
  readonly values: readonly (readonly number[])[];
}
