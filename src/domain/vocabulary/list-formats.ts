/** The formats of lists and tables: facts that the contract, the service, the command line and the page share. */

interface FormatFacts {
  /** The operation that gives it alone; one for all tables, downloads and citations. */
  readonly operation:
    | "searchData"
    | "loadData"
    | "createIntakeCatalogue"
    | "createStacCatalogue"
    | "searchExtended"
    | "downloadData"
    | "cite";
  readonly type: string;
  readonly isBinary?: true;
  /** The extension of a downloaded file. */
  readonly extension: string;
  /** For people. */
  readonly title: string;
  readonly use: string;
  /** The beginning, as the contract shows it. */
  readonly example?: string;
  /** The name of a constant in generated clients, if it is not the format's. */
  readonly constant?: string;
}

/** In the order offered. */
export const LIST_FORMATS = {
  paths: {
    operation: "searchData",
    type: "text/plain",
    extension: "txt",
    title: "Path list",
    use: "one location per line",
  },
  intake: {
    operation: "createIntakeCatalogue",
    type: "application/json",
    extension: "json",
    title: "intake-esm catalogue",
    use: "opened by intake in Python",
  },
  stac: {
    operation: "createStacCatalogue",
    type: "application/zip",
    isBinary: true,
    extension: "zip",
    title: "STAC archive",
    use: "a zip that STAC tools read",
  },
  csv: {
    operation: "searchExtended",
    type: "text/csv",
    extension: "csv",
    title: "CSV table",
    use: "the facets of each file",
    example:
      "file,variable,size\n/pool/data/CMIP6/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc,tas,84022\n",
  },
  parquet: {
    operation: "searchExtended",
    type: "application/vnd.apache.parquet",
    isBinary: true,
    extension: "parquet",
    title: "Parquet table",
    use: "the facets of each file, for data frames",
    example: "(a Parquet file)",
  },
  zarr: {
    operation: "loadData",
    type: "text/plain",
    extension: "txt",
    title: "Zarr addresses",
    use: "of whole datasets or of files, to stream the data with an access token",
  },
  sh: {
    operation: "downloadData",
    type: "text/plain",
    extension: "sh",
    title: "Download script",
    use: "a shell script that fetches the files, resumes and verifies",
    constant: "SHELL_SCRIPT",
  },
  aria2: {
    operation: "downloadData",
    type: "text/plain",
    extension: "aria2.txt",
    title: "aria2 list",
    use: "addresses and checksums for aria2c -i",
    constant: "ARIA2_INPUT",
  },
  metalink: {
    operation: "downloadData",
    type: "application/metalink4+xml",
    extension: "meta4",
    title: "Metalink",
    use: "addresses, sizes and checksums for download managers",
    example: '<?xml version="1.0" encoding="UTF-8"?>',
    constant: "METALINK_FILE",
  },
  urls: {
    operation: "downloadData",
    type: "text/plain",
    extension: "urls.txt",
    title: "Addresses",
    use: "one address per line",
    constant: "URL_LIST",
  },
  sha256sum: {
    operation: "downloadData",
    type: "text/plain",
    extension: "sha256",
    title: "Checksums",
    use: "for sha256sum -c",
    constant: "CHECKSUM_LIST",
  },
  globus: {
    operation: "downloadData",
    type: "text/plain",
    extension: "globus.txt",
    title: "Globus batch",
    use: "pairs of paths for globus transfer --batch",
    constant: "GLOBUS_BATCH",
  },
  text: {
    operation: "cite",
    type: "text/plain",
    extension: "txt",
    title: "Citations",
    use: "what to cite for these data, with licences",
  },
  bibtex: {
    operation: "cite",
    type: "application/x-bibtex",
    extension: "bib",
    title: "BibTeX",
    use: "the citations for LaTeX",
    example: "@misc{CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical, title = {...}}",
  },
  "csl-json": {
    operation: "cite",
    type: "application/vnd.citationstyles.csl+json",
    extension: "json",
    title: "CSL-JSON",
    use: "the citations for Zotero and others",
  },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type FormatName = keyof typeof LIST_FORMATS;
export type TypeOf<Name extends FormatName> = (typeof LIST_FORMATS)[Name]["type"];

type Operation = FormatFacts["operation"];

/** The names of the formats that an operation gives. */
export type FormatOf<O extends Operation> = {
  [Name in FormatName]: (typeof LIST_FORMATS)[Name]["operation"] extends O ? Name : never;
}[FormatName];

export const FORMAT_NAMES = Object.keys(LIST_FORMATS) as readonly FormatName[];

export const formatFacts = (name: FormatName): FormatFacts => LIST_FORMATS[name];

/** Whether a name is that of a format that one of the operations gives. */
export const isFormatOf = <O extends Operation>(
  name: string,
  ...operations: readonly O[]
): name is FormatOf<O> =>
  Object.hasOwn(LIST_FORMATS, name) &&
  operations.some((one) => one === LIST_FORMATS[name as FormatName].operation);

/** The formats that some operations give. */
export const formatsOf = <O extends Operation>(...operations: readonly O[]): FormatOf<O>[] =>
  FORMAT_NAMES.filter((name): name is FormatOf<O> => isFormatOf(name, ...operations));

/** The media types of the formats that an operation gives. */
export const typesOf = <O extends Operation>(operation: O) =>
  Object.fromEntries(formatsOf(operation).map((name) => [name, LIST_FORMATS[name].type])) as {
    readonly [Name in FormatOf<O>]: TypeOf<Name>;
  };
