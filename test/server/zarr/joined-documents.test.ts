/** Which files of a search are joined to one store. */
import { describe, expect, it } from "vitest";
import { FileGone } from "../../../src/files/netcdf/errors.js";
import { ReadingBusy } from "../../../src/files/zarr/errors.js";
import type { JoinKind } from "../../../src/files/zarr/join/recipe.js";
import { datasetVersion } from "../../../src/index/loading/version.js";
import { joinedGroups } from "../../../src/server/joins/joined-documents.js";
import { makeJoin } from "../../../src/server/joins/make-joins.js";
import { expectBelow } from "../../support/run/bounds.js";

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

it("a join ends when its client leaves, without a look at the other files", async () => {
  const leaving = new AbortController();
  let looks = 0;
  const datasets = {
    inspect: async () => {
      looks += 1;
      if (looks === 20) leaving.abort(new ReadingBusy("The client has left."));
      throw new FileGone("There is no file.");
    },
  };
  const files = Array.from({ length: 1000 }, (_, n) => ({
    file: `/${n}`,
    path: `/${n}`,
    group: "",
  }));
  const options = { kind: "dataset", fillsMissing: false, isStrict: false } as const;
  const group = { name: "all", files, notes: [] };
  const made = makeJoin(group as never, options, { datasets } as never, leaving.signal);
  await expect(made).rejects.toThrow("The client has left.");
  expect(looks).toBeLessThan(40);
});

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

describe("a join of copies", () => {
  it("uses a file once, from a disk rather than from an archive", () => {
    const disk = indexed("/disk/tas_2000.nc", { fs_type: "posix" });
    const archive = indexed("/archive/tas_2000.nc", { fs_type: "hsm" });
    const expected = [[["/disk/tas_2000.nc"], ["tas_2000.nc is there twice, and used once."]]];
    expect(joined(disk, archive)).toEqual(expected);
    expect(joined(archive, disk)).toEqual(expected);
  });
});

describe("files of one name in several folders", () => {
  const file = (year: number) =>
    indexed(`/d/${year}/tas.nc`, { time_start: `${year}-01-01T00:00:00Z` });

  it("are all joined, as they are no copies", () => {
    const years = [file(1990), file(1991), indexed("/e/tas.nc"), indexed("/f/tas.nc")];
    expect(joined(...years)).toEqual([
      [["/d/1990/tas.nc", "/d/1991/tas.nc", "/e/tas.nc", "/f/tas.nc"], []],
    ]);
  });

  it("are copies if their periods are the same", () => {
    const period = { time_start: "1990-01-01T00:00:00Z", time_end: "1990-12-31T00:00:00Z" };
    const disks = ["/d/tas.nc", "/e/tas.nc"].map((path) => indexed(path, period));
    expect(joined(...disks)).toEqual([[["/d/tas.nc"], ["tas.nc is there twice, and used once."]]]);
  });
});

describe("a dataset of very many files", () => {
  const FILES = 50_000;

  it.each([
    ["names of their own", (i: number) => ({ file: `/d/tas_${i}.nc` }), FILES],
    [
      "one name and periods of their own",
      (i: number) => ({ file: `/d/${i}/tas.nc`, time_start: `${i}` }),
      FILES,
    ],
    ["versions of their own", (i: number) => ({ file: `/d/tas_${i}.nc`, version: `v${i}` }), 1],
  ])("is grouped in time that grows with the number of files with %s", (_, make, found) => {
    const documents = Array.from({ length: FILES }, (_, i) => ({ ...make(i), dataset_id: ID }));
    const begin = performance.now();
    const [store] = joinedGroups(documents, "dataset");
    expectBelow(performance.now() - begin, 10_000);
    expect(store?.files.length).toBe(found);
  });
});

describe("documents of several datasets", () => {
  it("are joined by dataset, by the members of an ensemble, or by variables, and never otherwise", () => {
    const documents = ["r1i1p1", "r2i1p1"].flatMap((ensemble) =>
      ["tas", "pr"].map((variable) => {
        const dataset_id = `CMIP5.I.M.historical.mon.Amon.${ensemble}.${variable}`;
        const file = `/d/${ensemble}/${variable}.nc`;
        return { file, dataset_id, ensemble: [ensemble], variable: [variable] };
      }),
    );
    const stores = (kind: JoinKind) =>
      joinedGroups(documents, kind).map(({ name, files }) => [
        name.split(".").slice(-2).join("."),
        files.map(({ group }) => group),
      ]);
    expect(stores("dataset")).toEqual([
      ["r1i1p1.tas", [""]],
      ["r1i1p1.pr", [""]],
      ["r2i1p1.tas", [""]],
      ["r2i1p1.pr", [""]],
    ]);
    expect(stores("member")).toEqual([
      ["*.tas", ["r1i1p1", "r2i1p1"]],
      ["*.pr", ["r1i1p1", "r2i1p1"]],
    ]);
    expect(stores("variables")).toEqual([
      ["r1i1p1.*", ["tas", "pr"]],
      ["r2i1p1.*", ["tas", "pr"]],
    ]);
  });

  it("are joined by variable and member, also where names of datasets lack them", () => {
    const documents = ["r1", "r2"].flatMap((ensemble) =>
      ["tas", "pr"].map((variable) => ({
        file: `/d/${ensemble}_${variable}.nc`,
        dataset_id: "nextGEMS.MPI-M.ICON.ngc3028.atmos.2d.30minute.mean.gn",
        ...{ ensemble: [ensemble], variable: [variable] },
      })),
    );
    const stores = (kind: JoinKind) =>
      joinedGroups(documents, kind).map(({ name, files }) => [
        name.replace(/^.*[.]gn[.]?/, ""),
        files.map(({ group }) => group),
      ]);
    expect(stores("dataset")).toEqual([
      ["tas.r1", [""]],
      ["pr.r1", [""]],
      ["tas.r2", [""]],
      ["pr.r2", [""]],
    ]);
    expect(stores("member")).toEqual([
      ["tas", ["r1", "r2"]],
      ["pr", ["r1", "r2"]],
    ]);
    expect(stores("variables")).toEqual([
      ["r1", ["tas", "pr"]],
      ["r2", ["tas", "pr"]],
    ]);
    // A name tells the variable of a dataset, also if its files have others.
    const named = ["tas", "pr"].map((variable) => ({
      ...{
        file: `/d/${variable}.nc`,
        dataset_id: `a.${variable}`,
        variable: [variable, "areacella"],
      },
    }));
    expect(joinedGroups(named, "variables").map(({ files }) => files.map((f) => f.group))).toEqual([
      ["tas", "pr"],
    ]);
    // Files with many variables need not have all of them.
    const all = [
      ["tas", "pr"],
      ["evspsbl", "tas", "pr"],
      ["tas", "pr"],
    ].map((variable, i) => ({
      ...{ file: `/d/${i}.nc`, dataset_id: "all", variable },
    }));
    for (const kind of ["dataset", "variables"] as const) {
      const [{ files } = { files: [] }, ...others] = joinedGroups(all, kind);
      expect([others, files.map(({ group }) => group)]).toEqual([[], ["", "", ""]]);
    }
  });

  it("have those of their files that are elsewhere, unless a copy is here", () => {
    const here = indexed("/d/tas_2000.nc");
    const elsewhere = indexed("https://x/tas_2001.nc");
    const copy = indexed("https://x/tas_2000.nc");
    expect(joined(elsewhere, here, copy)).toEqual([
      [
        ["/d/tas_2000.nc", "https://x/tas_2001.nc"],
        [
          "tas_2001.nc is not on this machine, so the store cannot be opened.",
          "tas_2000.nc is there twice, and used once.",
        ],
      ],
    ]);
  });

  it("are joined by models with all their members, whatever institutes they are from", () => {
    const documents = [
      ["GERICS", "MPI-M-MPI-ESM-LR", "REMO2015", "r1i1p1"],
      ["CLMcom", "MPI-M-MPI-ESM-LR", "CCLM4-8-17", "r1i1p1"],
      ["CLMcom", "MPI-M-MPI-ESM-LR", "CCLM4-8-17", "r2i1p1"],
    ].map(([institute, driving_model, model, ensemble], i) => ({
      file: `/d/${i}.nc`,
      dataset_id: `cordex.EUR-11.${institute}.${driving_model}.historical.${ensemble}.${model}.v1.mon.tas`,
      ...{ institute, driving_model, model, ensemble, rcm_version: "v1" },
    }));
    expect(
      joinedGroups(documents, "model").map(({ name, files }) => [
        name,
        files.map(({ group }) => group),
      ]),
    ).toEqual([
      [
        "cordex.EUR-11.*.*.historical.*.*.*.mon.tas",
        [
          "MPI-M-MPI-ESM-LR.REMO2015.v1.r1i1p1",
          "MPI-M-MPI-ESM-LR.CCLM4-8-17.v1.r1i1p1",
          "MPI-M-MPI-ESM-LR.CCLM4-8-17.v1.r2i1p1",
        ],
      ],
    ]);
  });
});
