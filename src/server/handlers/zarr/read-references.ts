import { basename } from "node:path";
import { NotOneFile } from "../../../files/errors.js";
import { planReferences, type ReferencePlan } from "../../../files/zarr/references/plan.js";
import type { ReadingClient } from "../../../files/zarr/worker/client.js";
import type { ZarrAccess } from "../../access/zarr-access.js";
import type { Handler, Request } from "../../contract/operation.js";
import { fileDisposition } from "../../formats/download/addresses.js";
import { jsonReferences } from "../../formats/references/json.js";
import { parquetReferences } from "../../formats/references/parquet.js";
import { pieceBody } from "../../formats/streams/piece-body.js";
import { matches } from "../../http/entity-tag.js";
import { dataReader } from "../files/data-reader.js";
import { readingClient } from "./request-client.js";
import { zarrAddress } from "./zarr-address.js";

/** Chunks of all arrays. A client holds all of a JSON document in memory, and parts of Parquet files. */
const MAX_CHUNKS = { json: 1_000_000, parquet: 5_000_000 } as const;

/** Gives references to the chunks in a file to clients that have the same file system. */
export function readReferences(access: ZarrAccess): Handler<"readReferences"> {
  return (request) =>
    answer(request, access, "json", (plan, name, client) => ({
      type: "application/json",
      file: `${name}.json`,
      body: pieceBody(jsonReferences(plan, client)),
    }));
}

/** The same as a folder of Parquet files, in a zip archive. */
export function readParquetReferences(access: ZarrAccess): Handler<"readParquetReferences"> {
  return (request) =>
    answer(request, access, "parquet", (plan, name, client) => ({
      type: "application/zip",
      file: `${name}.parq.zip`,
      body: pieceBody(parquetReferences(plan, folderName(name), client)),
    }));
}

type ReferenceRequest = Request<"readReferences" | "readParquetReferences">;

interface Written<Type extends string, Body> {
  readonly type: Type;
  /** The name under which it is saved. */
  readonly file: string;
  readonly body: Body;
}

async function answer<const Type extends string, Body>(
  request: ReferenceRequest,
  access: ZarrAccess,
  form: keyof typeof MAX_CHUNKS,
  write: (plan: ReferencePlan, name: string, client: ReadingClient) => Written<Type, Body>,
) {
  const { path, headers: conditions, caller, context, signal } = request;
  const reader = await dataReader(path.id, request, access);
  await context.reads(path.id, reader);
  const client = readingClient(request, reader.id);
  return access.read(`${path.id}.zarr`, reader, request, async (dataset) => {
    if (dataset.format.startsWith("zarr")) {
      const address = zarrAddress(caller.base, path.id);
      throw new NotOneFile(
        `These data are a zarr store of many files: open it at its own path, or at ${address}.`,
      );
    }
    const tag = dataset.tag(`references ${form}`);
    const caching = {
      "Cache-Control": "private, no-cache",
      ...(tag !== undefined && { ETag: `"${tag}"` }),
    };
    if (tag !== undefined && matches(conditions["If-None-Match"], `"${tag}"`)) {
      return { status: 304, headers: caching } as const;
    }
    const plan = await planReferences(dataset.referable(), MAX_CHUNKS[form], client, signal);
    const { type, file, body } = write(plan, basename(dataset.path), client);
    const headers = { ...caching, "Content-Disposition": fileDisposition(file) };
    return { status: 200, type, headers, body } as const;
  });
}

/** fsspec takes a path with `.json` for a JSON document. An archive's names must mean the same on every system. */
const folderName = (name: string): string =>
  `${name
    .replace(/[^\w.+=@~-]/g, "_")
    .replace(/^\.+/, "_")
    .replaceAll(".json", "_json")}.parq`;
