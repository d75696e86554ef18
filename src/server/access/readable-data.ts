/** Which data of a list the service can read here, and why it cannot read the others. Opens no file. */
import { LRUCache } from "lru-cache";
import { anonymous, mayRead, type Owner } from "../../domain/user-data/owner.js";
import { STREAMED } from "../../domain/vocabulary/data-formats.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import { DataUnavailable } from "../../platform/errors.js";
import { FileProbe, leadsTo } from "../../platform/file-system/file-probe.js";
import type { AccessParts } from "./access-services.js";
import { ANOTHERS, ownershipOf } from "./data-claims.js";
import { localPath } from "./local-path.js";

/** The fields of a document that the answer depends on. */
export const READABLE_FIELDS = ["file", "uri", "format", "user", "owner"] as const;

/** Milliseconds: a list does not wait longer for a file system that hangs. */
const TIMEOUT = 2000;
/** Milliseconds for which an answer of the file system is kept. */
const TTL = 10_000;
const MAX_KEPT = 20_000;

const OUTSIDE =
  "These data are outside the folders that this service reads. Its operator can add the folder to DATA_ROOTS.";
export const ELSEWHERE = "These data are not on a disk of this service.";
const MISSING = "The file is not there.";
const NO_RIGHT = "On the disk your account may not read the file.";
const NO_ANSWER = "The file system does not answer.";

interface ReadableOptions {
  /** Undefined without a token. */
  readonly by: Owner | undefined;
  /** Whether the rights of accounts on the disk count. */
  readonly hasRights?: boolean;
  /** Whether files of any format will do: they are downloaded, not streamed. */
  readonly isAnyFormat?: boolean;
}

/** `undefined` for data that can be read. */
type Reason = string | undefined;

export class ReadableData {
  readonly #parts: Pick<AccessParts, "dataRoots" | "rights">;
  readonly #probe = new FileProbe({ timeout: TIMEOUT });
  readonly #onDisk = new LRUCache<string, { readonly reason: Reason }>({ max: MAX_KEPT, ttl: TTL });

  constructor(parts: Pick<AccessParts, "dataRoots" | "rights">) {
    this.#parts = parts;
  }

  /** Why the data of each document cannot be read here. @param documents with READABLE_FIELDS */
  async reasons(
    documents: readonly SolrDocument[],
    { by, hasRights = false, isAnyFormat = false }: ReadableOptions,
  ): Promise<readonly Reason[]> {
    const paths = documents.map(localPath);
    const known = documents.map((document, index): Reason => {
      // As for reading, ownership first: a stranger learns nothing else.
      if (!mayRead(by ?? anonymous(""), ownershipOf(document))) return ANOTHERS;
      if (paths[index] === undefined) return ELSEWHERE;
      return isAnyFormat ? undefined : wrongFormat(document.format);
    });
    const open = paths.filter(
      (path, index): path is string => path !== undefined && known[index] === undefined,
    );
    const rights = hasRights ? this.#parts.rights : undefined;
    const found = await this.#reasonsOnDisk(open, rights, by).catch((error: unknown) => {
      if (error instanceof DataUnavailable) return new Map(open.map((path) => [path, NO_ANSWER]));
      throw error;
    });
    return paths.map((path = "", index) => known[index] ?? found.get(path));
  }

  async #reasonsOnDisk(
    paths: readonly string[],
    rights: AccessParts["rights"],
    by: Owner | undefined,
  ): Promise<ReadonlyMap<string, Reason>> {
    const open = paths.filter((path) => !this.#onDisk.has(path));
    const reasons = new Map(paths.map((path) => [path, this.#onDisk.get(path)?.reason] as const));
    if (open.length > 0) {
      const { dataRoots } = this.#parts;
      const resolved = await this.#probe.resolve([...open, ...dataRoots]);
      const realOf = (path: string): string => leadsTo(resolved, path) ?? path;
      const roots = dataRoots.map(realOf);
      for (const path of open) {
        const found = resolved.get(path);
        const isInside = roots.some((root) => isBelow(root, realOf(path)));
        const isThere = found !== undefined && "real" in found;
        // Outside, the answer must not depend on whether the file exists.
        const reason = isInside ? (isThere ? undefined : MISSING) : OUTSIDE;
        reasons.set(path, reason);
        this.#onDisk.set(path, { reason });
      }
    }
    const there = paths.filter((path) => reasons.get(path) === undefined);
    if (rights !== undefined && there.length > 0) {
      const allowed = await rights.visible(by, there);
      for (const [index, path] of there.entries()) {
        if (allowed[index] !== true) reasons.set(path, NO_RIGHT);
      }
    }
    return reasons;
  }
}

function wrongFormat(format: unknown): Reason {
  const text = String(format ?? "").toLowerCase();
  if (text === "" || STREAMED.has(text)) return undefined;
  return `The service streams NetCDF and zarr, not ${text}.`;
}
