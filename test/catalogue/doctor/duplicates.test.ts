/** Texts that occur in several files: which are looked up, and which are counted. */
import { expect, it } from "vitest";
import { type Holder, Suspects } from "../../../src/catalogue/doctor/duplicates.js";

const holder = (name: string): Holder => ({ dataset: undefined, name, copy: "1" });
/** More texts than the index is asked for. */
const SHARED = 200_003;

it("the doctor counts the files whose shared checksums are too many to be looked up", () => {
  const suspects = new Suspects(2 * SHARED + 2);
  for (const name of ["a.nc", "b.nc"]) {
    for (let i = 0; i < SHARED; i++) suspects.add(`text ${i}`, holder(`${i}${name}`));
  }
  expect([suspects.found.size, suspects.left]).toEqual([200_000, 3]);
  suspects.add("text 0", holder("c.nc"));
  suspects.add("text 200002", holder("c.nc"));
  expect([suspects.found.size, suspects.left]).toEqual([200_000, 4]);
});
