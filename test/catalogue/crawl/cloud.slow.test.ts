/** `crawl` into a SolrCloud whose collections have two shards. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { Solr } from "../../../src/index/solr.js";
import { freshFolder } from "../../support/run/folders.js";
import { useCloud } from "../../support/solr/use-cloud.js";
import { counted, crawl, filesIn, put, putCmip6, putMany } from "./tree.js";

const cloud = useCloud();

beforeAll(() => cloud.create("files", 2));

it("a crawl into a SolrCloud gives the index of one Solr: known files are not opened, missing ones are removed", async () => {
  const root = freshFolder();
  const paths = await putMany(root, 60);
  const newer = await putCmip6(root, { years: [1850, 1850], version: "v20200101" });
  const settings = { SOLR_URL: cloud.endpoint.urls[0].href };
  const topology = await inspectCollections(cloud.endpoint, ["files"]);
  expect(topology).toEqual({
    cloud: true,
    shards: { files: ["shard1", "shard2"] },
  });
  const solr = new Solr(cloud.endpoint, 20_000, topology);
  const all = [...paths, newer].sort();
  const first = await crawl([root], settings);
  expect(first.status, first.stderr).toBe(0);
  expect(await filesIn(solr, "files")).toEqual(all);
  const versions = `${dirname(dirname(newer))}/`;
  const newest = all.filter((path) => path === newer || !path.startsWith(versions));
  expect(await filesIn(solr, "latest")).toEqual(newest);
  const again = await crawl([root], settings);
  expect(counted(again.stderr, "opened"), again.stderr).toBe(0);
  await put(join(dirname(dirname(newer)), "readme"), "");
  await rm(dirname(newer), { recursive: true });
  await rm(paths[7] ?? "");
  const third = await crawl([root], settings);
  expect(third.status, third.stderr).toBe(0);
  expect(counted(third.stderr, "taken out")).toBe(2);
  const left = paths.filter((_, at) => at !== 7);
  expect(await filesIn(solr, "files")).toEqual(left);
  expect(await filesIn(solr, "latest")).toEqual(left);
});
