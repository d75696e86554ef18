/** Opens a data set by its identifier after all access checks. */
import { basename } from "node:path";
import { LRUCache } from "lru-cache";
import { mayRead } from "../../domain/user-data/owner.js";
import { DataGone, NoSuchData, NotYours } from "../../files/errors.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import type { Reader } from "../../files/rights/file-rights.js";
import { datasetId, idOf, versionOf } from "../../files/zarr/address.js";
import type { Dataset } from "../../files/zarr/dataset/dataset.js";
import type { JoinedDataset } from "../../files/zarr/join/joined-dataset.js";
import { isJoinId, type JoinFile, type Recipe } from "../../files/zarr/join/recipe.js";
import type { InspectedFile } from "../../files/zarr/open/file-identity-cache.js";
import type { Guard } from "../../files/zarr/store/zarr-store.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { isDirect } from "../http/answer.js";
import { JoinRecipes } from "../joins/join-recipes.js";
import type { AccessParts } from "./access-services.js";
import { ANOTHERS, type Cancellable, DataClaims } from "./data-claims.js";
import { DataDocuments, type FileFacts, type Found, PublicData } from "./data-documents.js";
import { ELSEWHERE } from "./readable-data.js";
import { translated } from "./reading-errors.js";

export interface DataFile extends InspectedFile {
  /** Its name, without the folder. */
  readonly name: string;
  readonly facts: FileFacts;
}

/** Milliseconds for which an answer of the index is cached: a client reads many chunks. */
const CACHE_TTL = 10_000;
/** Files looked up at once. Solr bounds the clauses of a query. */
const BATCH = 100;
/** Attempts to open a file that is replaced meanwhile. */
const MAX_TRIES = 5;

/**
 * Decides by the opened file, not by its path: the path from the index is opened, and the rules apply to the
 * real location of the descriptor. A decision holds for that file only.
 */
export class ZarrAccess {
  readonly #parts: AccessParts;
  readonly #public: PublicData;
  readonly recipes: JoinRecipes;
  /** Readers who have just been admitted to all files of a join. */
  readonly #admitted = new LRUCache<string, true>({ max: 10_000, ttl: CACHE_TTL });
  readonly #documents: DataDocuments;
  readonly #claims: DataClaims;

  constructor(parts: AccessParts) {
    this.#parts = parts;
    this.#public = new PublicData(parts);
    this.#documents = new DataDocuments(parts.solr);
    this.#claims = new DataClaims(parts);
    this.recipes = new JoinRecipes(parts.solr.state);
  }

  /** Whether anybody may read a data set without a token: a joined one if all its files are public. */
  async isPublic(id: string, signal: AbortSignal): Promise<boolean> {
    if (!isJoinId(id)) return this.#public.has([id], signal);
    // Without public data, no state is read for callers without a token.
    if (this.#parts.publicData.length === 0) return false;
    const recipe = await this.recipes.find(id, signal);
    if (recipe === undefined) return false;
    return this.#public.has(
      recipe.files.map(({ file }) => datasetId(file)),
      signal,
    );
  }

  /**
   * Runs a reading on a data set after the access checks. Repeats both if the file is replaced meanwhile.
   *
   * @param store `<uuid>.zarr`, or `<uuid>.zarr3` for the data set as zarr v3
   * @param use its second parameter tells whether the file is checked after the reading
   */
  async read<T>(
    store: string,
    reader: Reader,
    request: Cancellable,
    use: (dataset: Dataset, isConfirmed: boolean) => Promise<T>,
  ): Promise<T> {
    const { datasets, rights } = this.#parts;
    const wanted = (dataset: Dataset): Dataset =>
      versionOf(store) === 3 ? datasets.asVersion3(dataset) : dataset;
    if (isJoinId(idOf(store))) {
      return this.joined(store, reader, request, (dataset) => use(wanted(dataset), false));
    }
    const guard: Guard | undefined = rights && ((...part) => rights.require(reader, ...part));
    return repeated(async () => {
      const { found, path } = await this.#locate(store, reader, request);
      const inspected = datasets.known(path) ?? (await datasets.inspect(path));
      const work = async (): Promise<T> => {
        const closed = await this.#decide(found, inspected, reader, request);
        const dataset = await datasets.at(inspected, reader.id, closed, guard);
        return use(wanted(dataset), !inspected.isFolder);
      };
      return inspected.isFolder ? work() : datasets.confirmed(inspected, work, abandoned);
    });
  }

  /** Runs a reading on a joined store, after the checks of access to its files. */
  async joined<T>(
    store: string,
    reader: Reader,
    request: Cancellable,
    use: (dataset: JoinedDataset) => Promise<T>,
  ): Promise<T> {
    const id = idOf(store);
    if (!isJoinId(id)) throw new NoSuchData("This is the address of one file, which has no plan.");
    return repeated(async () => use(await this.#joined(id, reader, request)));
  }

  /** Uses the file of a data set, which need not be of a known format, after the same checks. */
  async file<T>(
    store: string,
    reader: Reader,
    request: Cancellable,
    use: (file: DataFile) => Promise<T>,
  ): Promise<T> {
    return repeated(async () => {
      const { found, inspected } = await this.#admit(store, reader, request);
      return use({ ...inspected, name: basename(inspected.path), facts: found.facts });
    });
  }

  /** Checks that the reader may read a data set. @returns the name of its file; undefined for a store */
  async check(store: string, reader: Reader, request: Cancellable): Promise<string | undefined> {
    if (isJoinId(idOf(store))) {
      await this.joined(store, reader, request, (dataset) => dataset.documents());
      return undefined;
    }
    const { path, isFolder } = (await translated(() => this.#admit(store, reader, request)))
      .inspected;
    return isFolder ? undefined : basename(path);
  }

  /**
   * The joined store of an identifier, for a reader who may read its files. Documents, computed values and the first
   * opening need access to all of them, a chunk to those that it is made of. A missing file is DataGone, and never NoSuchData,
   * which clients read as fill values.
   */
  async #joined(id: string, reader: Reader, request: Cancellable): Promise<JoinedDataset> {
    const recipe = await this.#recipe(id, request.signal);
    const key = JSON.stringify([id, reader.id]);
    const admitted = {
      isKnown: this.#admitted.has(key),
      note: () => void this.#admitted.set(key, true),
      prepare: (files: readonly JoinFile[]) => this.#prepare(files, request),
    };
    const admit = async ({ file }: JoinFile): Promise<InspectedFile> => {
      try {
        return (await this.#admit(`${datasetId(file)}.zarr`, reader, request)).inspected;
      } catch (error) {
        if (!(error instanceof NoSuchData)) throw error;
        throw new DataGone(`${basename(file)} is not in the index any more.`, { cause: error });
      }
    };
    return this.#parts.datasets.joined(recipe, admit, reader.id, admitted);
  }

  /** Looks up many files at once, so that the check of each finds what it needs. */
  async #prepare(files: readonly JoinFile[], request: Cancellable): Promise<void> {
    for (const batch of batchesOf(files, BATCH)) {
      const ids = batch.map(({ file }) => datasetId(file));
      const found = await this.#documents.findAll(ids, request.signal);
      const paths = found.flatMap(({ path }) => path ?? []);
      const inspected = await Promise.allSettled(
        paths.map((path) => this.#parts.datasets.inspect(path)),
      );
      const present = inspected.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      await this.#claims.prepare(present, request);
    }
  }

  async #recipe(id: string, signal: AbortSignal): Promise<Recipe> {
    const recipe = await this.recipes.find(id, signal);
    if (recipe !== undefined) return recipe;
    throw new DataGone(
      "There is no join of this identifier, or not any more: ask for a new address.",
    );
  }

  async #admit(
    store: string,
    reader: Reader,
    request: Cancellable,
  ): Promise<{ readonly found: Found; readonly inspected: InspectedFile }> {
    const { found, path } = await this.#locate(store, reader, request);
    const inspected = await this.#parts.datasets.inspect(path);
    await this.#decide(found, inspected, reader, request);
    return { found, inspected };
  }

  /** The document of a data set, and the path that it names. */
  async #locate(
    store: string,
    reader: Reader,
    request: Cancellable,
  ): Promise<{ readonly found: Found; readonly path: string }> {
    const found = await this.#documents.find(idOf(store), request);
    // Ownership is checked before location: a stranger must learn neither.
    if (!mayRead(reader, found)) throw new NotYours(ANOTHERS);
    if (found.path === undefined) throw new NotYours(ELSEWHERE);
    return { found, path: found.path };
  }

  /** Checks the rights to an opened file. @returns the paths inside that this reader may not read */
  async #decide(
    found: Found,
    inspected: InspectedFile,
    reader: Reader,
    request: Cancellable,
  ): Promise<readonly string[]> {
    const closed = await this.#claims.decide(found, inspected, reader, request);
    const { path, identity, changed, isFolder } = inspected;
    const opened = { id: `${identity.device}:${identity.inode}`, changed: String(changed) };
    await this.#parts.rights?.require(reader, path, opened, isFolder ? "pass" : "read");
    return closed;
  }

  /** Fields of the document of a data set, for a reader who has passed the checks. */
  async describe(
    store: string,
    fields: readonly string[],
    { signal }: Cancellable,
  ): Promise<SolrDocument> {
    const id = idOf(store);
    if (isJoinId(id)) {
      const [first] = (await this.#recipe(id, signal)).files;
      return this.describe(`${datasetId(first?.file ?? "")}.zarr`, fields, { signal });
    }
    return this.#documents.describe(id, fields, signal);
  }

  /** Fields of the documents of files, by their names, for files that have one. They are not checked for any reader. */
  async describeFiles(
    files: readonly string[],
    fields: readonly string[],
    { signal }: Cancellable,
  ): Promise<ReadonlyMap<string, SolrDocument>> {
    const documents = await this.#documents.describeAll(files.map(datasetId), fields, signal);
    return new Map([...documents.values()].map((document) => [String(document.file), document]));
  }
}

/** Releases the memory of a reply that is not sent. */
function abandoned(reply: unknown): void {
  const { body } = (reply ?? {}) as { readonly body?: unknown };
  if (isDirect(body)) body.abandon?.();
}

/** Runs a reading again if its file is replaced meanwhile. */
function repeated<T>(reading: () => Promise<T>): Promise<T> {
  return translated(async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await reading();
      } catch (error) {
        const isReplaced = error instanceof ReadingError && error.kind === "file-changed";
        if (!isReplaced || tries === MAX_TRIES) throw error;
      }
    }
  });
}
