/** Files that their client may not read on the disk, under FILE_RIGHTS=posix-hide. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExtendedSearchResult } from "../../../generated/schemas.js";
import { FileRights } from "../../../src/files/rights/file-rights.js";
import { findAcl } from "../../support/programs/acl.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex, startService, type TestService } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";

const tools = findAcl();
const SEARCH = "/databrowser/extended-search";
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

describe.skipIf(tools === undefined)("files that their client may not read", () => {
  let hiding: TestService;
  const folder = freshFolder();
  beforeAll(async () => {
    const getfacl = tools?.getfacl ?? "";
    hiding = await startService({
      rights: new FileRights({ tools: { getfacl, nfs4: undefined }, hides: true }),
    });
    await chmod(folder, 0o755);
  });
  afterAll(() => hiding?.close());

  it("are skipped with few requests to Solr, however many there are", async () => {
    const paths = Array.from({ length: 200 }, (_, index) => join(folder, `m${100 + index}.nc`));
    for (const path of paths) await writeFile(path, "", { mode: 0o600 });
    const last = join(folder, "a.nc");
    await writeFile(last, "", { mode: 0o644 });
    await fillIndex(
      hiding.solr,
      [...paths, last].map((file) => ({ file, project: "many" })),
    );
    let calls = 0;
    hiding.solr.http.onCall = () => {
      calls += 1;
    };
    const response = await hiding.get(`${SEARCH}/native/file?project=many&fields=file&limit=1`);
    hiding.solr.http.onCall = () => {};
    const { documents } = (await response.json()) as ExtendedSearchResult;
    expect(documents.map(({ file }) => file)).toEqual([last]);
    expect(calls).toBeLessThan(10);
  });

  it("are omitted from pages, tables and datasets", async () => {
    const paths = Array.from({ length: 12 }, (_, index) => join(folder, `f${10 + index}.nc`));
    const hidden = (index: number): boolean => index % 3 === 0 || (index > 3 && index < 9);
    for (const [index, path] of paths.entries()) {
      await writeFile(path, "", { mode: hidden(index) ? 0o600 : 0o644 });
    }
    await fillIndex(
      hiding.solr,
      paths.map((file) => ({ file, project: "hidden" })),
    );
    const shown = paths.filter((_, index) => !hidden(index)).reverse();
    const seen: string[] = [];
    for (let query: string | undefined = "limit=2"; query; ) {
      const response = await hiding.get(
        `${SEARCH}/native/file?project=hidden&fields=file&${query}`,
      );
      expect(response.headers.get("vary")).toContain("Authorization");
      const one = (await response.json()) as ExtendedSearchResult;
      expect(one.total_count).toBe(paths.length);
      seen.push(...one.documents.map(({ file }) => String(file)));
      if (one.after) expect(shown).toContain(Buffer.from(one.after, "base64url").toString());
      query = one.after ? `limit=2&after=${one.after}` : undefined;
    }
    expect(seen).toEqual(shown);
    const table = await hiding.get(`${SEARCH}/native/file?project=hidden&fields=file&format=csv`);
    expect((await table.text()).split("\r\n").slice(1, -1)).toEqual(shown);
    // The first of the files, which would stand for the others, is hidden.
    const listed = await hiding.get("/databrowser/datasets/native?project=hidden");
    expect(listed.headers.get("vary")).toContain("Authorization");
    const { datasets } = (await listed.json()) as { datasets: { example: unknown }[] };
    expect(datasets.map(({ example }) => example)).toEqual([null]);
  });

  it("are not named by the STAC API", async () => {
    const [open, closed] = [join(folder, "open.nc"), join(folder, "closed.nc")];
    await writeFile(open, "", { mode: 0o644 });
    await writeFile(closed, "", { mode: 0o600 });
    await fillIndex(hiding.solr, [
      { ...DATASET, file: open, version: "v1", tracking_id: "open-id", size: 1 },
      { ...DATASET, file: closed, version: "v1", tracking_id: "closed-id", size: 2 },
    ]);
    const { token: access_token } = await person(hiding);
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
  });
});
