/** Many files: what is known costs next to nothing. */
import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience } from "../../support/run/trials.js";
import { emptyIndex, testClient } from "../../support/service/service.js";
import { counted, crawlProcess, putMany } from "./tree.js";

const solr = testClient();
const FILES = attempts(500, 100_000);

it(
  "a second crawl of 100,000 unchanged files opens none and takes 20 s at most",
  async () => {
    const root = freshFolder();
    await emptyIndex(solr);
    const paths = await putMany(root, FILES);
    const first = await crawlProcess([root]);
    expect(first.status, first.stderr).toBe(0);
    expect(counted(first.stderr, "stored")).toBe(FILES);
    const { status, stderr, milliseconds } = await crawlProcess([root]);
    expect(status, stderr).toBe(0);
    expect(counted(stderr, "unchanged")).toBe(FILES);
    expect(counted(stderr, "opened")).toBe(0);
    expect(milliseconds).toBeLessThan(20_000);
    await Promise.all(paths.filter((_, at) => at % 50 === 7).map((path) => rm(path)));
    const third = await crawlProcess([root]);
    expect(third.status, third.stderr).toBe(0);
    expect(counted(third.stderr, "taken out")).toBe(FILES / 50);
    expect(counted(third.stderr, "opened")).toBe(0);
  },
  patience(180_000),
);
