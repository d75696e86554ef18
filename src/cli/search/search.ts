/** The command `search`. */
import type { OperationName } from "../../../generated/operations.js";
import { formatFacts, isFormatOf } from "../../domain/vocabulary/list-formats.js";
import { UserError } from "../../platform/errors.js";
import { BrowseError, bodyOf } from "../client/browse.js";
import { count } from "../terminal/plurals.js";
import { printable } from "../terminal/printable.js";
import { type Look, lookOf } from "../terminal/terminal.js";
import { copyLines, isEmptyParquet } from "./copy.js";
import { writeDocuments } from "./documents.js";
import { completeReport, coverageReport } from "./matrix.js";
import type { SearchOptions } from "./options.js";
import type { Complete, Coverage, MetadataSearchResult, Summary, Why } from "./reports.js";
import { facetReport, nothingFound, summaryReport, whyReport } from "./reports.js";
import {
  type Format,
  isFormat,
  pathOf,
  type SearchRequest,
  searchRequestOf,
} from "./search-request.js";
import { type SignedClient, signedClient } from "./signed-client.js";
import { writeTo } from "./target.js";
import { WrongUse } from "./words.js";

/** Exit statuses, as of grep. */
const FOUND = 0;
const NOTHING = 1;
const FAILED = 2;

/** Runs a search and reports errors. @returns the exit status */
export async function search(words: readonly string[], options: SearchOptions): Promise<number> {
  try {
    const request = searchRequestOf(words, options);
    checkTarget(request, options);
    const service = await signedClient(options);
    const isFound = await answer({ request, options, service });
    // `why` explains an empty result itself.
    if (!isFound && request.wanted !== "why")
      process.stderr.write(`${await whyNothing(request, service)}\n`);
    return isFound ? FOUND : NOTHING;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const hint = error instanceof WrongUse ? " (climate-nextgen search --help says more)" : "";
    process.stderr.write(`${printable(error.message)}${hint}\n`);
    return FAILED;
  }
}

interface Job {
  readonly request: SearchRequest;
  readonly options: SearchOptions;
  readonly service: SignedClient;
}

/** Whether the answer goes to a terminal. */
const isShown = ({ output }: SearchOptions): boolean =>
  output === undefined && process.stdout.isTTY === true;

function checkTarget({ wanted }: SearchRequest, options: SearchOptions): void {
  if (!isFormat(wanted) || !formatFacts(wanted).isBinary || !isShown(options)) return;
  throw new WrongUse(`--format ${wanted} cannot be printed on a terminal: add --output FILE.`);
}

/** @returns whether anything was found */
async function answer(job: Job): Promise<boolean> {
  const { wanted } = job.request;
  if (isFormat(wanted)) return copy(job, wanted);
  switch (wanted) {
    case "list":
      return copy(job, "paths");
    case "count":
      return countFiles(job);
    case "facets":
      return printAnswer<MetadataSearchResult>(job, "searchMetadata", totalOf, (found, look) =>
        facetReport(found, job.options.facets !== true, look),
      );
    case "summary":
      return printAnswer<Summary>(job, "summarize", ({ files }) => files, summaryReport);
    case "why":
      return printAnswer<Why>(job, "explain", totalOf, whyReport);
    case "complete":
      return printAnswer<Complete>(
        job,
        "findComplete",
        (one) => one.complete_count,
        completeReport,
      );
    case "coverage":
      return printAnswer<Coverage>(
        job,
        "showCoverage",
        ({ values }) => values.length,
        coverageReport,
      );
    case "documents":
      return documents(job);
  }
}

const parametersOf = ({ search, more }: SearchRequest): URLSearchParams =>
  new URLSearchParams([...search, ...more]);

/** Copies a list as the service sends it. */
async function copy(
  { request, options, service }: Job,
  format: Format | "paths",
): Promise<boolean> {
  const { limit, wanted } = request;
  const { operation, type } = formatFacts(format);
  const path = pathOf(operation, request);
  const parameters = parametersOf(request);
  const response = await service.ask({ path, parameters, type }).catch((error: unknown) => {
    if (isNothing(error)) return undefined;
    throw error;
  });
  if (response === undefined) return false;
  const copied = await writeTo(options.output, (write) =>
    copyLines(bodyOf(response), write, {
      isShown: isShown(options),
      ...(wanted === "list" && { limit }),
    }),
  );
  if (format === "parquet") return !isEmptyParquet(copied);
  // A table without rows has a header line.
  return isFormatOf(format, "searchExtended") ? copied.lines > 1 : copied.bytes > 0;
}

/** The service refuses to make an empty catalogue. */
const isNothing = (error: unknown): boolean =>
  error instanceof BrowseError && /:no-(?:entries|items)$/.test(error.type ?? "");

function documents({ request, options, service }: Job): Promise<boolean> {
  const look = isShown(options) ? lookFor(options) : undefined;
  const form = { isJson: options.json === true, look };
  return writeTo(options.output, (write) => writeDocuments(request, service, form, write));
}

async function countFiles({ request, options, service }: Job): Promise<boolean> {
  const asked = { path: pathOf("searchMetadata", request), parameters: parametersOf(request) };
  const total = request.isRestricted
    ? await linesOf(request, service)
    : (await service.askJson<MetadataSearchResult>(asked)).total_count;
  const shown = options.json === true ? JSON.stringify({ total_count: total }) : `${total}`;
  await writeTo(options.output, (write) => write(`${shown}\n`));
  return total > 0;
}

const totalOf = ({ total_count: total }: { readonly total_count: number }): number => total;

/** Counts the lines of the list: the service gives no count for complete groups. */
async function linesOf(request: SearchRequest, service: SignedClient): Promise<number> {
  const parameters = parametersOf(request);
  parameters.delete("facets");
  const path = pathOf("searchData", request);
  const response = await service.ask({ path, parameters, type: "text/plain" });
  return (await copyLines(bodyOf(response), async () => {})).lines;
}

/** Prints an answer of the service. @param files the number of files or entries found */
async function printAnswer<T>(
  { request, options, service }: Job,
  operation: OperationName,
  files: (answer: T) => number,
  report: (answer: T, look: Look) => string,
): Promise<boolean> {
  const path = pathOf(operation, request);
  const found = await service.askJson<T>({ path, parameters: parametersOf(request) });
  const shown =
    options.json === true ? JSON.stringify(found, null, 2) : report(found, lookFor(options));
  // Before the file is replaced: an answer without its numbers is none.
  const isFound = files(found) > 0;
  await writeTo(options.output, (write) => write(`${shown}\n`));
  return isFound;
}

/** A file has neither width nor colours. */
const lookFor = ({ output }: SearchOptions): Look =>
  lookOf(output === undefined ? process.stdout : {});

/** One line that explains an empty result. */
async function whyNothing(request: SearchRequest, service: SignedClient): Promise<string> {
  const { search, isRestricted } = request;
  try {
    const why = await service.askJson<Why>({
      path: pathOf("explain", request),
      parameters: search,
    });
    if (why.total_count === 0) return nothingFound(why);
    if (!isRestricted && request.wanted !== "complete") return "Nothing is found.";
    const where = request.wanted === "complete" ? "" : ": --complete says what is missing";
    return `No group of ${count(why.total_count, "file")} is complete${where}.`;
  } catch (error) {
    if (error instanceof UserError) return "Nothing is found.";
    throw error;
  }
}
