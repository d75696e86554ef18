/** Adds documents to the index, and finds those that Solr refuses. */
import { FILES } from "../collections/configset.js";
import { SolrRefused } from "../errors.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { UPDATE_TIMEOUT } from "./lookups.js";

/** A line of the input that was not stored. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** A document, its file and its line of the input. */
interface SentDocument {
  readonly file: string;
  readonly text: string;
  readonly line: number;
}

/** Adds documents, also if Solr refuses some of them. @returns the refusals, by file */
export async function addDocuments(
  http: SolrHttp,
  entries: readonly SentDocument[],
): Promise<Map<string, Refusal>> {
  if (entries.length === 0) return new Map();
  const lines = new Map(entries.map(({ file, line }) => [file, line]));
  const solr = new SolrCollection(http, FILES);
  const body = `[${entries.map((entry) => entry.text).join(",")}]`;
  const options = { timeoutMs: UPDATE_TIMEOUT, idempotent: true };
  // Then a request is all or nothing: refused documents are identified, and the others are sent again.
  const mayLose = solr.mayLose;
  try {
    if (mayLose && (await takesAll(solr, body, options))) return new Map();
    const errors = await solr.updateTolerantly(body, options);
    const isNamed = errors.every(({ id }) => lines.has(id)) && !(mayLose && errors.length === 0);
    if (isNamed || (entries.length === 1 && errors.length > 0)) {
      const refusals = new Map(
        errors.map(({ id, message }) => {
          const file = lines.has(id) ? id : (entries[0] as SentDocument).file;
          return [file, { line: lines.get(file) ?? 0, reason: reasonOf(message) }] as const;
        }),
      );
      if (!mayLose) return refusals;
      const others = entries.filter(({ file }) => !refusals.has(file));
      return new Map([...refusals, ...(await addDocuments(http, others))]);
    }
    if (entries.length === 1) {
      await solr.update(body, {}, options);
      return new Map();
    }
  } catch (error) {
    if (!(error instanceof SolrRefused)) throw error;
    const [one, ...others] = entries as [SentDocument, ...SentDocument[]];
    if (others.length === 0) {
      return new Map([[one.file, { line: one.line, reason: reasonOf(error.message) }]]);
    }
  }
  // Solr refused the request without naming a document: bisect.
  const middle = Math.ceil(entries.length / 2);
  const first = await addDocuments(http, entries.slice(0, middle));
  return new Map([...first, ...(await addDocuments(http, entries.slice(middle)))]);
}

/** Whether Solr accepts all documents; otherwise some may have been stored. */
async function takesAll(
  solr: SolrCollection,
  body: string,
  options: CallOptions,
): Promise<boolean> {
  try {
    await solr.update(body, {}, options);
    return true;
  } catch (error) {
    if (error instanceof SolrRefused) return false;
    throw error;
  }
}

/** Solr's reason without the redundant prefix. */
const reasonOf = (message: string): string =>
  message.replace(/^ERROR: \[doc=.*?\] (?=Error|unknown|multiple)/s, "");
