/** A small HTTP server over the library, as the comparison with xarray needs one. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ReadingError } from "../../../src/files/netcdf/errors.js";
import { isDocumentKey } from "../../../src/files/zarr/dataset.js";
import { Datasets } from "../../../src/files/zarr/datasets.js";
import { isScriptRequest } from "../../../src/server/contract/caller.js";

export interface ZarrServer {
  readonly datasets: Datasets;
  /** Answers that were not 200, 206 or 404: "status key". */
  readonly failures: readonly string[];
  /** The address of the data set at a path. */
  address(path: string): string;
  close(): Promise<void>;
}

async function answer(
  datasets: Datasets,
  path: string,
  key: string,
  isStrict: boolean,
  range: string | undefined,
  response: ServerResponse,
): Promise<number> {
  const found = await (await datasets.open(path)).content(key);
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

export async function serveZarr(datasets = new Datasets()): Promise<ZarrServer> {
  const paths: string[] = [];
  const failures: string[] = [];
  const server = createServer((request, response) => {
    const [, number = "", key = ""] =
      /^\/(\d+)\.zarr\/(.*)$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const { "sec-fetch-mode": mode, "user-agent": agent } = request.headers;
    const isStrict = isDocumentKey(key) && isScriptRequest(mode?.toString(), agent);
    answer(
      datasets,
      paths[Number(number)] ?? "",
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    datasets,
    failures,
    address: (path) => `http://127.0.0.1:${port}/${paths.push(path) - 1}.zarr`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await datasets.close();
    },
  };
}
