/** The STAC API and user data. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeFlavour } from "../../support/service/flavours.js";
import { emptyIndex, fillIndex, load } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { add, entry, person } from "../../support/service/user-data.js";

const DATASET = {
  project: "CMIP6",
  product: "CMIP",
  institute: "i",
  model: "m",
  experiment: "e",
  ensemble: "r1i1p1f1",
  cmor_table: "Amon",
  variable: "tas",
  grid_label: "gn",
};
const ID = "CMIP6.CMIP.i.m.e.r1i1p1f1.Amon.tas.gn";

const service = useService();
beforeAll(() => emptyIndex(service.solr));

/** Every address that tells of items or values, with all that a search can ask for. */
const ADDRESSES = [
  "/stac",
  "/stac/collections",
  "/stac/collections/CMIP6",
  "/stac/queryables",
  "/stac/collections/CMIP6/queryables",
  "/stac/aggregations",
  "/stac/aggregate?aggregations=total_count,collection_frequency,cmip6_source_id_frequency",
  "/stac/collections/CMIP6/items?limit=1000",
  `/stac/collections/CMIP6/items/${ID}`,
  "/stac/search?limit=1000",
  "/stac/search?limit=1000&sortby=-updated",
  "/stac/search?q=secret",
  "/stac/search?filter=model%20like%20'secret%25'%20or%20user%20is%20not%20null%20or%20true",
  "/stac/search?filter=s_intersects(geometry,POINT(10%2050))",
];

describe("the STAC API", () => {
  it("reveals no user data, not even to their owner, at any address", async () => {
    await load(service.solr, [{ ...DATASET, file: "/open/a.nc" }]);
    const ada = await person(service);
    const facets = { ...DATASET, model: "secret-model", project: "secret-project" };
    const place = { bbox: "9,11,49,51" };
    const added = await add(service, ada, [entry("/secret/mine.nc", place)], facets);
    expect(added.status, await added.text()).toBe(202);
    const user = await service.get("/databrowser/data-search/user/file", bearer(ada.token));
    expect(await user.text()).toContain("/secret/mine.nc");
    for (const address of ADDRESSES) {
      for (const init of [{}, bearer(ada.token)]) {
        const response = await service.get(address, init);
        const text = await response.text();
        expect(response.status, `${address}: ${text}`).toBe(200);
        // The word that a search asked for stands in its own address.
        expect(text.replaceAll(/"href":"[^"]*"/g, ""), address).not.toMatch(/secret|mine\.nc/);
        expect(text, address).not.toContain(ada.name);
      }
    }
    for (const path of ["secret-project", "secret-project/items", "secret-project/queryables"]) {
      expect((await service.get(`/stac/collections/${path}`)).status, path).toBe(404);
    }
  });

  it("knows no personal flavour, at any address, and finds nothing by its names", async () => {
    await fillIndex(service.solr, [{ ...DATASET, file: "/open/a.nc" }]);
    const ada = await person(service);
    await makeFlavour(service, ada, "hushed", { model: "hush_model" });
    const own = await service.get(
      "/databrowser/metadata-search/hushed/file?hush_model=m&facets=hush_model",
      bearer(ada.token),
    );
    expect(await own.text()).toContain("hush_model");
    const filters = ["hushed:hush_model = 'm'", "hush_model = 'm'", "hush_model is not null"];
    for (const init of [{}, bearer(ada.token)]) {
      for (const address of ADDRESSES) {
        const response = await service.get(address, init);
        expect(await response.text(), address).not.toContain("hush");
      }
      for (const filter of filters) {
        const query = new URLSearchParams({ filter });
        const answer = await service.get(`/stac/search?${query}`, init);
        expect(await answer.json(), filter).toMatchObject({ numberMatched: 0 });
        const one = await service.get(`/stac/collections/CMIP6/items?${query}`, init);
        expect(one.status, filter).toBe(400);
      }
    }
  });
});
