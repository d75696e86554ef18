/** From the identifier of a data set to the data set itself, past every check. */
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";
import {
  DamagedData,
  DataGone,
  DataTooLarge,
  DataUnavailable,
  NoSuchData,
  NotYours,
  UnreadableFormat,
} from "../errors.js";
import { mayRead, type Owner } from "../userdata/owner.js";
import { datasetId, digestsOf } from "../zarr/address.js";
import type { Dataset } from "../zarr/dataset.js";
import { ReadingError } from "../zarr/errors.js";
import type { Services } from "./services.js";

interface Found {
  /** The file's path, links resolved, below a folder that may be read. */
  readonly path: string;
  /** Both undefined for public data. */
  readonly user: string | undefined;
  readonly owner: string | undefined;
}

/** A request that may be given up; its signal is asked for only where something has to be looked up. */
interface Leaving {
  readonly signal: AbortSignal;
}

/** Milliseconds for which what was looked up is taken for true: a client asks for many chunks. */
const REMEMBERED = 10_000;

export class ZarrAccess {
  readonly #services: Services;
  readonly #found = new LRUCache<string, Found>({ max: 10_000, ttl: REMEMBERED });

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * The data set of an identifier, for whoever asks.
   *
   * @param store `<uuid>.zarr`
   * @throws NoSuchData, NotYours, DataGone, UnreadableFormat, DamagedData, DataUnavailable; what a
   *   search throws
   */
  async open(store: string, reader: Owner, request: Leaving): Promise<Dataset> {
    const path = await this.locate(store, reader, request);
    return translated(() => this.#services.datasets.open(path));
  }

  /** The path of the file, checked. @throws as open */
  async locate(store: string, reader: Owner, request: Leaving): Promise<string> {
    const known = this.#found.get(store);
    const found = known ?? (await this.#find(store, reader, request.signal));
    if (known === undefined) this.#found.set(store, found);
    checkReader(found, reader);
    return found.path;
  }

  async #find(store: string, reader: Owner, signal: AbortSignal): Promise<Found> {
    const id = store.replace(/\.zarr$/, "");
    const documents = await this.#services.solr.byDigest(digestsOf(id), signal);
    const matching = documents.filter(({ file }) => datasetId(String(file)) === id);
    const [document, ...others] = matching;
    if (document === undefined || others.length > 0) {
      throw new NoSuchData("There is no data set of this identifier.");
    }
    const text = (value: unknown): string | undefined =>
      value === undefined ? value : String(value);
    const whose = { user: text(document.user), owner: text(document.owner) };
    // Whose it is comes before where it lies: a stranger learns nothing of either.
    checkReader(whose, reader);
    return { ...whose, path: await this.#inside(localPath(document)) };
  }

  /** The path with its links resolved, if that is below one of the folders that may be read. */
  async #inside(path: string | undefined): Promise<string> {
    const { dataRoots } = this.#services;
    const refused = new NotYours("These data lie outside the folders that may be read.");
    if (path === undefined) throw refused;
    const roots = await Promise.all(dataRoots.map((root) => realpath(root).catch(() => root)));
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => error);
    if (typeof real === "string") {
      if (roots.some((root) => isBelow(root, real))) return real;
      throw refused;
    }
    if (![...roots, ...dataRoots].some((root) => isBelow(root, path))) throw refused;
    if (real.code === "ENOENT" || real.code === "ENOTDIR") {
      throw new DataGone("The file of these data is not there any more.");
    }
    throw new DataUnavailable(`cannot resolve the path: ${real.code}`, { cause: real });
  }
}

function checkReader(whose: Pick<Found, "user" | "owner">, reader: Owner): void {
  if (!mayRead(reader, whose)) throw new NotYours("These data are another user's.");
}

const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** The path on this machine that a document speaks of, if it does. */
function localPath({ file, uri }: Readonly<Record<string, unknown>>): string | undefined {
  if (isAbsolute(String(file))) return resolve(String(file));
  for (const address of [file, uri]) {
    if (!/^file:\/\/\//i.test(String(address))) continue;
    try {
      return fileURLToPath(String(address));
    } catch {
      // Not a path of this machine.
    }
  }
  return undefined;
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
