/** The command `search`: what is found, or what is to be said of it. */

import { UserError } from "../../platform/errors.js";
import { BrowseError, bodyOf } from "../client/browse.js";
import { count } from "../terminal/plurals.js";
import { printable } from "../terminal/printable.js";
import { type Look, lookOf } from "../terminal/terminal.js";
import type { Complete, Coverage, MetadataSearchResult, Summary, Why } from "./answers.js";
import { copyLines } from "./copy.js";
import { writeDocuments } from "./documents.js";
import { completeReport, coverageReport } from "./matrix.js";
import type { SearchOptions } from "./options.js";
import { type Format, type Question, questionOf } from "./question.js";
import { facetReport, nothingFound, summaryReport, whyReport } from "./reports.js";
import { Signed } from "./signed.js";
import { type Write, writeTo } from "./target.js";
import { WrongUse } from "./wrong-use.js";

/** As with grep: something was found, nothing was, something went wrong. */
export const FOUND = 0;
export const NOTHING = 1;
export const FAILED = 2;

/** @returns the exit status; what went wrong has been told */
export async function search(words: readonly string[], options: SearchOptions): Promise<number> {
  try {
    const question = questionOf(words, options);
    checkTarget(question, options);
    const service = await Signed.open(options);
    const isFound = await answer({ question, options, service });
    if (!isFound && !TELLS_ITSELF.has(question.wanted)) await tellNothing(question, service);
    return isFound ? FOUND : NOTHING;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const hint = error instanceof WrongUse ? " (climate-nextgen search --help says more)" : "";
    process.stderr.write(`${printable(error.message)}${hint}\n`);
    return FAILED;
  }
}

/** Answers that say themselves what is in the way. */
const TELLS_ITSELF = new Set(["why", "complete"]);

interface Asked {
  readonly question: Question;
  readonly options: SearchOptions;
  readonly service: Signed;
}

const LISTS: Readonly<Record<Format | "list", { operation: string; type: string }>> = {
  list: { operation: "data-search", type: "text/plain" },
  intake: { operation: "intake-catalogue", type: "application/json" },
  stac: { operation: "stac-catalogue", type: "application/zip" },
  csv: { operation: "extended-search", type: "text/csv" },
  parquet: { operation: "extended-search", type: "application/vnd.apache.parquet" },
};

const BINARY = new Set(["parquet", "stac"]);

/** Whether a terminal gets the answer. */
const isShown = ({ output }: SearchOptions): boolean =>
  output === undefined && process.stdout.isTTY === true;

function checkTarget({ wanted }: Question, options: SearchOptions): void {
  if (!BINARY.has(wanted) || !isShown(options)) return;
  throw new WrongUse(`--format ${wanted} is nothing for a terminal: say --output FILE.`);
}

/** @returns whether anything was found */
async function answer(asked: Asked): Promise<boolean> {
  const { wanted, isRestricted } = asked.question;
  switch (wanted) {
    case "list":
    case "intake":
    case "stac":
    case "csv":
    case "parquet":
      return copy(asked, LISTS[wanted]);
    case "count":
      return isRestricted ? countList(asked) : tell<MetadataSearchResult>(asked, COUNT);
    case "facets":
      return tell<MetadataSearchResult>(asked, {
        operation: "metadata-search",
        files: ({ total_count: total }) => total,
        report: (found, look) => facetReport(found, asked.options.facets !== true, look),
      });
    case "summary":
      return tell<Summary>(asked, {
        operation: "summary",
        files: ({ files }) => files,
        report: summaryReport,
      });
    case "why":
      return tell<Why>(asked, {
        operation: "why",
        files: ({ total_count: total }) => total,
        report: whyReport,
      });
    case "complete":
      return tell<Complete>(asked, {
        operation: "complete",
        hasKey: false,
        files: ({ complete_count: total }) => total,
        report: completeReport,
      });
    case "coverage":
      return tell<Coverage>(asked, {
        operation: "coverage",
        hasKey: false,
        files: ({ values }) => values.length,
        report: coverageReport,
      });
    case "documents":
      return documents(asked);
  }
}

const parametersOf = ({ search, more }: Question): URLSearchParams =>
  new URLSearchParams([...search, ...more]);

/** The list itself, as the service gives it. */
async function copy(
  { question, options, service }: Asked,
  { operation, type }: { operation: string; type: string },
): Promise<boolean> {
  const { flavour, key, limit, wanted } = question;
  const path = [operation, flavour, key];
  const parameters = parametersOf(question);
  const response = await service.ask({ path, parameters, type }).catch((error: unknown) => {
    if (isNothing(error)) return undefined;
    throw error;
  });
  if (response === undefined) return false;
  const { lines, isEmpty } = await writeTo(options.output, (write) =>
    copyLines(bodyOf(response), write, {
      isShown: isShown(options),
      ...(wanted === "list" && { limit }),
    }),
  );
  // A table without a row has its head.
  return wanted === "csv" ? lines > 1 : !isEmpty;
}

/** Catalogues of nothing are refused. */
const isNothing = (error: unknown): boolean =>
  error instanceof BrowseError && /:no-(?:entries|items)$/.test(error.type ?? "");

/** Page by page, so that their number does not matter. */
function documents({ question, options, service }: Asked): Promise<boolean> {
  const look = isShown(options) ? lookFor(options) : undefined;
  const form = { isJson: options.json === true, look };
  return writeTo(options.output, (write) => writeDocuments(question, service, form, write));
}

/** How long a list of complete groups is, which only the list tells. */
async function countList(asked: Asked): Promise<boolean> {
  const { question, options, service } = asked;
  const { flavour, key } = question;
  const parameters = parametersOf(question);
  parameters.delete("facets");
  const path = ["data-search", flavour, key];
  const response = await service.ask({ path, parameters, type: "text/plain" });
  const { lines } = await copyLines(bodyOf(response), async () => {});
  await writeTo(options.output, (write) => write(counted(lines, options)));
  return lines > 0;
}

const counted = (total: number, { json }: SearchOptions): string =>
  json === true ? `${JSON.stringify({ total_count: total })}\n` : `${total}\n`;

interface Telling<T> {
  readonly operation: string;
  /** Whether its path says if files or URIs are meant. */
  readonly hasKey?: boolean;
  /** How much was found. */
  files(answer: T): number;
  report(answer: T, look: Look): string;
}

const COUNT: Telling<MetadataSearchResult> = {
  operation: "metadata-search",
  files: ({ total_count: total }) => total,
  report: ({ total_count: total }) => String(total),
};

async function tell<T>(
  asked: Asked,
  { operation, hasKey = true, files, report }: Telling<T>,
): Promise<boolean> {
  const { question, options, service } = asked;
  const { flavour, key, wanted } = question;
  const path = hasKey ? [operation, flavour, key] : [operation, flavour];
  const found = await service.askJson<T>({ path, parameters: parametersOf(question) });
  const total = files(found);
  await writeTo(options.output, async (write: Write) => {
    if (wanted === "count") await write(counted(total, options));
    else if (options.json === true) await write(`${JSON.stringify(found, null, 2)}\n`);
    else await write(`${report(found, lookFor(options))}\n`);
  });
  return total > 0;
}

/** A file has neither a width nor colours. */
const lookFor = ({ output }: SearchOptions): Look =>
  lookOf(output === undefined ? process.stdout : {});

/** Says in a line what is in the way. */
async function tellNothing(question: Question, service: Signed): Promise<void> {
  process.stderr.write(`${await whyNothing(question, service)}\n`);
}

async function whyNothing(question: Question, service: Signed): Promise<string> {
  const { flavour, key, search, isRestricted } = question;
  try {
    const why = await service.askJson<Why>({ path: ["why", flavour, key], parameters: search });
    if (why.total_count === 0) return nothingFound(why);
    if (!isRestricted) return "Nothing is found.";
    return `No group is complete, of ${count(why.total_count, "file")}: --complete says what is missing.`;
  } catch (error) {
    if (error instanceof UserError) return "Nothing is found.";
    throw error;
  }
}
