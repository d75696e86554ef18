/** The command `remove`. */
import { beforeEach, describe, expect, it } from "vitest";
import { emptyIndex, load, testClient } from "../../support/service/service.js";
import { runHere, testSolrSettings } from "../command.js";

const solr = testClient();
const remove = (...args: readonly string[]) =>
  runHere(["remove", ...args], { settings: testSolrSettings() });

const entry = (file: string, more: Readonly<Record<string, unknown>> = {}) => ({
  file,
  uri: file,
  project: "old",
  ...more,
});

async function found(filters: readonly string[] = []): Promise<string[]> {
  const files: string[] = [];
  const batches = await solr.export({ filters }, { fields: ["file"], start: 0 });
  for await (const batch of batches) for (const { file } of batch) files.push(String(file));
  return files.sort();
}

beforeEach(() => emptyIndex(solr));

describe("remove", () => {
  it("removes entries by path, by facets and by the addresses of other machines, and leaves the others", async () => {
    await load(solr, [
      entry("/pool/a/x.nc"),
      entry("/pool/a[1] b/x.nc"),
      entry("/pool/ab/x.nc"),
      entry("/pool/ab/y.nc", { project: "new" }),
      entry("https://swift.example.org/x.zarr"),
    ]);
    const dry = await remove("--dry-run", "/pool/a", "/pool/ab", "-s", "project=old");
    expect(dry.stdout.trim().split("\n").sort()).toEqual(["/pool/a/x.nc", "/pool/ab/x.nc"]);
    expect(await found()).toHaveLength(5);
    const { status, stderr } = await remove("/pool/a", "/pool/a[1] b", "-s", "project=OLD");
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Removing: 2 entries removed$/m);
    expect((await remove("-s", "file=https://*")).stderr).toContain("1 entry removed");
    expect(await found()).toEqual(["/pool/ab/x.nc", "/pool/ab/y.nc"]);
  });

  it("removes every version of what it is to remove; of others the newest that stays is found", async () => {
    const version = (number: number) =>
      entry(`/pool/d/v${number}/x.nc`, { version: `v${number}`, dataset: `set${number}` });
    await load(solr, [version(1), version(2)]);
    await remove("-s", "version=v2");
    expect(await found(["latest:true"])).toEqual(["/pool/d/v1/x.nc"]);
    await load(solr, [version(2)]);
    await remove("/pool/d");
    expect(await found()).toEqual([]);
  });

  it("removes entries with a user that a program brought, and none that a user registered", async () => {
    await load(solr, [entry("/u/loaded.nc", { user: "ada" })]);
    const ada = { id: "ada-id", sub: "ada-id", user: "ada", isLocal: true };
    await solr.userDocuments.add(ada, [entry("/u/mine.nc")]);
    await remove("-s", "file=*");
    expect(await found()).toEqual(["/u/mine.nc"]);
  });

  it("removes nothing without a path or a filter, and refuses filters that it does not know", async () => {
    await load(solr, [entry("/pool/a/x.nc")]);
    for (const [args, message] of [
      [[], "Name the entries to remove"],
      [["-s", "projekt=old"], "project"],
      [["-s", "project_not_=old"], "project_not_"],
      [["-s", "project=!old"], "0 entries removed"],
    ] as const) {
      const { stderr } = await remove(...args);
      expect(stderr).toContain(message);
    }
    expect(await found()).toHaveLength(1);
  });
});
