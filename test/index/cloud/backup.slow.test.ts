/** `backup` and `restore` of a SolrCloud of several shards and replicas. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { SolrState } from "../../../src/index/state/solr-state-store.js";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { type Ended, run } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { contentsOf } from "../../support/solr/backup-scene.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const PATIENCE = { timeout: 300_000 };
const PASSWORD = "the password of a SolrCloud";
const COLLECTIONS = ["files", "state"];

const folder = freshFolder();
const at = (name: string): string => join(folder, "shared", name);
const cloud = useCloud({ nodes: 2, password: PASSWORD, allowPaths: at("") });

beforeAll(async () => {
  await mkdir(at(""), { recursive: true });
  await layOut(cloud, { shards: 2, replicas: 2 });
}, PATIENCE.timeout);

function command(...args: string[]): Promise<Ended> {
  const { urls, user = "" } = cloud.endpoint;
  const settings = { SOLR_URL: urls.join(","), SOLR_USER: user, SOLR_PASSWORD: PASSWORD };
  return run(args, { settings: { ...settings, DATA_DIR: join(folder, "var") } });
}

const routeOf = async (name: string): Promise<unknown> => {
  const status = (await cloud.admin("admin/collections", { action: "CLUSTERSTATUS" })) as {
    cluster: { aliases: Record<string, string>; collections: Record<string, unknown> };
  };
  const { aliases, collections } = status.cluster;
  const { router, shards } = collections[aliases[name] ?? name] as {
    router: unknown;
    shards: Record<string, { replicas: object }>;
  };
  return { router, replicas: Object.values(shards).map((one) => Object.keys(one.replicas).length) };
};

describe("a backup of a SolrCloud", () => {
  it("gives every document, and the same shards and replicas", PATIENCE, async () => {
    const loaded = await command("index", packagePath("data", "catalogue.jsonl"));
    expect(loaded.status, loaded.stderr).toBe(0);
    const state = new SolrState(new SolrHttp(cloud.endpoint, 10_000));
    const entry = { kind: "test", value: { a: 1 }, expires: Date.now() + 3_600_000 };
    await state.overwrite("test:1", entry);
    const made = await command("backup", at("one"));
    expect(made.status, made.stderr).toBe(0);
    const before = await contentsOf(cloud.endpoint);
    expect(before.files.length).toBeGreaterThan(300);
    expect(before.state.join()).toContain('"test:1"');
    const routes = await Promise.all(COLLECTIONS.map(routeOf));
    expect(routes[0]).toMatchObject({ replicas: [2, 2] });

    await state.overwrite("test:2", entry);
    const refused = await command("restore", at("one"));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/has documents in files already.*--replace/);
    const restored = await command("restore", at("one"), "--replace");
    expect(restored.status, restored.stderr).toBe(0);
    await cloud.whole();
    expect(await contentsOf(cloud.endpoint)).toEqual(before);
    expect(await state.read("test:2")).toBeUndefined();
    expect(await Promise.all(COLLECTIONS.map(routeOf))).toEqual(routes);

    // Into one that has nothing.
    const ask = (parameters: Record<string, string>) =>
      cloud.admin("admin/collections", parameters);
    await ask({ action: "DELETEALIAS", name: "files" });
    const { collections } = (await ask({ action: "LIST" })) as { collections: string[] };
    for (const name of collections) await ask({ action: "DELETE", name });
    const again = await command("restore", at("one"));
    expect(again.status, again.stderr).toBe(0);
    await cloud.whole();
    expect(await contentsOf(cloud.endpoint)).toEqual(before);
    expect(await inspectCollections(cloud.endpoint, COLLECTIONS)).toMatchObject({ cloud: true });
  });

  it("is refused with the remedy if nodes may not write", PATIENCE, async () => {
    const refused = await command("backup", join(folder, "elsewhere"));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/-Dsolr\.allowPaths=\S+elsewhere/);
  });
});
