/** An index of a later release, which this one must not write to. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { GENERATION } from "../../../src/index/collections/configset.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { runHere, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { emptyIndex, testClient, testEndpoint } from "../../support/service/service.js";

const solr = testClient();
beforeAll(() => emptyIndex(solr));
afterAll(() => emptyIndex(solr));

it("an index of a newer generation is refused in an outside Solr, with both generations", async () => {
  const files = new SolrCollection(solr.http, "files");
  await files.update(JSON.stringify([{ file: "/newer.nc", _generation_: GENERATION + 1 }]));
  await files.commit(true);
  const sentence = `index generation ${GENERATION + 1}; this release reads generation ${GENERATION}`;
  await expect(inspectCollections(testEndpoint(), ["files"])).rejects.toThrow(sentence);
  const { status, stderr } = await runHere(["index", "-"], {
    settings: testSolrSettings(),
    input: '{"file":"/a.nc"}',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(sentence);
});

it("an index of a newer generation is refused in a data folder, with the release that it needs", async () => {
  const dataDir = freshFolder();
  await mkdir(join(dataDir, "solr"), { recursive: true });
  const index = { generation: GENERATION + 1, release: "9.8.7" };
  await writeFile(join(dataDir, "solr", "index.json"), JSON.stringify(index));
  const { status, stderr } = await runHere(["index", "-"], {
    settings: { DATA_DIR: dataDir },
    input: '{"file":"/a.nc"}',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /is of climate-nextgen 9\.8\.7 .*Start release 9\.8\.7 or a later one\.$/m,
  );
});
