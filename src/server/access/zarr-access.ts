/** Opens a data set by its identifier after all access checks. */
import { stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { claimsSearch } from "../../domain/search/path-claims.js";
import { mayRead, ownerOfDocument } from "../../domain/user-data/owner.js";
import {
  DamagedData,
  DataGone,
  DataTooLarge,
  NoSuchData,
  NotYours,
  UnreadableFormat,
} from "../../files/errors.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import type { Reader } from "../../files/rights/file-rights.js";
import { datasetId, digestsOf, idOf } from "../../files/zarr/address.js";
import type { Dataset } from "../../files/zarr/dataset.js";
import type { InspectedFile } from "../../files/zarr/open/file-identity-cache.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import type { Guard } from "../../files/zarr/store/zarr-store.js";
import type { SolrDocument } from "../../index/export/export.js";
import { DataUnavailable } from "../../platform/errors.js";
import type { AccessParts } from "./access-services.js";
import { localPath } from "./local-path.js";

/** The owner that a document names; both undefined for public data. */
interface Ownership {
  readonly user: string | undefined;
  readonly owner: string | undefined;
}

interface Found extends Ownership {
  /** The path on this machine that the document names. */
  readonly path: string | undefined;
}

/** A document that refers to the same data. */
interface Claim extends Ownership {
  readonly file: string;
}

/** A request that may be cancelled. Its signal is read only for a lookup. */
interface Cancellable {
  readonly signal: AbortSignal;
}

/** The fields of a document that name the location and owner of its data. */
const OWNERSHIP_FIELDS = ["file", "uri", "user", "owner"];

/** Milliseconds for which an answer of the index is cached: a client reads many chunks. */
const CACHE_TTL = 10_000;
/** Maximum of documents that refer to the same data; more indicate a fault or an attack. */
const MAX_CLAIMS = 10_000;
/** Attempts to open a file that is replaced meanwhile. */
const MAX_TRIES = 5;

const OUTSIDE = "These data lie outside the folders that may be read.";

/**
 * Decides by the opened file, not by its path: the path from the index is opened, and the rules apply to the
 * real location of the descriptor. A decision holds for that file only.
 */
export class ZarrAccess {
  readonly #parts: AccessParts;
  readonly #found = new LRUCache<string, Found>({ max: 10_000, ttl: CACHE_TTL });
  readonly #claims = new LRUCache<string, readonly Claim[]>({ max: 10_000, ttl: CACHE_TTL });

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /**
   * Runs a reading on a data set after the access checks. Repeats both if the file is replaced meanwhile.
   *
   * @param store `<uuid>.zarr`
   * @throws NoSuchData, NotYours, DataGone, UnreadableFormat, DamagedData, DataUnavailable; what a
   *   search throws
   */
  async read<T>(
    store: string,
    reader: Reader,
    request: Cancellable,
    use: (dataset: Dataset) => Promise<T>,
  ): Promise<T> {
    const { datasets } = this.#parts;
    return translated(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          const { sighting, closed } = await this.#admit(store, reader, request);
          const { rights } = this.#parts;
          const guard: Guard | undefined = rights && ((...part) => rights.require(reader, ...part));
          return await use(await datasets.at(sighting, reader.id, closed, guard));
        } catch (error) {
          const isReplaced = error instanceof ReadingError && error.kind === "file-changed";
          if (!isReplaced || tries === MAX_TRIES) throw error;
        }
      }
    });
  }

  /** Checks that the reader may read a data set. @throws as `read` */
  async check(store: string, reader: Reader, request: Cancellable): Promise<void> {
    await translated(() => this.#admit(store, reader, request));
  }

  async #admit(
    store: string,
    reader: Reader,
    request: Cancellable,
  ): Promise<{ readonly sighting: InspectedFile; readonly closed: readonly string[] }> {
    const found = this.#found.get(store) ?? (await this.#find(store, request.signal));
    // Ownership is checked before location: a stranger must learn neither.
    requireReader(found, reader);
    if (found.path === undefined) throw new NotYours(OUTSIDE);
    const sighting = await this.#parts.datasets.inspect(found.path);
    const closed = await this.#decide(found, sighting, reader, request);
    await this.#requireRight(sighting, reader);
    return { sighting, closed };
  }

  /** Checks the rights on disk of the opened file. @throws NotYours */
  async #requireRight(sighting: InspectedFile, reader: Reader): Promise<void> {
    const { path, identity, changed, isFolder } = sighting;
    const opened = { id: `${identity.device}:${identity.inode}`, changed: String(changed) };
    await this.#parts.rights?.require(reader, path, opened, isFolder ? "pass" : "read");
  }

  /**
   * The document of a data set, for a reader who has passed the checks.
   *
   * @param fields of its document
   * @throws NoSuchData; what a search throws
   */
  async describe(
    store: string,
    fields: readonly string[],
    { signal }: Cancellable,
  ): Promise<SolrDocument> {
    const id = idOf(store);
    const documents = await this.#parts.solr.byDigest(digestsOf(id), signal, fields);
    const matching = documents.filter(({ file }) => datasetId(String(file)) === id);
    const [document, ...conflicting] = matching;
    if (document === undefined || conflicting.length > 0) {
      throw new NoSuchData("There is no data set of this identifier.");
    }
    return document;
  }

  async #find(store: string, signal: AbortSignal): Promise<Found> {
    const document = await this.describe(store, OWNERSHIP_FIELDS, { signal });
    const found = { ...ownershipOf(document), path: localPath(document) };
    this.#found.set(store, found);
    return found;
  }

  /**
   * Decides whether the opened data may be read, by every document that refers to them.
   *
   * @returns the paths inside that this reader may not read
   * @throws NotYours
   */
  async #decide(
    found: Found,
    sighting: InspectedFile,
    reader: Reader,
    request: Cancellable,
  ): Promise<readonly string[]> {
    const { real, uid } = sighting;
    const isPrivate = found.owner !== undefined || found.user !== undefined;
    if (isPrivate && !(await this.#mayOwn(found, { path: real, uid }))) {
      throw new NotYours("These data are not where their owner may register any.");
    }
    const closed: string[] = [];
    for (const claim of await this.#claimsOn(sighting, request)) {
      if (mayRead(reader, claim)) continue;
      const file = localPath({ file: claim.file }) ?? claim.file;
      if (isBelow(real, file)) {
        if (await this.#isOwn(claim, { path: file, uid: undefined })) closed.push(file);
        continue;
      }
      const isHere = file === real || isBelow(file, real);
      // A hard link under another name must not make private data public.
      if (!isHere && !(isPrivate && (await isSameFile(file, sighting)))) continue;
      if (await this.#isOwn(claim, { path: file, uid })) {
        throw new NotYours("These data are another user's.");
      }
    }
    return closed.sort();
  }

  async #claimsOn(sighting: InspectedFile, request: Cancellable): Promise<readonly Claim[]> {
    const { real, isFolder, identity } = sighting;
    const key = JSON.stringify([real, identity.inode, isFolder]);
    const known = this.#claims.get(key);
    if (known !== undefined) return known;
    const search = claimsSearch({ real, isFolder, inode: identity.inode });
    const { documents, count } = await this.#parts.solr.claims(search, MAX_CLAIMS, request.signal);
    if (count > MAX_CLAIMS) throw new NotYours("Too many documents lead to these data.");
    const claims = documents.map((document) => ({
      ...ownershipOf(document),
      file: String(document.file),
    }));
    this.#claims.set(key, claims);
    return claims;
  }

  /** Whether the registration rule lets the owner make this claim; always true for entries of the centre. */
  async #isOwn(
    ownership: Ownership,
    place: { path: string; uid: number | undefined },
  ): Promise<boolean> {
    const owner = ownerOfDocument(ownership);
    return owner === undefined || (await this.#parts.registration.allows(owner, place));
  }

  /** The same, or the data are public. */
  async #mayOwn(ownership: Ownership, place: { path: string; uid: number }): Promise<boolean> {
    if (await this.#isOwn(ownership, place)) return true;
    return (await this.#parts.solr.publicFiles([place.path])).size > 0;
  }
}

function requireReader(ownership: Ownership, reader: Reader): void {
  if (!mayRead(reader, ownership)) throw new NotYours("These data are another user's.");
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : String(value);

const ownershipOf = ({ user, owner }: Readonly<Record<string, unknown>>): Ownership => ({
  user: textOf(user),
  owner: textOf(owner),
});

/** Whether a path still leads to the opened file. */
async function isSameFile(path: string, { identity }: InspectedFile): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.ino.toString() === identity.inode && found.dev.toString() === identity.device;
}

/** Runs a reading and translates its failures into errors of the error table. */
export async function translated<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    const cause = { cause: error };
    switch (error.kind) {
      case "not-readable-format":
        throw new UnreadableFormat(error.message, cause);
      case "outside-roots":
        throw new NotYours(error.message, cause);
      case "file-gone":
        throw new DataGone("The file of these data is not there any more.", cause);
      case "too-large":
        throw new DataTooLarge(error.message, cause);
      case "damaged-file":
        throw new DamagedData(error.message, cause);
      default:
        throw new DataUnavailable(error.message, cause);
    }
  }
}
