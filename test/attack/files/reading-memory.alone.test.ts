/** What reading takes of the memory, whatever is read and however slowly it is fetched: within its budget, and never death. */
import { type ClientRequest, get } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Joins } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience } from "../../support/run/trials.js";
import { load, testClient } from "../../support/service/service.js";
import { bearer, jsonRequest } from "../../support/service/sign-in.js";
import { peakOf, type Reading, residentOf, serveFolder } from "./reading.js";

/** Bytes above rest that the service and its processes may take, as the setting says, and what V8 has not collected yet. */
const BUDGET = 512 << 20;
const SLACK = 160 << 20;

/** Files of one joined store. */
const PARTS = ["part0.h5", "part1.h5"];

const folder = freshFolder();
let reading: Reading;
let rest: number;

beforeAll(async () => {
  const script = packagePath("test", "attack", "files", "make_hostile.py");
  await runPython([script, folder, "good", "sparse", "large", "joined"]);
  reading = await serveFolder(folder, ["good.h5", "sparse.h5", "large.h5", "stored.h5"]);
  const dataset = { project: ["parts"], model: ["m"], variable: ["v"] };
  const parts = PARTS.map((name) => ({ ...dataset, file: join(folder, name) }));
  await load(testClient(), parts);
  // At rest all of its processes are there.
  const [one, other] = reading.tokens;
  await Promise.all(
    [0, 1, 2, 3].map(async (i) =>
      (await reading.read("good.h5", `v/${i}.0.0`, i < 2 ? one : other)).arrayBuffer(),
    ),
  );
  rest = residentOf(reading);
});
afterAll(() => reading.close());

/** The most that is taken above rest while something is done. */
const peak = async (action: () => Promise<unknown>): Promise<number> =>
  (await peakOf(reading, action)) - rest;

const good = async (): Promise<void> => {
  const response = await reading.read("good.h5", "v/9.0.0", reading.tokens[1]);
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBe(256 * 256 * 4);
};

describe("reading stays within its memory", () => {
  it(
    "refuses an index of 48 million chunks in 4 kB on disk",
    async () => {
      const taken = await peak(async () => {
        for (let i = 0; i < attempts(3, 30); i++) {
          const response = await reading.read("sparse.h5", `v/${i}.0`, reading.tokens[0]);
          expect([413, 500]).toContain(response.status);
          await response.arrayBuffer();
        }
      });
      expect(taken).toBeLessThan(BUDGET);
      await good();
    },
    patience(30_000),
  );

  it(
    "gives many requests at once for chunks of 100 MB the right bytes or 503",
    async () => {
      const statuses: number[] = [];
      const taken = await peak(async () => {
        await Promise.all(
          Array.from({ length: attempts(8, 200) }, async (_, i) => {
            const response = await reading.read(
              "large.h5",
              `v/${i % 24}.0`,
              reading.tokens[i % 2] ?? "",
            );
            statuses.push(response.status);
            const { byteLength: bytes } = await response.arrayBuffer();
            expect([200, 503]).toContain(response.status);
            if (response.status === 200) expect(bytes).toBe(100 << 20);
            else expect(response.headers.get("retry-after")).not.toBeNull();
          }),
        );
      });
      expect(statuses).toContain(200);
      expect(taken).toBeLessThan(BUDGET + SLACK);
      await good();
    },
    patience(90_000),
  );

  it(
    "gives many requests at once for chunks that are put together the right bytes or 503",
    async () => {
      const [token] = reading.tokens;
      const files = PARTS.map((name) => join(folder, name));
      const made = await reading.serving.get(
        "/data-portal/zarr/join",
        jsonRequest("POST", { files }, token),
      );
      const { joins } = (await made.json()) as Joins;
      const store = (joins[0]?.url ?? "").replace(/^.*(?=[/]data-portal)/, "");
      const statuses: number[] = [];
      const taken = await peak(async () => {
        await Promise.all(
          Array.from({ length: attempts(24, 200) }, async (_, i) => {
            const key = `${store}/v/${i % 3}.${i % 8}`;
            const response = await reading.serving.get(key, bearer(token));
            statuses.push(response.status);
            const bytes = new Uint8Array(await response.arrayBuffer());
            expect([200, 503]).toContain(response.status);
            if (response.status === 503) return;
            // The values come from one file, from both files, or are zeros behind the end.
            const value = (at: number): number => new DataView(bytes.buffer).getFloat32(at, true);
            expect(bytes.length).toBe(64 << 20);
            const last = value(bytes.length - 4);
            expect([value(0), last]).toEqual(
              [
                [0, 0],
                [0, 1],
                [1, 0],
              ][i % 3],
            );
          }),
        );
      });
      expect(statuses).toContain(200);
      expect(taken).toBeLessThan(BUDGET + SLACK);
      await good();
    },
    patience(90_000),
  );

  it.each([
    ["sent as they lie", "stored.h5", attempts(400, 1500)],
    ["decoded", "large.h5", attempts(6, 60)],
  ])(
    "stays bounded for clients that fetch large chunks, %s, and read nothing",
    async (_, name, count) => {
      const url = new URL(reading.serving.address);
      const path = `${PREFIX}/data-portal/zarr/${datasetId(join(folder, name))}.zarr/v`;
      const headers = { Authorization: `Bearer ${reading.tokens[0]}` };
      const open: ClientRequest[] = [];
      const statuses: number[] = [];
      const taken = await peak(async () => {
        for (let i = 0; i < count; i++) {
          open.push(
            get({
              host: url.hostname,
              port: url.port,
              path: `${path}/${i % 8}.0`,
              headers,
              agent: false,
            })
              .on("response", (response) => {
                response.pause();
                statuses.push(response.statusCode ?? 0);
              })
              .on("error", () => {}),
          );
          if (i % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 100));
        }
        await expect.poll(() => statuses.length, { timeout: patience(30_000) }).toBe(open.length);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        // Others are served meanwhile, whether their chunks are decoded or sent as they lie.
        await good();
        const response = await reading.read("stored.h5", "v/1.0", reading.tokens[1]);
        expect(response.status).toBe(200);
        expect((await response.arrayBuffer()).byteLength).toBe(24 << 20);
      });
      for (const request of open) request.destroy();
      expect(statuses).toContain(200);
      expect(taken).toBeLessThan(BUDGET + SLACK);
    },
    patience(60_000),
  );
});
