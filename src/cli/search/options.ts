import { type Command, Option } from "commander";
import { formatsOf } from "../../domain/vocabulary/list-formats.js";
import type { CredentialOptions } from "../accounts/credentials.js";

export interface SearchOptions extends CredentialOptions {
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

/** The options of a time and a region, and their parameters. */
export const NARROWING = [
  ["time", "time"],
  ["timeSelect", "time_select"],
  ["bbox", "bbox"],
  ["bboxSelect", "bbox_select"],
] as const;

/** Tables and catalogues of what is found. */
export const FORMATS = formatsOf("searchExtended", "createIntakeCatalogue", "createStacCatalogue");
const SELECTS = ["flexible", "strict", "file"];
export const CELLS = ["files", "datasets", "bytes", "members", "years"];

/** Adds the options that restrict a search besides its filters. */
export const withRestrictions = (command: Command): Command =>
  command
    .option("--time <period>", '"1990 to 1994-06", "2000 to", 2000-03; fx for constant data')
    .addOption(
      new Option("--time-select <how>", "how the time of a file must match the period").choices(
        SELECTS,
      ),
    )
    .option("--bbox <box>", "min_lon,max_lon,min_lat,max_lat")
    .addOption(
      new Option("--bbox-select <how>", "how the area of a file must match the box").choices(
        SELECTS,
      ),
    )
    .option("--multi-version", "all versions, not only the newest");
