/** A small HTTP server over the library, as the comparison with xarray needs one. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ReadingError } from "../../../src/files/netcdf/errors.js";
import { type Dataset, isDocumentKey } from "../../../src/files/zarr/dataset/dataset.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { isScriptRequest } from "../../../src/server/contract/caller.js";

export interface ZarrServer {
  readonly datasets: Datasets;
  /** Answers that were not 200, 206 or 404: "status key". */
  readonly failures: readonly string[];
  /** The address of the data set at a path, as zarr v2 or as it is stored, or as v3. */
  address(path: string, version?: 2 | 3): string;
  close(): Promise<void>;
}

async function answer(
  datasets: Datasets,
  opening: Promise<Dataset>,
  version: 2 | 3,
  key: string,
  isStrict: boolean,
  range: string | undefined,
  response: ServerResponse,
): Promise<number> {
  const opened = await opening;
  const found = await (version === 3 ? datasets.asVersion3(opened) : opened).content(key);
  const content = isStrict ? await datasets.strict(found) : found;
  if (content.kind === "unknown-key") throw new TypeError("unknown key");
  if (content.kind === "absent") {
    response.writeHead(404).end();
    return 404;
  }
  const body =
    content.kind === "document"
      ? Buffer.from(content.text)
      : content.kind === "bytes"
        ? content.data
        : await datasets.read(content.range);
  // The only form in which zarrita asks, for a part of a shard.
  const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  const part = body.subarray(Number(from ?? 0), Number(last ?? body.byteLength) + 1);
  const status = from === undefined ? 200 : 206;
  response.writeHead(status, { "content-length": part.byteLength, etag: `"${content.tag}"` });
  response.end(part);
  return status;
}

/** @param open opens what `address` was given */
export async function serveZarr(
  datasets = new Datasets(),
  open = (path: string): Promise<Dataset> => datasets.open(path),
): Promise<ZarrServer> {
  const paths: string[] = [];
  const failures: string[] = [];
  const server = createServer((request, response) => {
    const [, number = "", version, key = ""] =
      /^\/(\d+)\.zarr(3)?\/(.*)$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const { "sec-fetch-mode": mode, "user-agent": agent } = request.headers;
    const isStrict = isDocumentKey(key) && isScriptRequest(mode?.toString(), agent);
    answer(
      datasets,
      open(paths[Number(number)] ?? ""),
      version === undefined ? 2 : 3,
      key,
      isStrict,
      request.headers.range,
      response,
    ).catch((error: unknown) => {
      const kind = error instanceof ReadingError ? error.kind : String(error);
      failures.push(`${kind} ${paths[Number(number)]} ${key}`);
      response.writeHead(500).end(kind);
    });
  });
  // No client meets a connection that is just being closed.
  server.keepAliveTimeout = 3_600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    datasets,
    failures,
    address: (path, version = 2) =>
      `http://127.0.0.1:${port}/${paths.push(path) - 1}.zarr${version === 3 ? "3" : ""}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await datasets.close();
    },
  };
}
