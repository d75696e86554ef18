/** What the STAC API does not tell strangers: user data, and files that they may not read on the disk. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileRights } from "../../../src/files/rights/file-rights.js";
import { findAcl } from "../../support/programs/acl.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { add, entry, person } from "../../support/service/user-data.js";

const tools = await findAcl();
const DATASET = {
  ...{ project: "CMIP6", product: "CMIP", institute: "i", model: "m", experiment: "e" },
  ...{ ensemble: "r1i1p1f1", cmor_table: "Amon", variable: "tas", grid_label: "gn" },
};
const ID = "CMIP6.CMIP.i.m.e.r1i1p1f1.Amon.tas.gn";

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  await emptyIndex(service.solr);
  folder = await mkdtemp(join(tmpdir(), "climate-stac-"));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

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
  it("tells nobody of user data, not even their owner, by any address", async () => {
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

  it.skipIf(tools === undefined)(
    "names no file that its caller may not read on the disk, under HIDE_UNREADABLE (setfacl)",
    async () => {
      const [open, closed] = [join(folder, "open.nc"), join(folder, "closed.nc")];
      await writeFile(open, "", { mode: 0o644 });
      await writeFile(closed, "", { mode: 0o600 });
      await chmod(folder, 0o755);
      await emptyIndex(service.solr);
      await load(service.solr, [
        { ...DATASET, file: open, version: "v1", tracking_id: "open-id", size: 1 },
        { ...DATASET, file: closed, version: "v1", tracking_id: "closed-id", size: 2 },
      ]);
      const rights = new FileRights({
        tools: { getfacl: tools?.getfacl ?? "", nfs4: undefined },
        hides: true,
      });
      const hiding = await startService({ rights });
      try {
        const { access_token } = await signIn(hiding, (await addUser(hiding.dataDir)).name);
        const addresses = [
          "/stac/search",
          "/stac/search?filter=tracking_id%20is%20not%20null",
          `/stac/collections/CMIP6/items/${ID}.v1`,
        ];
        for (const address of addresses) {
          for (const init of [{}, bearer(access_token)]) {
            const response = await hiding.get(address, init);
            const text = await response.text();
            expect(response.status, text).toBe(200);
            expect(response.headers.get("vary"), address).toContain("Authorization");
            const isPrivate = "headers" in init;
            const caching = isPrivate ? "private, no-store" : "no-cache";
            expect(response.headers.get("cache-control"), address).toBe(caching);
            expect(text).toContain("open.nc");
            expect(text).toContain("open-id");
            expect(text).not.toMatch(/closed/);
          }
        }
      } finally {
        await hiding.close();
      }
    },
  );
});
