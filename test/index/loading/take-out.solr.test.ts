/** Documents that leave the index, on the test run's Solr. */
import { beforeEach, describe, expect, it } from "vitest";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import {
  DyingHttp,
  emptyIndex,
  fillIndex,
  load,
  postToSolr,
  selectPath,
  type TestDocument,
  testClient,
} from "../../support/service/service.js";

const solr = testClient();
beforeEach(() => emptyIndex(solr));

async function filesIn(collection: string): Promise<string[]> {
  const path = `${selectPath(collection)}q=*:*&rows=1000&sort=file%20asc&fl=file,units`;
  const { text } = await solr.http.send({ path });
  const { response } = JSON.parse(text) as { response: { docs: TestDocument[] } };
  return response.docs.map(({ file, units }) => `${file} ${units}`);
}

const state = async () => ({ files: await filesIn("files"), latest: await filesIn("latest") });

const [A, B, C] = ["v20190710", "v20200101", "v20210303"];
const path = (version: string, name = "x"): string => `/d/${name}/${version}/tas.nc`;
const of = (file: string): TestDocument => ({ file, units: ["K"] });
const DOCUMENTS = [of(path(A)), of(path(B)), of(path(C)), of(path(A, "y")), of("/d/plain.nc")];

describe("a removal", () => {
  it("restores the version before the newest one completely; an older one changes nothing", async () => {
    await load(solr, DOCUMENTS);
    expect(await removeDocuments(solr.http, [path(C), path(A)])).toBe(2);
    expect(await state()).toEqual({
      files: [`${path(A, "y")} K`, `${path(B)} K`, "/d/plain.nc K"].sort(),
      latest: [`${path(A, "y")} K`, `${path(B)} K`, "/d/plain.nc K"].sort(),
    });
    expect(
      await removeDocuments(solr.http, [path(B), path(A, "y"), "/d/plain.nc", "/not/there.nc"]),
    ).toBe(3);
    expect(await state()).toEqual({ files: [], latest: [] });
  });

  it("removes no data that users registered; a name of a user alone does not protect", async () => {
    const named = { ...of("/named.nc"), user: "ada" };
    await load(solr, [named, { ...of(path(A)), user: "ada", owner: "1" }]);
    const { files } = await state();
    expect(files).toHaveLength(2);
    expect(await removeDocuments(solr.http, ["/named.nc", path(A)])).toBe(1);
    expect((await state()).files).toEqual([`${path(A)} K`]);
  });

  it("comes to the same if it fails at any request and is repeated", async () => {
    await load(solr, DOCUMENTS);
    await removeDocuments(solr.http, [path(C), path(A, "y")]);
    const wanted = await state();
    expect(wanted.latest).toContain(`${path(B)} K`);
    let failures = 0;
    for (let most = 0; ; most += 1) {
      await fillIndex(solr, DOCUMENTS);
      const failing = new DyingHttp(most);
      const ended = await removeDocuments(failing, [path(C), path(A, "y")]).then(
        () => true,
        () => false,
      );
      if (ended) break;
      failures += 1;
      await postToSolr(solr, "[]");
      // Searches find one version of each dataset all the while.
      const found = (await filesIn("latest")).filter((file) => /^\/d\/x\/v/.test(file));
      expect(found, `failed after ${most} requests`).toHaveLength(1);
      await removeDocuments(solr.http, [path(C), path(A, "y")]);
      expect(await state(), `failed after ${most} requests`).toEqual(wanted);
    }
    expect(failures).toBeGreaterThan(6);
  });
});
