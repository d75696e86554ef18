/** Options of the command `search`. */
export interface SearchOptions {
  readonly host?: string;
  readonly username?: string;
  readonly refreshTokenFile?: string;
  readonly uri?: boolean;
  readonly time?: string;
  readonly timeSelect?: string;
  readonly bbox?: string;
  readonly bboxSelect?: string;
  readonly multiVersion?: boolean;
  readonly limit?: string;
  readonly fields?: string;
  readonly count?: boolean;
  /** Names of facets, or true for all. */
  readonly facets?: string | true;
  readonly summary?: boolean;
  readonly why?: boolean;
  readonly complete?: boolean;
  readonly groupBy?: string;
  readonly need?: readonly string[];
  readonly requireAllOn?: string;
  readonly near?: string;
  readonly coverage?: string;
  readonly cells?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly output?: string;
}

export const FORMATS = ["csv", "parquet", "intake", "stac"] as const;
export const SELECTS = ["flexible", "strict", "file"];
export const CELLS = ["files", "datasets", "bytes", "members", "years"];
