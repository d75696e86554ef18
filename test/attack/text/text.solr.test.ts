/** Texts that callers send: what is long takes no longer than its length, and no key passes unseen. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { attempts } from "../../support/run/attempts.js";
import { expectBelow } from "../../support/run/bounds.js";
import type { TestService } from "../../support/service/service.js";
import {
  add,
  closeEmpty,
  entry,
  listed,
  type Person,
  startWithPerson,
} from "../../support/service/user-data.js";

/** Milliseconds in which anything of these sizes is done, however busy the machine is. */
const SOON = 1500;

let service: TestService;
let ada: Person;

beforeAll(async () => {
  ({ service, ada } = await startWithPerson());
});
afterAll(() => closeEmpty(service));

const LIST = "/databrowser/data-search/native/file";
const METADATA = "/databrowser/metadata-search/cmip6/file";

async function within(milliseconds: number, action: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await action();
  expectBelow(performance.now() - begun, milliseconds);
}

describe("an unknown key of a query", () => {
  it.each([
    ["__proto__", "__proto__"],
    ["%5F_proto__", "__proto__"],
    ["%5f%5f%70roto%5f_", "__proto__"],
    ["", ""],
    ["constructor", "constructor"],
    ["toString", "toString"],
    ["hasOwnProperty", "hasOwnProperty"],
    ["prototype", "prototype"],
    ["valueOf_not_", "valueOf"],
    ["__proto___not_", "__proto__"],
    ["__defineGetter__", "__defineGetter__"],
  ])("is refused by its name, as any other: %s", async (key, name) => {
    for (const path of [LIST, METADATA]) {
      for (const query of [`${key}=x`, `project=cmip6&${key}=x`, `${key}=x&${key}=y`]) {
        const response = await service.get(`${path}?${query}`);
        const { errors = [] } = (await response.json()) as Problem;
        expect([response.status, ...new Set(errors.map((error) => error.in))]).toEqual([
          422,
          "query",
        ]);
        expect(errors.some((error) => error.name.startsWith(name))).toBe(true);
      }
    }
  });
});

describe("a long text", () => {
  it.each([
    ["digits", "1"],
    ["blanks", " "],
    ["signs", "+-"],
    ["commas", ","],
    ["dots", "."],
    ["brackets", "[("],
    ["dates", "2000-01"],
  ])("is refused at once as a box or period, and others are served: %s", async (_, again) => {
    for (const key of ["time", "bbox"]) {
      const value = encodeURIComponent(again.repeat(5000 / again.length));
      await within(SOON, async () => {
        for (let turn = 0; turn < attempts(5, 100); turn += 1) {
          const response = await service.get(`${LIST}?${key}=${value}`);
          await response.text();
          expect(response.status).toBe(422);
        }
        expect((await service.get("/ping")).status).toBe(200);
      });
      const long = again.repeat(500_000 / again.length);
      await within(SOON, async () => {
        const response = await add(service, ada, [entry("/work/ada/long.nc", { [key]: long })]);
        const { errors = [] } = (await response.json()) as Problem;
        expect([response.status, errors[0]?.name]).toEqual([422, `user_metadata[0].${key}`]);
      });
    }
  });

  it("delays no listing as blanks in a registered name", async () => {
    const names = [" ", "\t", "}", "]} ", ".-"].map(
      (again) => `/work/ada/${again.repeat(10_000)}.nc`,
    );
    expect(
      (
        await add(
          service,
          ada,
          names.map((name) => entry(name)),
        )
      ).status,
    ).toBe(202);
    await within(SOON, async () => {
      expect(await listed(service)).toHaveLength(names.length);
    });
  });

  it("is parsed quickly in a header", async () => {
    const headers = ["Authorization", "If-None-Match", "Range", "Accept-Encoding", "User-Agent"];
    const values = ["Basic ", "Bearer ", "bytes=", "W/", "gzip;q=", '"', ""];
    await within(10 * SOON, async () => {
      for (const name of headers) {
        for (const start of values) {
          for (const again of [" ", "1", ",", "-", "=", "a.", '",W/"']) {
            const value = (start + again.repeat(14_000 / again.length)).trim();
            const begun = performance.now();
            const response = await service.get(METADATA, { headers: { [name]: value } });
            await response.text();
            expect(response.status).toBeLessThan(500);
            expectBelow(performance.now() - begun, SOON, `${name}: ${start}${again}`);
          }
        }
      }
    });
  });
});
