/** Registering user data. */

import { beforeEach, describe, expect, it } from "vitest";
import { emptyIndex, load, postToSolr } from "../../support/service/service.js";
import { problem } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import {
  add,
  added,
  type Entry,
  entry,
  listed,
  message,
  send,
  stored,
} from "../../support/service/user-data.js";

const service = useService();
const ada = usePerson(service);
const bob = usePerson(service);

beforeEach(() => emptyIndex(service.solr));

describe("registered data", () => {
  it("are found by the next search, in the flavour user alone", async () => {
    const entries = [entry("/u/a.nc"), entry("/u/b.nc", { variable: "pr" })];
    expect(await message(await add(service, ada, entries))).toBe(added(2));
    expect(await listed(service)).toEqual(["/u/a.nc", "/u/b.nc"]);
    expect(await listed(service, { "multi-version": "true" })).toEqual(["/u/a.nc", "/u/b.nc"]);
    expect(await listed(service, { variable: "pr" })).toEqual(["/u/b.nc"]);
    expect(await listed(service, { user: ada.name })).toHaveLength(2);
    expect(await listed(service, { user: bob.name })).toEqual([]);
    for (const flavour of ["native", "cmip6"]) {
      const response = await service.get(`/databrowser/data-search/${flavour}/file`);
      expect(await response.text()).toBe("");
    }
    expect(await stored(service)).toHaveLength(2);
  });

  it("keep the given facets, and have the derived fields, whatever is given for those", async () => {
    const sum = `sha256:${"0".repeat(64)}`;
    const details = {
      size: 12,
      checksum: sum,
      modified: "2020-01-02T03:04:05Z",
      tracking_id: "hdl:1",
      standard_name: ["air_temperature"],
      units: "K",
      long_name: "T",
      retracted: true,
    };
    const made = { dataset_id: "x", added: "1999", updated: 1, time_start: [], time_end: "x" };
    const facets = {
      project: "CMIP6",
      product: "CMIP",
      institute: "I",
      model: "M",
      ensemble: "r1",
      experiment: "historical",
      cmor_table: "Amon",
      license: "CC0",
      size: "13",
    };
    const entries = [
      entry("/u/a.nc", { ...details, ...made, time: "1979" }),
      entry("/u/b.nc", { variable: ["pr"], license: "CC BY", time: "fx" }),
    ];
    const began = new Date().toISOString();
    expect(await message(await add(service, ada, entries, facets))).toBe(added(2));
    const [a, b] = await stored(service);
    expect(a).toMatchObject({
      ...details,
      tracking_id: ["hdl:1"],
      units: ["K"],
      long_name: ["T"],
      license: "CC0",
      dataset_id: "CMIP6.CMIP.I.M.historical.r1.Amon.tas.gn",
      time_start: "1979-01-01T00:00:00Z",
      time_end: "1979-12-31T23:59:59Z",
    });
    expect(b).toMatchObject({ size: 13, license: "CC BY" });
    for (const field of ["time_start", "extra"]) expect(b).not.toHaveProperty(field);
    expect(String(a?.added) >= began).toBe(true);
    expect(a?.updated).toBe(a?.added);
    expect(await listed(service, { units: "k", retracted: "true" })).toEqual(["/u/a.nc"]);
    expect(await listed(service, { dataset_id: "cmip6.*.PR.gn" })).toEqual(["/u/b.nc"]);
  });

  it("are found in the far past and on 30 February, with the time that was meant", async () => {
    const times = ["-20000 to 12000", "[2001-02-30T12:00:00 TO 2001-02-30T12:00:00]"];
    const entries = times.map((time, i) => entry(`/u/${i}.nc`, { time }));
    expect(await message(await add(service, ada, entries))).toBe(added(2));
    expect((await stored(service)).map(({ time }) => time)).toEqual([
      "[-20000-01-01T00:00:00Z TO +12000-12-31T23:59:59Z]",
      "[2001-02-28T12:00:00Z TO 2001-02-28T12:00:00Z]",
    ]);
    expect(await listed(service, { time: "-20000-01 to -19999" })).toEqual(["/u/0.nc"]);
    expect(await listed(service, { time: "2001-02", time_select: "strict" })).toEqual(["/u/1.nc"]);
  });

  it("have their time as a Solr range and their box as an ENVELOPE, however they are written", async () => {
    const times: [string, string][] = [
      [
        "[1979-01-01T00:00:00Z TO 1979-12-31T23:59:59Z]",
        "[1979-01-01T00:00:00Z TO 1979-12-31T23:59:59Z]",
      ],
      ["1979", "[1979-01-01T00:00:00Z TO 1979-12-31T23:59:59Z]"],
      ["1979-01 to 1979-02", "[1979-01-01T00:00:00Z TO 1979-02-28T23:59:59Z]"],
      ["1979-01-01T01:00+01:00 to", "[1979-01-01T00:00:00Z TO *]"],
      ["to 1980-02", "[* TO 1980-02-29T23:59:59Z]"],
      ["FX", "[* TO *]"],
      [
        "2000-01-01T00:00:00.500Z to 2000-01-01T00:00:00.000Z".replace("00.000Z", "01.000Z"),
        "[2000-01-01T00:00:00.500Z TO 2000-01-01T00:00:01.000Z]",
      ],
    ];
    const boxes: [string, string][] = [
      ["-10,30,35.5,70", "ENVELOPE(-10,30,70,35.5)"],
      ["350, 10, -5, 5", "ENVELOPE(350,10,5,-5)"],
      ["170,-170,-90,90", "ENVELOPE(170,-170,90,-90)"],
      ["ENVELOPE(-180,180,90,-90)", "ENVELOPE(-180,180,90,-90)"],
      ["envelope( 0 , 360 , 1 , 0 )", "ENVELOPE(0,360,1,0)"],
      ["-0,1e1,0,+2", "ENVELOPE(0,10,2,0)"],
      ["0,1,0,1", "ENVELOPE(0,1,1,0)"],
    ];
    const entries = times.map(([time], i) => entry(`/u/${i}.nc`, { time, bbox: boxes[i]?.[0] }));
    expect(await message(await add(service, ada, entries))).toBe(added(7));
    for (const [i, document] of (await stored(service)).entries()) {
      expect(document.time, times[i]?.[0]).toBe(times[i]?.[1]);
      expect(document.time_raw).toBe(times[i]?.[1]);
      expect(document.bbox, boxes[i]?.[0]).toBe(boxes[i]?.[1]);
    }
    expect(await listed(service, { time: "2000-01-01T00:00:01" })).toEqual([
      "/u/3.nc",
      "/u/5.nc",
      "/u/6.nc",
    ]);
    expect(await listed(service, { bbox: "175,176,0,1", bbox_select: "flexible" })).toEqual([
      "/u/2.nc",
      "/u/3.nc",
      "/u/4.nc",
    ]);
  });

  it("have facets by their native names, one value or several, as they were written", async () => {
    const facets = { project: "My-Project", product: "output", fs_type: "", model: "shared" };
    const entries = [
      entry("/u/a.nc", {
        model: "own",
        ensemble: ["r1", "r2"],
        uri: "file:///u/a.nc",
        version: "v2",
      }),
      entry("/u/b.nc", { model: "", institute: [] }),
    ];
    await message(await add(service, ada, entries, facets));
    const [a, b] = await stored(service);
    expect(a).toMatchObject({
      project: ["My-Project"],
      model: ["own"],
      ensemble: ["r1", "r2"],
      uri: "file:///u/a.nc",
      version: "v2",
      fs_type: "posix",
      format: "nc",
      user: ada.name,
    });
    expect(b).toMatchObject({ project: ["My-Project"], model: ["shared"], product: ["output"] });
    expect(b).not.toHaveProperty("institute");
    expect(await listed(service, { project: "my-project", ensemble: "R2" })).toEqual(["/u/a.nc"]);
  });

  it("have the variable of a file, or all of several", async () => {
    const entries = [entry("/u/a.nc"), entry("/u/b.nc", { variable: ["tas", "pr"] })];
    expect(await message(await add(service, ada, entries))).toBe(added(2));
    expect((await stored(service)).map(({ variable }) => variable)).toEqual([
      ["tas"],
      ["pr", "tas"],
    ]);
    expect(await listed(service, { variable: "tas" })).toEqual(["/u/a.nc", "/u/b.nc"]);
    expect(await listed(service, { variable: "PR" })).toEqual(["/u/b.nc"]);
  });

  it("keep unknown keys as one text, which is no field and no query syntax", async () => {
    const odd = {
      additional_info: "bias adjusted; *:* OR user:*",
      drs_key: "/x",
      bbox_west: 1,
      time_raw: "never",
      constructor: 1,
      'field" OR *:*': { deep: [1, null] },
      "${x}": true,
      file_name: 3,
      title: "t",
      name: "n",
      type: "t",
      date: "d",
    };
    const extra = { modle: "a", source_id: ["b"], extra: { file: 1 }, note: "of one", user: 1 };
    await message(
      await add(service, ada, [entry("/u/a.nc", { ...odd, extra })], { note: "of all", hint: "h" }),
    );
    const [document] = await stored(service);
    expect(JSON.parse(String(document?.extra))).toEqual({ hint: "h", ...odd, ...extra });
    const known = [
      "file",
      "variable",
      "time",
      "time_raw",
      "time_frequency",
      "extra",
      "user",
      "owner",
    ];
    const defaults = ["time_aggregation", "fs_type", "grid_label", "format", "level_type"];
    const made = ["added", "updated", "time_start", "time_end", "_claim_"];
    expect(Object.keys(document ?? {}).sort()).toEqual([...known, ...defaults, ...made].sort());
    expect(document?.time_raw).toBe(entry("").time);
    const refused = await service.get("/databrowser/data-search/user/file?additional_info=x");
    expect(refused.status).toBe(422);
  });

  it("belong to the token's user, whatever facets and metadata say", async () => {
    const claims = { user: bob.name, owner: bob.sub, _version_: 1 };
    const facets = {
      user: bob.name,
      owner: bob.sub,
      _version_: "1",
      file: "/u/other.nc",
      time: "x",
    };
    await message(await add(service, ada, [entry("/u/a.nc", claims)], facets));
    const [document, ...others] = await stored(service);
    expect(others).toEqual([]);
    expect(document).toMatchObject({ file: "/u/a.nc", user: ada.name, owner: ada.sub });
    expect(document).not.toHaveProperty("extra");
  });

  it("may have any characters in their values", async () => {
    const odd = 'ä\u{1F30D} "quoted" \\ back, comma ${user} {!term f=user}x \n\t*?';
    const files = ["/u/,a,b.nc", `/u/${odd}.nc`, "/u/\u0000.nc", "/*", "/u/100%25.nc"];
    const entries = files.map((file) => entry(file, { model: odd }));
    expect(await message(await add(service, ada, entries))).toBe(added(5));
    expect((await stored(service)).map(({ file }) => file).sort()).toEqual([...files].sort());
    expect((await stored(service)).every(({ model }) => (model as string[])[0] === odd)).toBe(true);
    expect(await message(await add(service, ada, entries))).toBe(added(0, 5));
    expect(await message(await add(service, bob, entries))).toBe(added(0, 5));
  });
});

describe("a duplicate", () => {
  it("is a file of the same user, before or within the body; the first one stays as it is", async () => {
    const first = [entry("/u/a.nc", { model: "one" }), entry("/u/a.nc", { model: "two" })];
    expect(await message(await add(service, ada, first))).toBe(added(1, 1));
    const second = [entry("/u/a.nc", { model: "three" }), entry("/u/b.nc")];
    expect(await message(await add(service, ada, second))).toBe(added(1, 1));
    expect(await message(await add(service, ada, second))).toBe(added(0, 2));
    expect((await stored(service))[0]?.model).toEqual(["one"]);
    expect(await message(await add(service, ada, []))).toBe(added(0, 0));
  });

  it("is found also if it is not visible yet", async () => {
    const { text } = await postToSolr(
      service.solr,
      [entry("/u/a.nc", { user: bob.name, owner: bob.sub })],
      false,
    );
    expect(text).toContain("status");
    expect(await message(await add(service, ada, [entry("/u/a.nc")]))).toBe(added(0, 1));
  });

  it("includes a file of another user or of the public catalogue, which keeps its owner", async () => {
    const folder = "/pool/CMIP6/v20190101/";
    await load(service.solr, [{ file: `${folder}a.nc`, model: "public" }]);
    await load(service.solr, [{ file: "/pool/CMIP6/v20200101/a.nc", model: "public" }]);
    await message(await add(service, bob, [entry("/u/bob.nc")]));
    const before = await stored(service);
    const wanted = [`${folder}a.nc`, "/pool/CMIP6/v20200101/a.nc", "/u/bob.nc"];
    const entries = wanted.map((file) => entry(file));
    expect(await message(await add(service, ada, entries))).toBe(added(0, 3));
    expect(await stored(service)).toEqual(before);
  });
});

describe("user data and the public catalogue", () => {
  it("are not versions of each other", async () => {
    const mine = ["/pool/CMIP6/v20190101/a.nc", "/pool/CMIP6/v20300101/a.nc"];
    await message(
      await add(
        service,
        ada,
        mine.map((file) => entry(file)),
      ),
    );
    await load(service.solr, [{ file: "/pool/CMIP6/v20200101/a.nc" }]);
    expect(await listed(service)).toEqual(mine);
    const found = await service.get("/databrowser/data-search/native/file");
    expect(await found.text()).toBe("/pool/CMIP6/v20200101/a.nc\n");
  });
});

describe("an invalid body", () => {
  const bad: [string, Entry, string][] = [
    ["no file", { file: undefined }, "file"],
    ["an empty file", { file: "" }, "file"],
    ["a blank variable", { variable: "  " }, "variable"],
    ["a variable that is a number", { variable: 3 }, "variable"],
    ["no variable at all in a list", { variable: [] }, "variable"],
    ["a list with an empty variable", { variable: ["tas", ""] }, "variable[1]"],
    ["a list with a blank variable", { variable: [" ", "tas"] }, "variable"],
    ["a list with a variable that is a number", { variable: ["tas", 5] }, "variable[1]"],
    ["no time", { time: undefined }, "time"],
    ["a time that is a list", { time: ["2000"] }, "time"],
    ["a time that is none", { time: "yesterday" }, "time"],
    ["a time that ends before it starts", { time: "[2001 TO 2000]" }, "time"],
    ["a day that does not exist", { time: "2001-04-31" }, "time"],
    ["an empty frequency", { time_frequency: "" }, "time_frequency"],
    ["a box of three", { bbox: "1,2,3" }, "bbox"],
    ["a box with south above north", { bbox: "ENVELOPE(0,1,-5,5)" }, "bbox"],
    ["a box off the globe", { bbox: "0,1,0,91" }, "bbox"],
    ["a box that is a list", { bbox: [0, 1, 0, 1] }, "bbox"],
    ["a facet that is a number", { model: 3 }, "model"],
    ["a facet that is an object", { model: { add: "x" } }, "model"],
    ["a facet of numbers", { ensemble: ["r1", 2] }, "ensemble[1]"],
    ["a misspelled facet", { modle: "m" }, "modle"],
    ["a misspelled key that is no facet", { bbx: "0,1,0,1" }, "bbx"],
    ["two letters of a long name", { exprmient: "e" }, "exprmient"],
    ["a facet in capitals", { Model: "m" }, "Model"],
    ["a facet with a hyphen", { "fs-type": "posix" }, "fs-type"],
    ["a facet in camel case", { gridLabel: "gn" }, "gridLabel"],
    ["another flavour's name of a facet", { source_id: "m" }, "source_id"],
    ["the same in another spelling", { "Table-ID": "m" }, "Table-ID"],
    ["a misspelled place for free keys", { extras: { a: 1 } }, "extras"],
    ["free keys that are a text", { extra: "mine" }, "extra"],
    ["free keys that are a list", { extra: [1] }, "extra"],
    ["several values where there is one", { fs_type: ["posix", "hsm"] }, "fs_type"],
    ["a uri that is null", { uri: null }, "uri"],
    ["half a character", { model: "\ud800" }, "model"],
    ["a value that no index takes", { model: "x".repeat(40_000) }, "model"],
    ["a path that no index takes", { file: `/${"ä".repeat(20_000)}` }, "file"],
  ];

  it.each(bad)(
    "is 422 with index and field, and nothing is stored: %s",
    async (_, change, field) => {
      const entries = [entry("/u/a.nc"), { ...entry("/u/b.nc"), ...change }, entry("/u/c.nc")];
      const response = await add(service, ada, entries);
      expect(response.status).toBe(422);
      const { errors } = await problem(response);
      expect(errors?.map(({ name, in: place }) => [name, place])).toEqual([
        [`user_metadata[1].${field}`, "body"],
      ]);
      expect(await stored(service)).toEqual([]);
    },
  );

  it("is 422 with the allowed types for a variable that is neither text nor a list", async () => {
    const entries = [entry("/u/a.nc", { variable: 5 }), entry("/u/b.nc", { variable: undefined })];
    const { errors } = await problem(await add(service, ada, entries));
    expect(errors?.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "user_metadata[0].variable must be of the type array",
      "user_metadata[1].variable is required",
    ]);
  });

  it("is 422 with the right spelling of a misspelled key, in files and facets alike", async () => {
    const change = { modle: 1, experiment_id: "x", Variable: "v", "time-frequency": "mon" };
    const facets = { institution: "i", projct: "p", extra: "x", note: "n" };
    const response = await add(service, ada, [entry("/u/a.nc", change)], facets);
    const { errors } = await problem(response);
    const reason = (meant: string) =>
      `is not a known key; did you mean ${meant}? Put keys of your own under extra`;
    expect(errors?.map((one) => [one.name, one.reason])).toEqual([
      ["facets.institution", reason("institute")],
      ["facets.projct", reason("project")],
      ["facets.extra", "belongs in the entries"],
      ["user_metadata[0].modle", reason("model")],
      ["user_metadata[0].experiment_id", reason("product or experiment")],
      ["user_metadata[0].Variable", reason("variable")],
      ["user_metadata[0].time-frequency", reason("time_frequency")],
    ]);
    expect(await stored(service)).toEqual([]);
  });

  it("is 422 with all errors in all files, of every kind", async () => {
    const body = {
      facet: {},
      facets: { modle: "m", model: 3, bbox: "1" },
      user_metadata: [
        entry("/u/fine.nc"),
        entry("/u/a.nc", { time: "soon", variable: 3, modle: "m", extra: 1 }),
        7,
        entry("/u/b.nc", { bbox: "x", uri: "file:///%00%zz" }),
        { file: "file:///%zz", model: {}, variable: ["a", 1, " "] },
        entry(`${service.dataDir}/ada/x`, { time_frequency: " ", uri: "file:///u/other.nc" }),
      ],
    };
    const { errors, detail } = await problem(await send(service, "POST", ada, body));
    expect(errors?.map(({ name }) => name).sort()).toEqual(
      [
        "body",
        "facets.modle",
        "facets.model",
        "facets.bbox",
        "user_metadata[1].time",
        "user_metadata[1].variable",
        "user_metadata[1].modle",
        "user_metadata[1].extra",
        "user_metadata[2]",
        "user_metadata[3].bbox",
        "user_metadata[3].uri",
        "user_metadata[4].file",
        "user_metadata[4].model",
        "user_metadata[4].variable[1]",
        "user_metadata[4].time",
        "user_metadata[4].time_frequency",
        "user_metadata[5].time_frequency",
        "user_metadata[5].uri",
      ].sort(),
    );
    expect(detail).toContain("user_metadata[5].uri");
    expect(await stored(service)).toEqual([]);
  });

  it("is 422 with a thousand errors and is checked no further, if there are more than can be read", async () => {
    const entries = Array.from({ length: 6000 }, (_, i) =>
      entry(`/u/${i}.nc`, { modle: "m", time: i % 2 === 0 ? "soon" : 3, bbox: "x" }),
    );
    const { errors, detail } = await problem(await add(service, ada, entries));
    expect(errors).toHaveLength(1000);
    expect(detail).toMatch(/; and at least \d{3,4} more$/);
  });

  it("is 422 with every bad file at once", async () => {
    const entries = [entry("/u/a.nc", { time: "x" }), entry("/u/b.nc"), entry("", { time: "" })];
    const { errors } = await problem(await add(service, ada, entries.slice(0, 2), { bbox: "1" }));
    expect(errors?.map(({ name }) => name)).toEqual(["facets.bbox", "user_metadata[0].time"]);
    const more = await problem(await add(service, ada, entries));
    expect(more.errors?.map(({ name }) => name)).toEqual([
      "user_metadata[0].time",
      "user_metadata[2].file",
      "user_metadata[2].time",
    ]);
  });

  it.each([
    ["not JSON", "{", 400],
    ["empty", "", 400],
    ["a list", "[]", 422],
    ["without entries", "{}", 422],
    ["with entries that are none", '{"user_metadata":[1,null,"x",[]]}', 422],
    ["with entries that are an object", '{"user_metadata":{}}', 422],
    ["with facets that are no strings", '{"user_metadata":[],"facets":{"model":1}}', 422],
    ["with another key", '{"user_metadata":[],"facet":{}}', 422],
    ["with a key that validators pass over", '{"user_metadata":[],"__proto__":{}}', 422],
    [
      "nested a hundred thousand deep",
      `{"user_metadata":[${JSON.stringify(entry("/u/a.nc")).slice(0, -1)},"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`,
      422,
    ],
  ])("is refused with its status: %s", async (_, body, expected) => {
    const response = await send(service, "POST", ada, body);
    expect(response.status, await response.text()).toBe(expected);
    expect(await stored(service)).toEqual([]);
  });

  it("is 415 for another media type, and 401 without a token", async () => {
    const url = "/databrowser/userdata";
    const body = JSON.stringify({ user_metadata: [entry("/u/a.nc")] });
    const headers = { Authorization: `Bearer ${ada.token}` };
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json5",
      "",
    ]) {
      const response = await service.get(url, {
        method: "POST",
        headers: { ...headers, "Content-Type": type },
        body,
      });
      expect(response.status, type).toBe(415);
    }
    for (const method of ["POST", "DELETE"]) {
      const open = await service.get(url, {
        method,
        headers: { "Content-Type": "application/json" },
        body,
      });
      expect(open.status).toBe(401);
      expect(open.headers.get("www-authenticate")).toBe('Bearer realm="climate-nextgen"');
    }
    expect(await stored(service)).toEqual([]);
  });

  it("is 413 if it is too large, in files, in bytes, and in chunks of unknown length", async () => {
    const many = Array.from({ length: 10_001 }, (_, i) => entry(`/u/${i}.nc`));
    const tooMany = await add(service, ada, many);
    expect(tooMany.status).toBe(413);
    expect((await problem(tooMany)).detail).toBe("The body may have at most 10000 entries.");
    const long = JSON.stringify({ user_metadata: [entry("/u/a.nc", { note: "x".repeat(9e6) })] });
    const tooLong = await send(service, "POST", ada, long);
    expect(tooLong.status).toBe(413);
    expect((await problem(tooLong)).detail).toBe("The body may have at most 8388608 bytes.");
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < long.length; at += 65_536) {
          controller.enqueue(new TextEncoder().encode(long.slice(at, at + 65_536)));
        }
        controller.close();
      },
    });
    const headers = { Authorization: `Bearer ${ada.token}`, "Content-Type": "application/json" };
    const chunked = await service.get("/databrowser/userdata", {
      method: "POST",
      headers,
      body: pieces,
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect(await stored(service)).toEqual([]);
  });
});
