/** Adds documents to the index, and finds those that Solr refuses or loses. */
import { setTimeout as sleep } from "node:timers/promises";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { FILES } from "../collections/configset.js";
import { SolrRefused, SolrUnavailable } from "../errors.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import { type SolrHttp, VersionConflict } from "../transport/http.js";
import {
  isOfUser,
  makeVisible,
  type StoredDocument,
  select,
  UPDATE_TIMEOUT,
  USER_FIELDS,
} from "./lookups.js";

/** A line of the input that was not stored. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** Stands for a document that was not stored because a user has registered its file meanwhile. */
export const USERS: Refusal = { line: 0, reason: "is data of a user" };

/** A document, its file and its line of the input. */
interface SentDocument {
  readonly file: string;
  readonly text: string;
  readonly line: number;
  /** Whether the index is not known to have its file: a user may register it before it is added. */
  readonly isNew: boolean;
}

/** Attempts to add documents that are not found, and milliseconds between them. */
const MAX_ATTEMPTS = 60;
const RETRY_PAUSE_MS = 500;
/** Documents in one real-time get. */
const READ_AT_ONCE = 2000;

/**
 * Adds documents, also if Solr refuses some of them.
 *
 * @param updated the time in these documents, which no others of a load have
 * @returns the refusals, by file
 */
export async function addDocuments(
  http: SolrHttp,
  entries: readonly SentDocument[],
  updated: string,
): Promise<Map<string, Refusal>> {
  const refusals = new Map<string, Refusal>();
  for (let [left, attempts] = [entries, 0]; left.length > 0; attempts += 1) {
    if (attempts === MAX_ATTEMPTS) throw new SolrUnavailable("added documents are not found");
    if (attempts > 0) await sleep(RETRY_PAUSE_MS);
    for (const [file, refusal] of await add(http, left)) refusals.set(file, refusal);
    const taken = left.filter(({ file }) => !refusals.has(file));
    left = await lostOf(http, taken, updated);
  }
  return refusals;
}

/** The documents that Solr has acknowledged and does not have. Usually one count shows that there are none. */
async function lostOf(
  http: SolrHttp,
  sent: readonly SentDocument[],
  updated: string,
): Promise<readonly SentDocument[]> {
  const solr = new SolrCollection(http, FILES);
  if (!solr.mayLose || sent.length === 0) return [];
  await makeVisible(http);
  const counted = { q: `+updated:"${updated}" -user:*`, rows: "0" };
  if ((await select(http, FILES, new URLSearchParams(counted))).numFound === sent.length) return [];
  const lost: SentDocument[] = [];
  for (const some of batchesOf(sent, READ_AT_ONCE)) {
    const files = some.map(({ file }) => file);
    const options = { timeoutMs: UPDATE_TIMEOUT };
    const found = await solr.get<StoredDocument>(files, ["file", "updated"], options);
    const times = new Map(found.map((one) => [one.file, Date.parse(String(one.updated))]));
    lost.push(...some.filter(({ file }) => (times.get(file) ?? 0) < Date.parse(updated)));
  }
  return lost;
}

/** Sends documents, those of new files only if no user has registered them meanwhile. @returns the refusals, by file */
async function add(
  http: SolrHttp,
  entries: readonly SentDocument[],
): Promise<Map<string, Refusal>> {
  const refusals = await send(
    http,
    entries.map((entry) => (entry.isNew ? { ...entry, text: ifAbsent(entry.text) } : entry)),
  );
  const present = entries.filter(({ file }) => isConflict(refusals.get(file)));
  if (present.length === 0) return refusals;
  const users = new Set<string>();
  for (const some of batchesOf(present, READ_AT_ONCE)) {
    const files = some.map(({ file }) => file);
    const options = { timeoutMs: UPDATE_TIMEOUT };
    const solr = new SolrCollection(http, FILES);
    const found = await solr.get<StoredDocument>(files, ["file", ...USER_FIELDS], options);
    for (const one of found) if (isOfUser(one)) users.add(one.file);
  }
  for (const { file } of present) refusals.set(file, USERS);
  // The others are of another load, or were sent twice.
  const others = present.filter(({ file }) => !users.has(file));
  for (const { file } of others) refusals.delete(file);
  return new Map([...refusals, ...(await send(http, others))]);
}

/** A document that Solr adds only if it has none of the file (Solr Reference Guide, "Optimistic Concurrency"). */
const ifAbsent = (text: string): string => `${text.slice(0, -1)},"_version_":-1}`;

const isConflict = (refusal: Refusal | undefined): boolean =>
  refusal?.reason.startsWith("version conflict") === true;

/** Sends documents. @returns the refusals, by file */
async function send(
  http: SolrHttp,
  entries: readonly SentDocument[],
): Promise<Map<string, Refusal>> {
  if (entries.length === 0) return new Map();
  const lines = new Map(entries.map(({ file, line }) => [file, line]));
  const solr = new SolrCollection(http, FILES);
  const body = `[${entries.map((entry) => entry.text).join(",")}]`;
  const options = { timeoutMs: UPDATE_TIMEOUT, idempotent: true };
  // Then a failure of a node would count as a refusal of documents: they are only sent tolerantly if Solr refuses some of them.
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
      return new Map([...refusals, ...(await send(http, others))]);
    }
    if (entries.length === 1) {
      await solr.update(body, {}, options);
      return new Map();
    }
  } catch (error) {
    if (!(error instanceof SolrRefused || error instanceof VersionConflict)) throw error;
    const [one, ...others] = entries as [SentDocument, ...SentDocument[]];
    if (others.length === 0) {
      return new Map([[one.file, { line: one.line, reason: reasonOf(error.message) }]]);
    }
  }
  // Solr refused the request without naming a document: bisect.
  const middle = Math.ceil(entries.length / 2);
  const first = await send(http, entries.slice(0, middle));
  return new Map([...first, ...(await send(http, entries.slice(middle)))]);
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
    if (error instanceof SolrRefused || error instanceof VersionConflict) return false;
    throw error;
  }
}

/** Solr's reason without the redundant prefix. */
const reasonOf = (message: string): string =>
  message.replace(/^ERROR: \[doc=.*?\] (?=Error|unknown|multiple)/s, "");
