/** Texts of the page of a dataset. */
import { counted } from "../service/numbers.js";

export const words = {
  title: "Dataset",
  busy: "Loading the dataset …",
  nothing: "Each dataset in the results of a search links to its page.",
  notFound:
    "No file that you may see belongs to this dataset. The name may be misspelt, or you may need to sign in.",
  toSearch: "To the search",
  copyName: "Copy the name",
  what: "About this dataset",
  period: "Period",
  versions: "Versions",
  noVersion: "The files do not name a version.",
  current: "current",
  retractedMeans:
    "Retracted data were withdrawn by those who made them. Do not use them for new work; the handle record names what replaces them.",
  files: "Files",
  header: "Header",
  where: "Where",
  map: "Map of the regions that the files cover",
  noBox: "The files do not say where they lie.",
  moreBoxes: (count: number): string => `and ${counted(count, "other box", "other boxes")}`,
  rights: "Licence and citation",
  licence: "Licence",
  noLicence: "The files do not name a licence. Ask those who made them before you publish results.",
  cite: "Cite these data",
  copyCitation: "Copy the citation",
  citationUnknown: "This service knows no reference for these data.",
  citationAs: (form: string): string =>
    `Citation as ${{ bibtex: "BibTeX", "csl-json": "CSL-JSON" }[form] ?? form}`,
  references: {
    citation: "Authors, DOI and citation",
    handle: "Handle record: newer versions and errata",
    furtherInfo: "Further information on the model and experiment",
  },
  formats: "Formats",
  storage: "Storage",
  storageOf: (fsType: string): string =>
    /^posix$/i.test(fsType) ? "disk" : /^(?:hsm|tape)$/i.test(fsType) ? "tape" : fsType,
  unknown: "unknown",
  onTape: "The files are on tape. A first look and streams need files on a disk.",
  noFormat: "The service does not stream files of this format.",
  notReadable: (reason: string): string => `No first look: ${reason}`,
  noRights: "You may not read these files, so they have no first look. Sign in to see more.",
  open: "Open the whole dataset",
  openNeeds:
    "Needs xarray, zarr, aiohttp and requests, and an access token in the environment variable TOKEN.",
  copyOpen: "Copy the code",
  notStreamed: "The service streams files on disks in NetCDF or zarr only. Download these instead.",
  catalogues: "Catalogues and code",
  intake: "intake-esm catalogue",
  codeDataset: "Facts of this dataset",
  codeFiles: "Paths of its files",
} as const;
