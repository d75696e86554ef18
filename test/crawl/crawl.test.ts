/** `crawl`, on the test run's Solr. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Solr } from "../../src/solr/solr.js";
import { build, freshFolder, removeFolders } from "../cli/command.js";
import { emptyIndex, testEndpoint } from "../support/service.js";
import { contents, counted, crawl, filesIn, putCmip6, told } from "./tree.js";

const solr = new Solr(testEndpoint(), 20_000, { cloud: false, shards: {} });
let root: string;

beforeAll(build);
beforeEach(async () => {
  root = await freshFolder();
  await emptyIndex(solr);
});
afterAll(removeFolders);

describe("a crawl", () => {
  it("loads what path, header and file system say of each file", async () => {
    const path = await putCmip6(root);
    const { status, stderr } = await crawl([root]);
    console.log(stderr, await contents(solr, "files"));
    expect(status).toBe(0);
    const again = await crawl([root]);
    console.log(again.stderr);
    expect(counted(again.stderr, "opened")).toBe(0);
  });
});
