/** What becomes of what users register: documents, and every reason why not. */
import { describe, expect, it } from "vitest";
import { Issues } from "../../../src/domain/errors.js";
import { examineInSlices, examineUserData } from "../../../src/domain/user-data/read-user-data.js";
import { mapInSlices, SLICE } from "../../../src/platform/concurrency/time-slices.js";

const REQUIRED = { file: "/a.nc", variable: "tas", time: "2000", time_frequency: "mon" };
const entry = (of: object = {}) => ({ ...REQUIRED, ...of });
const read = (of: object, facets?: unknown) =>
  examineUserData({ user_metadata: [entry(of)], facets });
const document = (of: object, facets?: unknown) => {
  const { documents, issues } = read(of, facets);
  expect(issues.issues).toEqual([]);
  return documents[0];
};
const wrong = (of: object, facets?: unknown) =>
  read(of, facets).issues.issues.map(({ name, reason }) => [name, reason]);
const inEntry = (key: string, reason: unknown) => [[`user_metadata[0].${key}`, reason]];

describe("a file's metadata", () => {
  it("become fields, of which some have one value and others several", () => {
    const one = {
      model: "m",
      fs_type: "tape",
      dataset: "d",
      uri: "x:u",
      version: "v1",
      units: "K",
    };
    expect(document(one)).toMatchObject({ ...REQUIRED, ...one, time: expect.any(String) });
    const several = { model: ["m", "", "n"], tracking_id: ["a", "b"], units: ["K", "m"] };
    expect(document(several)).toMatchObject({ ...several, model: ["m", "n"] });
    for (const key of ["file", "uri", "version", "fs_type", "format", "dataset", "license"]) {
      expect(wrong({ [key]: ["x"] }), key).toEqual(inEntry(key, "must be a string"));
    }
  });

  it("have their time and box as the index needs them", () => {
    const made = document({ time: "2000 to 2001", bbox: "0,10,-5,5" });
    expect(made?.time).toBe("[2000-01-01T00:00:00Z TO 2001-12-31T23:59:59Z]");
    expect(made?.bbox).toBe("ENVELOPE(0,10,5,-5)");
    // Once more, when it is remembered.
    expect(document({ bbox: "0,10,-5,5" })?.bbox).toBe(made?.bbox);
    expect(wrong({ time: "soon" })).toEqual(inEntry("time", expect.any(String)));
    expect(wrong({ time: "199001-199912" })).toEqual(
      inEntry("time", '"199001-199912" is not a period: write 1990-01 to 1999-12'),
    );
    expect(wrong({ bbox: "1,2" })).toEqual(inEntry("bbox", expect.stringMatching(/four numbers/)));
    expect(wrong({ time: ["2000"] })).toEqual(inEntry("time", "must be a string"));
  });

  it("have the derived fields, whatever is given for them", () => {
    const said = { dataset_id: "x", added: "1999", time_start: [], user: "eve", owner: "eve" };
    const made = document({ ...said, _version_: 1, updated: {} });
    expect(Object.keys(made ?? {}).sort()).toEqual(
      [...Object.keys(REQUIRED), "time_start", "time_end"].sort(),
    );
    expect(made?.time_start).toBe("2000-01-01T00:00:00Z");
  });

  it("have details in the form of their kind", () => {
    const sum = `SHA256:${"A".repeat(64)}`;
    expect(document({ size: 12, retracted: "True", checksum: sum })).toMatchObject({
      size: "12",
      retracted: "true",
      checksum: sum.toLowerCase(),
    });
    expect(wrong({ checksum: "1" })).toEqual(inEntry("checksum", expect.stringMatching(/sha256/)));
    for (const size of ["x", -1, 1.5]) {
      expect(wrong({ size })).toEqual(inEntry("size", "must be a whole number of bytes"));
    }
    for (const one of [{ modified: "yesterday" }, { retracted: "yes" }, { license: 7 }]) {
      expect(wrong(one)).toEqual(inEntry(Object.keys(one)[0] ?? "", expect.any(String)));
    }
  });

  it("have no field for an empty value", () => {
    const empty = { model: "", experiment: [], institute: [""], bbox: "", size: "", checksum: "" };
    const made = document({ ...empty, uri: "", units: "", license: "" });
    for (const key of [...Object.keys(empty), "uri", "units", "license"]) {
      expect(made).not.toHaveProperty(key);
    }
    expect(made).not.toHaveProperty("extra");
  });

  it("need file, variable, time and frequency, and more than space for each", () => {
    for (const key of Object.keys(REQUIRED)) {
      for (const blank of ["", " ", "\t\n", ["x", " "], [[""]]]) {
        const found = read({ [key]: blank });
        expect(found.issues.issues, key).toEqual([
          { name: `user_metadata[0].${key}`, in: "body", reason: "must not be empty" },
        ]);
        expect(found.documents[0] === undefined, key).toBe(key === "file");
      }
    }
    expect(wrong({ model: " " })).toEqual([]);
    const shared = examineUserData({ user_metadata: [{ file: "/a", variable: "" }], facets: {} });
    expect(shared.issues.issues.map(({ name }) => name)).toEqual(["user_metadata[0].variable"]);
  });

  it("have no document without a file, or with an invalid one", () => {
    const none = [undefined, null, 1, "x", [], {}, { variable: "tas" }];
    const { documents } = examineUserData({ user_metadata: [...none, entry()] });
    expect(documents.map((one) => one?.file)).toEqual([...none.map(() => undefined), "/a.nc"]);
    expect(
      examineUserData({ user_metadata: [{ variable: "a" }], facets: { file: "/a" } }),
    ).toMatchObject({ documents: [undefined] });
  });

  it.each([
    ["/a/b.nc", true],
    ["https://x.example/a.nc", true],
    ["s3://bucket/a.nc", true],
    ["file:///a.nc", true],
    ["slk:/arch/a.nc", true],
    ["a.nc", false],
    ["./a.nc", false],
    ["../a.nc", false],
    ["~/a.nc", false],
    ["a/b:c.nc", false],
    [" /a.nc", false],
    ["1x:a", false],
  ])("are at an absolute path or a URI: %s", (file, isGood) => {
    for (const given of [{ file }, { file: "/x", uri: file }]) {
      const { issues } = examineUserData({ user_metadata: [entry(given)] });
      const key = "uri" in given ? "uri" : "file";
      const wrong = {
        name: `user_metadata[0].${key}`,
        in: "body",
        reason: "must be an absolute path or a URI",
      };
      expect(issues.issues).toEqual(isGood ? [] : [wrong]);
    }
  });

  it("must be text that can be stored: well-formed, and no longer than a term of the index", () => {
    expect(wrong({ model: 1 })).toEqual(inEntry("model", "must be a string"));
    expect(wrong({ model: ["m", null] })).toEqual(inEntry("model", "must be a string"));
    const lone = "\ud800";
    expect(wrong({ model: lone })).toEqual(inEntry("model", "must be well-formed Unicode"));
    const bytes = 32_766;
    for (const unit of ["a", "é", "€", "\u{1F30D}"]) {
      const longest = unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
      expect(document({ model: longest })?.model).toBe(longest);
      expect(wrong({ model: longest + unit }), unit).toEqual(
        inEntry("model", "must have at most 32766 bytes"),
      );
    }
  });
});

describe("unsearchable metadata", () => {
  it("are kept with the document, those of all and its own, its own first", () => {
    const made = document({ note: 1, extra: { model: "free", note: 2 } }, { note: 0, by: ["x"] });
    expect(JSON.parse(String(made?.extra))).toEqual({ note: 2, by: ["x"], model: "free" });
    expect(made).not.toHaveProperty("model");
    expect(JSON.parse(String(document({}, { extra: { by: 1 } })?.extra))).toEqual({ by: 1 });
    expect(JSON.parse(String(document({}, { by: 1 })?.extra))).toEqual({ by: 1 });
    expect(JSON.parse(String(document({ by: 2 }, {})?.extra))).toEqual({ by: 2 });
  });

  it("are refused if they look like a slip of the pen, or have no keys", () => {
    expect(wrong({ modle: "x" })).toEqual(inEntry("modle", expect.stringMatching(/\bmodel\b/)));
    expect(wrong({ source_id: "x" })[0]?.[1]).toContain("model");
    for (const extra of [1, "x", null, ["x"]]) {
      expect(wrong({ extra })).toEqual(inEntry("extra", "must be of the type object"));
    }
    expect(wrong({}, { extra: 1 })).toEqual([["facets.extra", expect.any(String)]]);
  });

  it("can be as deep as JSON can be written", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(read({ note: deep }).issues.issues).toEqual([
      { name: "user_metadata[0]", in: "body", reason: "is nested too deeply" },
    ]);
    expect(read({ note: deep }).documents[0]?.extra).toBe("");
  });
});

describe("shared metadata", () => {
  it("apply unless a file has its own; they may not be file and time", () => {
    const shared = { model: "m", experiment: "e", file: "/b.nc", time: "soon" };
    const { documents, issues } = examineUserData({
      user_metadata: [entry(), entry({ model: "n" })],
      facets: shared,
    });
    expect(issues.issues).toEqual([]);
    expect(documents).toMatchObject([
      { model: "m", experiment: "e", file: "/a.nc" },
      { model: "n", experiment: "e" },
    ]);
    for (const none of [undefined, null, [], "x"]) expect(wrong({}, none)).toEqual([]);
  });

  it("are reported once, with the first part, by their own name", () => {
    const body = { user_metadata: [entry({ model: 1 })], facets: { project: 1 } };
    const first = examineUserData(body).issues.issues;
    expect(first.map(({ name, in: where }) => [name, where])).toEqual([
      ["facets.project", "body"],
      ["user_metadata[0].model", "body"],
    ]);
    const later = examineUserData(body, 250).issues.issues;
    expect(later.map(({ name }) => name)).toEqual(["user_metadata[250].model"]);
  });
});

describe("a large body", () => {
  const SIZES = [0, 1, SLICE - 1, SLICE, SLICE + 1, 2 * SLICE, 2 * SLICE + 1];

  it("is read in parts as if in one, and the service continues between them", async () => {
    for (const size of SIZES) {
      const user_metadata = Array.from({ length: size }, (_, index) =>
        index % 2 === 0 ? entry({ file: `/${index}` }) : { file: `/${index}`, model: index },
      );
      const body = { user_metadata, facets: { project: 1 } };
      let turns = 0;
      const counting = (): void => {
        turns += 1;
        timer = setImmediate(counting);
      };
      let timer = setImmediate(counting);
      const examined = await examineInSlices(body);
      clearImmediate(timer);
      const whole = examineUserData(body);
      expect(examined.documents).toEqual(whole.documents);
      expect(examined.issues.issues).toEqual(whole.issues.issues);
      expect(turns).toBe(Math.max(0, Math.ceil(size / SLICE) - 1));
    }
    const told = await examineInSlices({ user_metadata: [entry({ model: 1 })] }, () => true);
    expect(told.issues).toBeInstanceOf(Issues);
    expect(told.issues.issues).toEqual([]);
  });

  it("is read up to a thousand errors", async () => {
    const user_metadata = Array.from({ length: 50_000 }, () => ({ file: "/a", model: 1 }));
    const { documents, issues } = await examineInSlices({ user_metadata });
    expect([issues.issues.length, issues.isFull]).toEqual([1000, true]);
    expect(documents.length).toBeLessThanOrEqual(1000);
  });

  it("is processed in its order, however it is handled", async () => {
    for (const size of SIZES) {
      const items = Array.from({ length: size }, (_, index) => `item ${index}`);
      let turns = 0;
      const counting = (): void => {
        turns += 1;
        timer = setImmediate(counting);
      };
      let timer = setImmediate(counting);
      const made = await mapInSlices(items, async (item, index) => `${index}: ${item}`);
      clearImmediate(timer);
      expect(made).toEqual(items.map((item, index) => `${index}: ${item}`));
      expect(turns).toBeGreaterThanOrEqual(Math.max(0, Math.ceil(size / SLICE) - 1));
    }
  });
});
