/** Slices as somebody would ask for them who wants to do harm: in crowds, and left again, of damaged, huge and changing data. */
import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { readNpy } from "../../../src/files/zarr/slice/npy.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { allowed, attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { peakOf, type Reading, residentOf, serveFolder } from "./reading.js";

/** Bytes above rest that the service and its processes may take, as the setting says, and what V8 has not collected yet. */
const BUDGET = 512 << 20;
const SLACK = 160 << 20;

const folder = freshFolder();
const STORES = ["bomb", "vast", "short", "noise", "grid", "fine"].map((name) => `${name}.zarr`);
const MUTANTS = Array.from({ length: attempts(8, 500) }, (_, i) => `mutant_${i}.h5`);
const random = chance(SEED);
let reading: Reading;
let rest: number;

beforeAll(async () => {
  await runPython([packagePath("test", "attack", "files", "make_preview_files.py"), folder]);
  const whole = await readFile(join(folder, "good.h5"));
  for (const name of MUTANTS) {
    const damaged = Uint8Array.from(whole);
    // The head and the index are at the beginning.
    for (let n = 0; n < 30; n++) {
      const at = Math.floor(random() * (random() < 0.5 ? 3000 : damaged.length));
      damaged[at] = Math.floor(random() * 256);
    }
    await writeFile(join(folder, name), damaged);
  }
  await cp(join(folder, "good.h5"), join(folder, "changing.h5"));
  reading = await serveFolder(folder, [
    "good.h5",
    "large.h5",
    "changing.h5",
    ...STORES,
    ...MUTANTS,
  ]);
  await Promise.all(
    [0, 1, 2, 3].map(async (i) => (await ask("good.h5", `${i},:,:`)).arrayBuffer()),
  );
  rest = residentOf(reading);
});
afterAll(() => reading.close());

const ask = (name: string, index: string, init: RequestInit = {}, more = ""): Promise<Response> =>
  reading.serving.get(
    `/data-portal/preview/${datasetId(join(folder, name))}.zarr/v?index=${index}${more}`,
    { ...init, headers: { Authorization: `Bearer ${reading.tokens[0]}` } },
  );

/** The most that is taken above rest while something is done. */
const peak = async (action: () => Promise<unknown>): Promise<number> =>
  (await peakOf(reading, action)) - rest;

/** A slice of good.h5, whose values count on from chunk to chunk. */
async function good(chunk: number, row: number, name = "good.h5"): Promise<void> {
  const answer = await ask(name, `${chunk},${row},:`);
  expect(answer.status).toBe(200);
  const { values } = readNpy(new Uint8Array(await answer.arrayBuffer()));
  expect([values.length, values[63]]).toEqual([64, (chunk * 64 + row) * 64 + 63]);
}

describe("slices", () => {
  it(
    "are right for a hundred requests at once, of a file and of a store",
    async () => {
      const taken = await peak(() =>
        Promise.all(
          Array.from({ length: attempts(100, 2000) }, async (_, i) => {
            await good(i % 64, i % 64);
            const answer = await ask("fine.zarr", `${i % 64},:`);
            expect(answer.status).toBe(200);
            const { values } = readNpy(new Uint8Array(await answer.arrayBuffer()));
            expect(values[1]).toBe((i % 64) * 256 + 1);
          }),
        ),
      );
      expect(taken).toBeLessThan(BUDGET);
    },
    patience(60_000),
  );

  it(
    "are abandoned when nobody waits for them, and leave the readers to others",
    async () => {
      const left = Array.from({ length: attempts(200, 2000) }, async (_, i) => {
        const stop = new AbortController();
        setTimeout(() => stop.abort(), random() * 50);
        const name = i % 4 === 0 ? "large.h5" : "good.h5";
        const index = name === "large.h5" ? `${i % 8},${i}:${i + 100000}` : `:,${i % 64},:`;
        await ask(name, index, { signal: stop.signal })
          .then(
            (answer) => answer.arrayBuffer(),
            () => undefined,
          )
          .catch(() => undefined);
      });
      await Promise.all(left);
      const began = performance.now();
      await good(5, 7);
      // At most what was being done is done first.
      expect(performance.now() - began).toBeLessThan(allowed(5000));
    },
    patience(60_000),
  );

  it(
    "stay within the readers' memory for chunks of 80 MB: each is right, or 503",
    async () => {
      const statuses: number[] = [];
      const taken = await peak(() =>
        Promise.all(
          Array.from({ length: attempts(5, 200) }, async (_, i) => {
            const answer = await ask("large.h5", `${i % 8},:`, {}, `&width=${1000 + i}`);
            statuses.push(answer.status);
            const bytes = new Uint8Array(await answer.arrayBuffer());
            expect([200, 503]).toContain(answer.status);
            if (answer.status === 200)
              expect(readNpy(bytes).values.every((one) => one === 1)).toBe(true);
          }),
        ),
      );
      expect(statuses).toContain(200);
      expect(taken).toBeLessThan(BUDGET + SLACK);
      await good(1, 2);
    },
    patience(90_000),
  );

  it(
    "report an error for chunks that are not what they claim, and no process dies",
    async () => {
      const refused: Readonly<Record<string, readonly number[]>> = {
        "bomb.zarr": [413, 500, 503],
        "vast.zarr": [413],
        "short.zarr": [500],
        "noise.zarr": [500],
      };
      const taken = await peak(async () => {
        for (const [name, statuses] of Object.entries(refused)) {
          const answer = await ask(name, "0,:");
          expect([name, statuses.includes(answer.status), answer.status]).toEqual([
            name,
            true,
            answer.status,
          ]);
          expect(await answer.text()).not.toContain(folder);
        }
        expect((await ask("grid.zarr", ":,:")).status).toBe(413);
        expect((await ask("grid.zarr", "5,:")).status).toBe(413);
      });
      expect(taken).toBeLessThan(BUDGET + SLACK);
      await good(3, 4);
    },
    patience(60_000),
  );

  it(
    `give values or an error for damaged files (SEED=${SEED})`,
    async () => {
      for (const name of MUTANTS) {
        const answer = await ask(name, `${Math.floor(random() * 64)},:,:`);
        await answer.arrayBuffer();
        expect([200, 404, 413, 415, 422, 500, 503]).toContain(answer.status);
      }
      await good(9, 9);
    },
    patience(60_000),
  );

  it(
    "are right or 503 for a file that is replaced during the reading",
    async () => {
      const path = join(folder, "changing.h5");
      let isOver = false;
      const swapping = (async () => {
        while (!isOver) {
          await cp(join(folder, "good.h5"), `${path}.new`);
          await rename(`${path}.new`, path);
          await sleep(20);
        }
      })();
      const tried = await Promise.all(
        Array.from({ length: attempts(10, 1000) }, async (_, i) => {
          const answer = await ask("changing.h5", `:,${i % 64},:`);
          const bytes = new Uint8Array(await answer.arrayBuffer());
          if (answer.status !== 200) return answer.status;
          const { values } = readNpy(bytes);
          for (const chunk of [0, 30, 63])
            expect(values[chunk * 64]).toBe((chunk * 64 + (i % 64)) * 64);
          return 200;
        }),
      );
      isOver = true;
      await swapping;
      expect(tried.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      await good(2, 2, "changing.h5");
    },
    patience(60_000),
  );
});
