/** From the identifier of a data set to the data set itself, past every check. */
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
import type { Sighting } from "../../files/zarr/open/file-identity-cache.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import type { Guard } from "../../files/zarr/store/zarr-store.js";
import type { SolrDocument } from "../../index/export/export.js";
import { DataUnavailable } from "../../platform/errors.js";
import type { AccessParts } from "./access-services.js";
import { localPath } from "./local-path.js";

/** What a document says of whose the data are; both undefined for public data. */
interface Ownership {
  readonly user: string | undefined;
  readonly owner: string | undefined;
}

interface Found extends Ownership {
  /** The path on this machine that the document speaks of, if it does. */
  readonly path: string | undefined;
}

/** A document that leads to the same data. */
interface Claim extends Ownership {
  readonly file: string;
}

/** A request that may be given up; its signal is asked for only where something has to be looked up. */
interface Cancellable {
  readonly signal: AbortSignal;
}

/** What of a document says where the data are, and whose. */
const OWNERSHIP_FIELDS = ["file", "uri", "user", "owner"];

/** Milliseconds for which what the index says is taken for true: a client asks for many chunks. */
const CACHE_TTL = 10_000;
/** More documents that lead to the same data are a fault, or made to be one. */
const MAX_CLAIMS = 10_000;
/** How often a file may be replaced while it is opened. */
const MAX_TRIES = 5;

const OUTSIDE = "These data lie outside the folders that may be read.";

/**
 * Decides by what was opened, not by what a path says: the index names a path, the path is opened, and where
 * the descriptor lies is what the rules are asked about. What was decided holds for that file and no other.
 */
export class ZarrAccess {
  readonly #parts: AccessParts;
  readonly #found = new LRUCache<string, Found>({ max: 10_000, ttl: CACHE_TTL });
  readonly #claims = new LRUCache<string, readonly Claim[]>({ max: 10_000, ttl: CACHE_TTL });

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /**
   * Does something with the data set of an identifier, for whoever asks; again, where the file is replaced
   * meanwhile.
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

  /** Whether the reader may read a data set at all. @throws as `read` */
  async check(store: string, reader: Reader, request: Cancellable): Promise<void> {
    await translated(() => this.#admit(store, reader, request));
  }

  async #admit(
    store: string,
    reader: Reader,
    request: Cancellable,
  ): Promise<{ readonly sighting: Sighting; readonly closed: readonly string[] }> {
    const found = this.#found.get(store) ?? (await this.#find(store, request.signal));
    // Whose it is comes before where it lies: a stranger learns nothing of either.
    requireReader(found, reader);
    if (found.path === undefined) throw new NotYours(OUTSIDE);
    const sighting = await this.#parts.datasets.look(found.path);
    const closed = await this.#decide(found, sighting, reader, request);
    await this.#requireRight(sighting, reader);
    return { sighting, closed };
  }

  /** What was opened is what the rights on the disk are asked about. @throws NotYours */
  async #requireRight(sighting: Sighting, reader: Reader): Promise<void> {
    const { path, identity, changed, isFolder } = sighting;
    const opened = { id: `${identity.device}:${identity.inode}`, changed: String(changed) };
    await this.#parts.rights?.require(reader, path, opened, isFolder ? "pass" : "read");
  }

  /**
   * What the index says of a data set; for a reader who was let in.
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
   * Whether what was opened may be read, over every document that leads there.
   *
   * @returns what lies inside of it, and is not for this reader
   * @throws NotYours
   */
  async #decide(
    found: Found,
    sighting: Sighting,
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
      // The same inode under another name: a hard link, which makes nothing public that was not.
      if (!isHere && !(isPrivate && (await isSameFile(file, sighting)))) continue;
      if (await this.#isOwn(claim, { path: file, uid })) {
        throw new NotYours("These data are another user's.");
      }
    }
    return closed.sort();
  }

  async #claimsOn(sighting: Sighting, request: Cancellable): Promise<readonly Claim[]> {
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

  /** Whether a claim is one that the rule would let its owner make; of what the centre says of users, always. */
  async #isOwn(
    ownership: Ownership,
    place: { path: string; uid: number | undefined },
  ): Promise<boolean> {
    const owner = ownerOfDocument(ownership);
    return owner === undefined || (await this.#parts.registration.allows(owner, place));
  }

  /** The same, or public already. */
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

/** Whether what lies at a path now is what was opened. */
async function isSameFile(path: string, { identity }: Sighting): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.ino.toString() === identity.inode && found.dev.toString() === identity.device;
}

/** Runs a reading, with its failures in the words that the one table of errors knows. */
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
