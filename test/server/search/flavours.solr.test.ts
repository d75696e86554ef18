/** Flavours that users make: their operations, whose they are, and where they are known. */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { FACET_NAMES } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOUR_NAMES } from "../../../src/domain/vocabulary/flavours.js";
import { Users } from "../../../src/identity/accounts/users.js";
import { expectWithin } from "../../support/run/bounds.js";
import { flavours, makeFlavour, removeGlobal } from "../../support/service/flavours.js";
import { startService } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { type Person, person } from "../../support/service/user-data.js";

const BASE = "https://data.example.org";

const service = useService({
  baseUrl: BASE,
  documents: [
    { file: "/a.nc", model: "M1", variable: "tas", experiment: "historical" },
    { file: "/b.nc", model: "M2", variable: ["tas", "pr"], experiment: "ssp585" },
  ],
});
const bob = usePerson(service);
const ada = usePerson(service);
const admin = usePerson(service);
/** Another instance over the same Solr and accounts; as the issuer of tokens it has the same name. */
const other = useService(() => ({ baseUrl: BASE, dataDir: service.dataDir }));
beforeAll(() => new Users(service.dataDir).setAdministrator(admin.name, true));
afterAll(() => removeGlobal(service, admin));

const search = async (path: string, who?: Person, at = service) => {
  const response = await at.get(`/databrowser/${path}`, who && bearer(who.token));
  return { status: response.status, text: await response.text(), headers: response.headers };
};
const told = async (response: Response) => ({
  ...((await response.json()) as Problem),
  status: response.status,
});
const names = async (who?: Person, at = service): Promise<string[]> => {
  const { flavours } = JSON.parse((await search("overview", who, at)).text) as {
    flavours: string[];
  };
  return flavours.filter((name) => !FLAVOUR_NAMES.some((one) => one === name));
};

describe("a flavour of one's own", () => {
  it("is made, searched in, changed, renamed and deleted by its owner", async () => {
    const made = await flavours(service, ada, "POST", {
      flavour_name: "ada-lab",
      mapping: { model: "gcm", experiment: "scenario" },
    });
    expect(made.status).toBe(201);
    expect(await made.json()).toEqual({
      flavour_name: "ada-lab",
      mapping: { model: "gcm", experiment: "scenario" },
      is_global: false,
      owner: ada.name,
    });
    expect((await search("data-search/ada-lab/file?gcm=m1", ada)).text).toBe("/a.nc\n");
    const put = await flavours(
      service,
      ada,
      "PUT",
      { flavour_name: "ada2", mapping: { model: "esm" } },
      "/ada-lab",
    );
    expect(put.status).toBe(200);
    expect((await search("data-search/ada-lab/file", ada)).status).toBe(422);
    expect((await search("data-search/ada2/file?gcm=m1", ada)).status).toBe(422);
    expect((await search("data-search/ada2/file?esm=m1", ada)).text).toBe("/a.nc\n");
    expect((await flavours(service, ada, "DELETE", undefined, "/ada2")).status).toBe(200);
    expect((await search("data-search/ada2/file", ada)).status).toBe(422);
    const again = await told(await flavours(service, ada, "DELETE", undefined, "/ada2"));
    expect(again).toMatchObject({ status: 404, detail: /no flavour "ada2"/ });
  });

  it("is accepted by every operation that has a flavour", async () => {
    await makeFlavour(service, ada, "every", { model: "gcm", variable: "field" });
    const counts = JSON.parse((await search("metadata-search/every/file?gcm=M1", ada)).text);
    expect(counts.facets.gcm).toEqual(["m1", "1"]);
    expect(counts.facet_mapping).toMatchObject({ model: "gcm", variable: "field" });
    expect(counts.primary_facets).toContain("gcm");
    const some = JSON.parse((await search("metadata-search/every/file?facets=gcm", ada)).text);
    expect(some.facets).toEqual({ gcm: ["m1", "1", "m2", "1"] });
    const native = await search("metadata-search/every/file?facets=gcm&translate=false", ada);
    expect(native.text).toContain("is called model in native");

    const intake = JSON.parse((await search("intake-catalogue/every/file?field=pr", ada)).text);
    expect(intake.catalog_dict).toMatchObject([{ gcm: "M2", field: ["pr", "tas"] }]);
    expect(intake.aggregation_control.variable_column_name).toBe("field");
    expect(intake.id).toContain("every");
    const stac = await service.get("/databrowser/stac-catalogue/every/file", bearer(ada.token));
    expect(stac.status).toBe(200);
    expect(
      Buffer.from(await stac.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");
    for (const path of ["load/every?gcm=m1", "load/every/file?gcm=m1"]) {
      expect((await search(path, ada)).text, path).toMatch(/\.zarr\n$/);
    }

    const unknown = await search("data-search/every/file?gcm=m3", ada);
    expect(unknown.headers.get("Unknown-Values")).toContain("gcm");
    const misnamed = await search("data-search/every/file?model=m1", ada);
    expect(misnamed.text).toContain("is called gcm in every");
    const foreign = await search("data-search/every/file?source_id=m1", ada);
    expect(foreign.text).toContain("is called gcm in every");
    const excluded = await search("data-search/every/file?gcm_not_=m1", ada);
    expect(excluded.text).toBe("/b.nc\n");
    const free = await search("data-search/every/file?filter=gcm%3Dm1", ada);
    expect(free.text).toBe("/a.nc\n");
  });

  it("is hidden from others, who cannot even find out that it exists", async () => {
    await makeFlavour(service, ada, "secretive", { model: "gcm" });
    for (const who of [bob, admin, undefined]) {
      const there = await search("data-search/secretive/file", who);
      const invented = await search("data-search/secretivf/file", who);
      expect(there.status).toBe(422);
      expect(there.text.replaceAll("secretive", "x")).toBe(
        invented.text.replaceAll("secretivf", "x"),
      );
      expect(await names(who)).not.toContain("secretive");
      expect(await (await flavours(service, who)).text()).not.toContain("secretive");
    }
    for (const who of [bob, admin]) {
      for (const method of ["PUT", "DELETE"]) {
        const body = method === "PUT" ? {} : undefined;
        const there = await told(await flavours(service, who, method, body, "/secretive"));
        expect(there).toMatchObject({
          status: 404,
          detail: 'Flavour "secretive" does not exist for you.',
        });
      }
    }
    await makeFlavour(service, bob, "secretive", { model: "theirs" });
    expect((await search("data-search/secretive/file?theirs=m1", bob)).text).toBe("/a.nc\n");
    expect((await search("data-search/secretive/file?gcm=m1", ada)).text).toBe("/a.nc\n");
  });

  it("is shown to its owner, with headers that hide it from everybody else", async () => {
    await makeFlavour(service, ada, "shown", { model: "gcm" });
    for (const path of ["overview", "flavours"]) {
      const mine = await search(path, ada);
      expect(mine.text).toContain("shown");
      expect(mine.headers.get("Cache-Control")).toBe("private, no-store");
      expect(mine.headers.get("Vary")).toContain("Authorization");
      const all = await search(path);
      expect(all.text).not.toContain("shown");
      expect(all.headers.get("Cache-Control")).toBe("no-cache");
      expect(all.headers.get("Vary")).toContain("Authorization");
    }
    const { attributes } = JSON.parse((await search("overview", ada)).text);
    expect(attributes.shown).toContain("gcm");
    expect(attributes.shown).not.toContain("model");
    expect(attributes.shown).toHaveLength(attributes.native.length);
  });
});

describe("a global flavour", () => {
  it("is made, changed and deleted by administrators alone, and searched in by everybody", async () => {
    const wanted = { flavour_name: "for-all", mapping: { model: "gcm" }, is_global: true };
    const refused = await told(await flavours(service, ada, "POST", wanted));
    expect(refused).toMatchObject({ status: 403, detail: /^Only administrators/ });
    expect((await flavours(service, admin, "POST", wanted)).status).toBe(201);
    expect((await search("data-search/for-all/file?gcm=m1")).text).toBe("/a.nc\n");
    expect(await names()).toContain("for-all");
    expect((await flavours(service, ada, "PUT", {}, "/for-all")).status).toBe(403);
    expect((await flavours(service, ada, "DELETE", undefined, "/for-all")).status).toBe(403);
    expect((await flavours(service, admin, "DELETE", undefined, "/for-all")).status).toBe(200);
    expect((await search("data-search/for-all/file")).status).toBe(422);
  });

  it("becomes a personal one and the other way round, by administrators alone", async () => {
    await makeFlavour(service, ada, "moved", { model: "gcm" });
    const share = { is_global: true };
    expect((await flavours(service, ada, "PUT", share, "/moved")).status).toBe(403);
    await makeFlavour(service, admin, "moved", { model: "esm" });
    const put = await flavours(service, admin, "PUT", share, "/moved");
    expect(await put.json()).toMatchObject({ is_global: true, owner: "global" });
    expect((await search("data-search/moved/file?esm=m1")).text).toBe("/a.nc\n");
    // Who had one of that name before goes on with it.
    expect((await search("data-search/moved/file?gcm=m1", ada)).text).toBe("/a.nc\n");
    const back = { is_global: false, flavour_name: "moved-back" };
    expect((await flavours(service, admin, "PUT", back, "/moved?is_global=true")).status).toBe(200);
    expect((await search("data-search/moved/file")).status).toBe(422);
    expect((await search("data-search/moved-back/file?esm=m1", admin)).text).toBe("/a.nc\n");
  });

  it("takes precedence over personal ones of its name from then on", async () => {
    await makeFlavour(service, admin, "taken", { model: "gcm" }, true);
    for (const name of ["taken", "Taken", "TAKEN"]) {
      const wanted = { flavour_name: name, mapping: {} };
      const refused = await told(await flavours(service, ada, "POST", wanted));
      expect(refused).toMatchObject({ status: 409, detail: "There is a flavour taken." });
    }
    await makeFlavour(service, ada, "mine", {});
    const rename = await flavours(service, ada, "PUT", { flavour_name: "taken" }, "/mine");
    expect(rename.status).toBe(409);
  });
});

describe("all instances", () => {
  it("know a new flavour at once, and see its changes and its end within seconds", async () => {
    await makeFlavour(service, bob, "wandering", { model: "gcm" });
    expect((await search("data-search/wandering/file?gcm=m1", bob, other)).text).toBe("/a.nc\n");
    await expectWithin(6000, async () => (await names(bob, other)).includes("wandering"));
    await flavours(service, bob, "PUT", { mapping: { model: "esm" } }, "/wandering");
    expect((await search("data-search/wandering/file?esm=m1", bob)).text).toBe("/a.nc\n");
    await expectWithin(6000, async () => {
      const { status } = await search("data-search/wandering/file?esm=m1", bob, other);
      return status === 200;
    });
    await flavours(other, bob, "DELETE", undefined, "/wandering");
    expect((await search("data-search/wandering/file", bob, other)).status).toBe(422);
    await expectWithin(6000, async () => {
      const { status } = await search("data-search/wandering/file", bob);
      return status === 422;
    });
  });

  it("know the flavours made before their start", async () => {
    await makeFlavour(service, bob, "earlier", { model: "gcm" });
    await sleep(1500);
    const later = await startService({ baseUrl: BASE, dataDir: service.dataDir });
    try {
      expect(await names(bob, later)).toContain("earlier");
    } finally {
      await later.close();
    }
  });
});

describe("an invalid flavour", () => {
  const refusal = async (flavour_name: string, mapping: unknown) => {
    const response = await flavours(service, ada, "POST", { flavour_name, mapping });
    const { errors = [] } = (await response.json()) as Problem;
    return { status: response.status, told: errors.map(({ name, reason }) => `${name} ${reason}`) };
  };

  it.each([
    ["two facets of one name", { model: "x", ensemble: "x" }, /model "x" is the name of ensemble/],
    ["names that case alone tells apart", { model: "x", ensemble: "X" }, /is the name of ensemble/],
    ["another facet's native name", { model: "ensemble" }, /the native name of the facet ensemble/],
    ["one that has another name here", { model: "ensemble", ensemble: "x" }, /facet ensemble/],
    ["a parameter", { model: "facets" }, /"facets" means something else/],
    ["one spelled otherwise", { model: "Time-Select" }, /"Time-Select" means something else/],
    ["a location", { model: "uri" }, /"uri" means something else/],
    ["the version", { model: "version" }, /"version" means something else/],
    ["a table of filters", { model: "filters" }, /"filters" means something else/],
    ["a column of intake", { model: "dataset_id" }, /"dataset_id" means something else/],
    ["a property of STAC", { model: "datetime" }, /"datetime" means something else/],
    ["a key that excludes", { model: "x_not_" }, /"x_not_" ends like a key that excludes/],
    ["a facet with a parameter", { time: "period" }, /mapping.time has a parameter of its own/],
    ["an unknown facet", { modle: "x" }, /mapping.modle is not a facet .* did you mean model/],
    ["another flavour's name", { source_id: "x" }, /mapping.source_id is called model in native/],
    ["an empty name", { model: "" }, /must begin with a letter/],
    ["a name with a space", { model: "a b" }, /must begin with a letter/],
    ["a name of brackets", { model: "a[b]" }, /must begin with a letter/],
    ["a letter that looks like another", { model: "mоdel" }, /must begin with a letter/],
    ["a long name", { model: "x".repeat(65) }, /has more than 64 characters/],
  ])("is refused with the reason: %s", async (_, mapping, reason) => {
    const { status, told } = await refusal("fine", mapping);
    expect(status).toBe(422);
    expect(told).toContainEqual(expect.stringMatching(reason));
  });

  it.each([
    "cmip6",
    "CMIP6",
    "Native",
    "nextGEMS",
    "user",
    "",
    "a b",
    "1a",
    "ä",
    "../x",
    "x".repeat(65),
    "__proto__",
  ])("is refused by its name %j", async (name) => {
    const { status, told } = await refusal(name, { model: "gcm" });
    expect(status).toBe(422);
    expect(told).toEqual([expect.stringMatching(/^flavour_name /)]);
  });

  it("is refused with all errors in one answer", async () => {
    const { told } = await refusal("CMIP6", { modle: "x", model: "time", experiment: "x" });
    expect(told.map((text) => text.split(" ")[0])).toEqual([
      "flavour_name",
      "mapping.modle",
      "mapping.model",
      "mapping.modle",
      "mapping.experiment",
    ]);
  });

  it("is refused beyond twenty of one account", async () => {
    const many = await person(service);
    for (let i = 0; i < 20; i++) await makeFlavour(service, many, `f${i}`, { model: `m${i}` });
    const wanted = { flavour_name: "f20", mapping: {} };
    const refused = await told(await flavours(service, many, "POST", wanted));
    expect(refused).toMatchObject({ status: 422, detail: /you have 20 flavours already/ });
  });

  it("is refused as a change of a built-in one", async () => {
    for (const method of ["PUT", "DELETE"]) {
      const body = method === "PUT" ? {} : undefined;
      const refused = await told(await flavours(service, admin, method, body, "/cmip6"));
      expect(refused).toMatchObject({
        status: 422,
        detail: "flavour: is built in, and stays as it is",
      });
    }
  });

  it("is not one with every facet under a name of its own", async () => {
    const facets = FACET_NAMES.filter((facet) => facet !== "time" && facet !== "bbox");
    const mapping = Object.fromEntries(facets.map((facet) => [facet, `own-${facet}`]));
    await makeFlavour(service, ada, "all-of-them", mapping);
    const found = await search("data-search/all-of-them/file?own-model=m1&own-variable=tas", ada);
    expect(found.text).toBe("/a.nc\n");
  });
});
