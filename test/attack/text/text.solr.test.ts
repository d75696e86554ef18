/** Long texts in user data: they take no longer than their length. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { expectBelow } from "../../support/run/bounds.js";
import { emptyIndex } from "../../support/service/service.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { add, entry, listed } from "../../support/service/user-data.js";

/** Milliseconds in which anything of these sizes is done, however busy the machine is. */
const SOON = 1500;

const service = useService();
const ada = usePerson(service);
beforeAll(() => emptyIndex(service.solr));

async function within(milliseconds: number, action: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await action();
  expectBelow(performance.now() - begun, milliseconds);
}

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
      const long = again.repeat(500_000 / again.length);
      await within(SOON, async () => {
        const response = await add(service, ada, [entry("/work/ada/long.nc", { [key]: long })]);
        const { errors = [] } = (await response.json()) as Problem;
        expect([response.status, errors[0]?.name]).toEqual([422, `user_metadata[0].${key}`]);
        expect((await service.get("/ping")).status).toBe(200);
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
});
