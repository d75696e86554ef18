/** Loads catalogue files with a progress bar, for `index` and the first start of a service. */

import { stat } from "node:fs/promises";
import { LoadCounter, Loader, type LoadResult } from "../../index/loading/load.js";
import { type Input, inputOf, readDocuments } from "../../index/loading/read-documents.js";
import type { SolrHttp } from "../../index/transport/http.js";
import { refusalOf, UserError } from "../../platform/errors.js";
import { orSetupError } from "../service/with-solr.js";
import { count, number } from "../terminal/plurals.js";
import { inOneLine, progress } from "../terminal/progress.js";

/** A file cannot be read; the message is one sentence. */
export class UnreadableInput extends UserError {
  override readonly name = "UnreadableInput";

  static at(path: string, cause: unknown): UnreadableInput {
    return new UnreadableInput(`${path} cannot be read (${refusalOf(cause)}).`, { cause });
  }
}

/**
 * Bytes of all inputs; undefined if one is standard input.
 *
 * @throws UnreadableInput if one is missing or no file
 */
export async function totalSize(paths: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const path of paths) {
    if (path === "-") return undefined;
    const found = await stat(path).catch((error: unknown) => {
      throw UnreadableInput.at(path, error);
    });
    if (found.isDirectory()) throw new UnreadableInput(`${path} is a folder, not a file.`);
    total += found.size;
  }
  return total;
}

async function* documentsOf(input: Input, onBytes: (count: number) => void) {
  try {
    yield* readDocuments(input, onBytes);
  } catch (error) {
    throw UnreadableInput.at(input.name, error);
  }
}

/** A load or its marks. @throws SetupError if Solr fails */
export const loading = <T>(work: Promise<T>): Promise<T> =>
  orSetupError(
    work,
    (reason) =>
      `Solr did not take all documents (${reason}); run the same command again to complete the load.`,
  );

/**
 * Loads files one after the other. Refused documents are reported on standard error as `<file>:<line>: refused: <reason>`.
 *
 * @param root folder against which relative paths in the documents are resolved
 * @throws SetupError if Solr fails
 */
export async function loadFiles(
  http: SolrHttp,
  paths: readonly string[],
  root: string | undefined,
): Promise<LoadResult> {
  const bar = progress("Indexing", await totalSize(paths));
  const start = performance.now();
  // One for all files, because a later file may have a newer version of an earlier document.
  const counter = new LoadCounter();
  const misspelled = new Map<string, { readonly intended: string; documents: number }>();
  let refused = 0;
  let bytes = 0;
  let documents = 0;
  for (const input of paths.map(inputOf)) {
    const loader = new Loader(http, {
      root,
      counter,
      onRefused: ({ line, reason }) =>
        bar.note(`${input.name}:${line}: refused: ${inOneLine(reason)}`),
      onMisspelled: ({ field, intended }) => {
        const known = misspelled.get(field) ?? { intended: intended.join(" or "), documents: 0 };
        known.documents += 1;
        misspelled.set(field, known);
      },
      onProgress: (more) => {
        documents += more;
        bar.update(bytes, count(documents, "document"));
      },
    });
    const onBytes = (more: number): void => {
      bytes += more;
    };
    const result = await loading(loader.load(documentsOf(input, onBytes)));
    refused += result.refused;
  }
  for (const [field, { intended, documents: times }] of misspelled) {
    const name = JSON.stringify(field.slice(0, 60));
    bar.note(
      `note: ${name} is no field of the index (${intended} is), and is left out of ${count(times, "document")}`,
    );
  }
  const { stored, older } = counter;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  bar.end(
    `${count(stored, "document")} in ${seconds} s` +
      (older > 0 ? `, ${number(older)} of them older versions` : "") +
      (refused > 0 ? `, ${number(refused)} refused` : ""),
  );
  return { stored, older, refused };
}
