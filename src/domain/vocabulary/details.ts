/**
 * The details: what the index stores of a file besides its facets. This table is the only list of them.
 *
 * Details have the same names in every flavour. The overview leaves them out, and a metadata search counts them only if
 * requested by name. Documents may lack them, so every response that uses them states for how many files they are known.
 */

interface DetailTraits {
  /** For the contract: a phrase with a capital and no full stop. */
  readonly description: string;
  /** A value from the sample catalogue, if the contract takes none from the entry itself. */
  readonly example: string;
  /** `bytes`: whole numbers; `timestamp`: a point in time; `flag`: true or false. */
  readonly kind: "text" | "bytes" | "timestamp" | "flag";
  /** A document may have several values. */
  readonly several?: true;
  /** Whole indexes have few enough values to count each. */
  readonly countable?: true;
  /** Set by the service; values in documents are ignored. */
  readonly derived?: true;
}

const table = {
  dataset_id: {
    description: "Name of the dataset in its standard, without a version",
    example: "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn",
    kind: "text",
    derived: true,
  },
  size: {
    description: "Bytes of the file; of a zarr store those of its files together",
    example: "84022",
    kind: "bytes",
  },
  checksum: {
    description: "Checksum of the file with the name of its algorithm",
    example: "sha256:f7ef24b424dd92e88740bcafd42df540202778f6d0c205bc32618c0eae377da2",
    kind: "text",
  },
  modified: {
    description: "When the file was changed",
    example: "2019-07-10T12:00:00Z",
    kind: "timestamp",
  },
  added: {
    description: "When the entry came into the index",
    example: "2024-01-12T08:00:00Z",
    kind: "timestamp",
    derived: true,
  },
  updated: {
    description: "When the entry was written last",
    example: "2024-01-12T08:00:00Z",
    kind: "timestamp",
    derived: true,
  },
  time_start: {
    description: "Where the period of the data begins",
    example: "1985-01-01T00:00:00Z",
    kind: "timestamp",
    derived: true,
  },
  time_end: {
    description: "Where the period of the data ends",
    example: "1989-12-31T23:59:59Z",
    kind: "timestamp",
    derived: true,
  },
  tracking_id: {
    description: "Identifier that the file was given when it was made",
    example: "hdl:21.14100/3e8b0b0f-213c-54d3-808f-d41a77f9dc48",
    kind: "text",
    several: true,
  },
  standard_name: {
    description: "CF standard name of the variable",
    example: "air_temperature",
    kind: "text",
    several: true,
    countable: true,
  },
  long_name: {
    description: "Name of the variable for people",
    example: "Near-Surface Air Temperature",
    kind: "text",
    several: true,
    countable: true,
  },
  units: {
    description: "Units of the variable",
    example: "K",
    kind: "text",
    several: true,
    countable: true,
  },
  nominal_resolution: {
    description: "Resolution of the grid, roughly",
    example: "250 km",
    kind: "text",
    countable: true,
  },
  license: {
    description: "Terms under which the data may be used",
    example: "CC BY 4.0",
    kind: "text",
    countable: true,
  },
  further_info_url: {
    description: "Address of a page about the data",
    example: "https://furtherinfo.es-doc.org/CMIP6.MPI-M.MPI-ESM1-2-LR.historical.none.r1i1p1f1",
    kind: "text",
  },
  retracted: {
    description: "Whether the data were withdrawn by those who made them",
    example: "true",
    kind: "flag",
    countable: true,
  },
} as const satisfies Record<string, DetailTraits>;

/** The name of a detail and of its Solr field. */
export type Detail = keyof typeof table;

export type CountableDetail = {
  [D in Detail]: (typeof table)[D] extends { countable: true } ? D : never;
}[Detail];

export const DETAILS: Readonly<Record<Detail, DetailTraits>> = table;

export const DETAIL_NAMES = Object.keys(table) as readonly Detail[];

/** Details with discrete values; numbers and timestamps have ranges. */
export const SEARCHABLE_DETAILS: readonly Detail[] = DETAIL_NAMES.filter((detail) =>
  ["text", "flag"].includes(DETAILS[detail].kind),
);

export const COUNTABLE_DETAILS = DETAIL_NAMES.filter(
  (detail) => DETAILS[detail].countable,
) as readonly CountableDetail[];

export const isDetail = (name: string): name is Detail => Object.hasOwn(DETAILS, name);
