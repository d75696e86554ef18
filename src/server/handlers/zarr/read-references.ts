import { basename } from "node:path";
import { NotOneFile } from "../../../files/errors.js";
import { planReferences, type ReferencePlan } from "../../../files/zarr/references/plan.js";
import type { ReadingClient } from "../../../files/zarr/worker/client.js";
import type { Request } from "../../contract/operation.js";
import { fileDisposition, zarrAddress } from "../../formats/download/addresses.js";
import { jsonReferences } from "../../formats/references/json.js";
import { parquetReferences } from "../../formats/references/parquet.js";
import { pieceBody } from "../../formats/streams/piece-body.js";
import { matches } from "../../http/entity-tag.js";
import { PRIVATE } from "../common/caching.js";
import { beginReading } from "../files/reading.js";
import type { Handler, Services } from "../services.js";

interface Form<Type extends string> {
  readonly name: string;
  readonly type: Type;
  /** Chunks of all arrays. */
  readonly maxChunks: number;
  /** The end of the name under which it is saved. */
  readonly end: string;
  write(
    plan: ReferencePlan,
    name: string,
    client: ReadingClient,
  ): AsyncIterable<string | Uint8Array>;
}

const JSON_FORM: Form<"application/json"> = {
  name: "json",
  type: "application/json",
  // A client holds the whole document in memory.
  maxChunks: 1_000_000,
  end: ".json",
  write: (plan, _, client) => jsonReferences(plan, client),
};

const PARQUET_FORM: Form<"application/zip"> = {
  name: "parquet",
  type: "application/zip",
  maxChunks: 5_000_000,
  end: ".parq.zip",
  write: (plan, name, client) => parquetReferences(plan, folderName(name), client),
};

/** Gives references to the chunks in a file, or in the files of a joined store, to clients that have the same file system. */
export const readReferences: Handler<"readReferences"> = (request, services) =>
  answer(request, services, JSON_FORM);

/** The same as a folder of Parquet files, in a zip archive. */
export const readParquetReferences: Handler<"readParquetReferences"> = (request, services) =>
  answer(request, services, PARQUET_FORM);

async function answer<Type extends string>(
  request: Request<"readReferences" | "readParquetReferences">,
  services: Services,
  { name, type, maxChunks, end, write }: Form<Type>,
) {
  const { path, headers: conditions, caller } = request;
  const { reader, client } = await beginReading(path.id, request, services);
  return services.access.read(`${path.id}.zarr`, reader, request.caller, async (dataset) => {
    const referable = dataset.referable?.();
    if (referable === undefined) {
      const address = zarrAddress(caller.base, path.id);
      throw new NotOneFile(
        `These data are a zarr store of many files: open it at its own path, or at ${address}.`,
      );
    }
    // For a joined store, this also checks that all its files may be read and are the planned ones.
    const root = await dataset.content(".zgroup", client);
    const tag = "tag" in root ? `${root.tag}-${name}` : undefined;
    const caching = { ...PRIVATE, ...(tag !== undefined && { ETag: `"${tag}"` }) };
    if (tag !== undefined && matches(conditions["If-None-Match"], `"${tag}"`)) {
      return { status: 304, headers: caching } as const;
    }
    const plan = await planReferences(referable, maxChunks, client, caller.signal);
    const file = basename(dataset.path);
    const headers = { ...caching, "Content-Disposition": fileDisposition(file + end) };
    return { status: 200, type, headers, body: pieceBody(write(plan, file, client)) } as const;
  });
}

/** fsspec takes a path with `.json` for a JSON document. An archive's names must mean the same on every system. */
const folderName = (name: string): string =>
  `${name
    .replace(/[^\w.+=@~-]/g, "_")
    .replace(/^\.+/, "_")
    .replaceAll(".json", "_json")}.parq`;
