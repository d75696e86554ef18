/** Which files of a search are joined to one store. */
import { describe, expect, it } from "vitest";
import { datasetVersion } from "../../../src/index/loading/version.js";
import { joinedGroups } from "../../../src/server/joins/joined-documents.js";

const ID = "CMIP5.output1.I.M.historical.mon.atmos.Amon.r1i1p1";

/** A document as the index has it. */
function indexed(file: string, more: object = {}) {
  const document = { file, dataset_id: ID, ...more };
  const _dataset_version_ = datasetVersion(document)?.version;
  return { ...document, ...(_dataset_version_ !== undefined && { _dataset_version_ }) };
}

const joined = (...documents: readonly { readonly file: string }[]) =>
  joinedGroups(documents, "dataset").map(({ files, notes }) => [
    files.map(({ file }) => file),
    notes,
  ]);

describe("a join of several versions", () => {
  it.each([
    ["v9", "v10"],
    ["v3", "20110101"],
    ["beta-2", "v1"],
    ["v20110101", "v20190710"],
  ])("joins only the newer one of the versions %s and %s", (older, newer) => {
    const [old, now] = [older, newer].map((version) => indexed(`/d/${version}.nc`, { version }));
    if (old === undefined || now === undefined) throw new Error("two are made");
    const expected = [[[now.file], [`Version ${newer} is used, and not ${older}.`]]];
    expect(joined(old, now)).toEqual(expected);
    // Documents of other programs have no marks yet.
    const { _dataset_version_: _, ...bare } = old;
    expect(joined(now, bare)).toEqual(expected);
  });

  it("joins only the newest version if only folders tell the versions", () => {
    const files = ["v1", "v2"].map((version) => indexed(`/d/M/${version}/tas_2000.nc`));
    expect(joined(...files).map(([names]) => names)).toEqual([["/d/M/v2/tas_2000.nc"]]);
  });
});
