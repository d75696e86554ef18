/** Decides whether opened data may be read, by all documents of the index that refer to them. */
import { stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { claimsSearch, type DataPath } from "../../domain/search/user-data-clause.js";
import { mayRead, type Ownership, ownerOfDocument } from "../../domain/user-data/owner.js";
import { NotYours } from "../../files/errors.js";
import type { Reader } from "../../files/rights/file-rights.js";
import type { InspectedFile } from "../../files/zarr/open/file-identity-cache.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import type { AccessParts } from "./access-services.js";
import { localPath } from "./local-path.js";

export const ANOTHERS = "These data are another user's.";

interface Claim extends Ownership {
  readonly file: string;
}

/** A request that may be cancelled. Its signal is read only for a lookup. */
export interface Cancellable {
  readonly signal: AbortSignal;
}

/** Maximum of documents that refer to the same data; more indicate a fault or an attack. */
const MAX_CLAIMS = 10_000;
/** Milliseconds for which the documents of a file are cached. */
const CACHE_TTL = 10_000;

export class DataClaims {
  readonly #parts: AccessParts;
  readonly #claims = new LRUCache<string, readonly Claim[]>({ max: 20_000, ttl: CACHE_TTL });

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** Decides by every document that refers to the opened data. @returns the paths inside that this reader may not read */
  async decide(
    found: Ownership,
    inspected: InspectedFile,
    reader: Reader,
    request: Cancellable,
  ): Promise<readonly string[]> {
    const { real, uid } = inspected;
    const isPrivate = found.owner !== undefined || found.user !== undefined;
    if (isPrivate && !(await this.#isOwn(found, { path: real, uid }))) {
      const published = await this.#parts.solr.publicFiles([real]);
      if (published.size === 0)
        throw new NotYours("These data are not where their owner may register any.");
    }
    const closed: string[] = [];
    for (const claim of await this.#claimsOn(inspected, request)) {
      if (mayRead(reader, claim)) continue;
      const file = localPath({ file: claim.file }) ?? claim.file;
      if (isBelow(real, file)) {
        if (await this.#isOwn(claim, { path: file, uid: undefined })) closed.push(file);
        continue;
      }
      const isHere = file === real || isBelow(file, real);
      // A hard link under another name must not make private data public.
      if (!isHere && !(isPrivate && (await isSameFile(file, inspected)))) continue;
      if (await this.#isOwn(claim, { path: file, uid })) {
        throw new NotYours(ANOTHERS);
      }
    }
    return closed.sort();
  }

  /** Looks for documents of all files at once. If users have registered none of them, `decide` needs no search. */
  async prepare(files: readonly InspectedFile[], request: Cancellable): Promise<void> {
    const unknown = files.filter((file) => !this.#claims.has(keyOf(file)));
    if (unknown.length === 0) return;
    const search = claimsSearch(...unknown.map(pathOf));
    const { count } = await this.#parts.solr.claims(search, 0, request.signal);
    if (count === 0) for (const file of unknown) this.#claims.set(keyOf(file), []);
  }

  async #claimsOn(inspected: InspectedFile, request: Cancellable): Promise<readonly Claim[]> {
    const key = keyOf(inspected);
    const known = this.#claims.get(key);
    if (known !== undefined) return known;
    const search = claimsSearch(pathOf(inspected));
    const { documents, count } = await this.#parts.solr.claims(search, MAX_CLAIMS, request.signal);
    if (count > MAX_CLAIMS) throw new NotYours("Too many documents lead to these data.");
    const claims = documents.map((document) => ({
      ...ownershipOf(document),
      file: String(document.file),
    }));
    this.#claims.set(key, claims);
    return claims;
  }

  /** Whether the registration rule lets the owner claim a file; always true for entries of the centre. */
  async #isOwn(
    ownership: Ownership,
    file: { readonly path: string; readonly uid: number | undefined },
  ): Promise<boolean> {
    const owner = ownerOfDocument(ownership);
    return owner === undefined || (await this.#parts.registration.allows(owner, file));
  }
}

const pathOf = ({ real, isFolder, identity }: InspectedFile): DataPath => ({
  real,
  isFolder,
  inode: identity.inode,
});
const keyOf = (file: InspectedFile): string => JSON.stringify(pathOf(file));

/** The text of a field; undefined if the document lacks it. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : String(value);

export const ownershipOf = ({ user, owner }: Readonly<Record<string, unknown>>): Ownership => ({
  user: textOf(user),
  owner: textOf(owner),
});

/** Whether a path still leads to the opened file. */
async function isSameFile(path: string, { identity }: InspectedFile): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.ino.toString() === identity.inode && found.dev.toString() === identity.device;
}
