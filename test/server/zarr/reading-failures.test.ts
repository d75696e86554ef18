/** Failures of reading as answers. */
import { describe, expect, it } from "vitest";
import * as ofFiles from "../../../src/files/netcdf/errors.js";
import * as ofStores from "../../../src/files/zarr/errors.js";
import { translated } from "../../../src/server/access/reading-errors.js";
import { problemAnswer } from "../../../src/server/contract/problem.js";

const STATUSES = {
  NotReadableFormat: 415,
  DamagedFile: 500,
  TooLarge: 413,
  FileGone: 410,
  FileChanged: 503,
  FileUnreachable: 503,
  ReadingTimeout: 503,
  OutsideRoots: 403,
  ReadingBusy: 503,
  JoinRefused: 409,
  JoinPreparing: 503,
  JoinOutdated: 409,
};

/** The errors that can be made: all exported classes but the abstract one. */
const classes = Object.values({ ...ofFiles, ...ofStores }).filter(
  (one) => one !== ofFiles.ReadingError && one.prototype instanceof ofFiles.ReadingError,
) as (new (
  message: string,
) => ofFiles.ReadingError)[];

const answerTo = async (failure: Error) =>
  problemAnswer(await translated(() => Promise.reject(failure)).catch((error: unknown) => error));

describe("a failure of reading", () => {
  it("has a status of its own, which is never 404", async () => {
    const answers = classes.map(async (one) => [one.name, (await answerTo(new one("x"))).status]);
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(STATUSES);
  });

  it("says when to come again while files are being joined, and how many are read", async () => {
    const answer = await answerTo(new ofStores.JoinPreparing("3 of 7 files are read."));
    expect(answer.headers).toMatchObject({ "Retry-After": "5" });
    expect(answer.body).toContain("3 of 7 files are read.");
  });

  it("is answered alike if a reading process reports it", async () => {
    for (const one of classes) {
      const own = new one("x");
      const remote = ofStores.revive(JSON.parse(JSON.stringify(ofStores.portable(own))));
      expect(await answerTo(remote)).toEqual(await answerTo(own));
    }
  });

  it("names the damage but not the reason why the disk fails", async () => {
    const damaged = await answerTo(new ofFiles.DamagedFile("The header is cut off."));
    expect(damaged.body).toContain("damaged and cannot be read. The header is cut off.");
    const unreachable = await answerTo(new ofFiles.FileUnreachable("EIO on /disk/7"));
    expect(unreachable.body).not.toContain("/disk/7");
  });
});
