/** Several services in one Solr, each with a prefix of its own (SOLR_COLLECTION_PREFIX). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { coresOf, SolrAdmin } from "../../../src/index/collections/admin.js";
import {
  inspectCollections,
  MissingCollections,
} from "../../../src/index/collections/collections.js";
import type { Solr } from "../../../src/index/solr.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import {
  ownName,
  type SolrEndpoint,
  solrPath,
  solrUrl,
} from "../../../src/index/transport/endpoint.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { runHere, testSolrSettings } from "../../cli/command.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { makeCores } from "../../support/run/shared-solr.js";
import {
  emptyIndex,
  load,
  startService,
  type TestService,
  testEndpoint,
} from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";

const FILE = "/databrowser/data-search/native/file";

describe("a name", () => {
  const url = new URL("http://localhost:8983/solr");
  const endpoint: SolrEndpoint = { urls: [url], prefix: "lab_" };

  it("has the prefix in Solr, but not in the admin interface", () => {
    expect(solrPath(endpoint, "files/select?q=*:*")).toBe("lab_files/select?q=*:*");
    expect(solrPath(endpoint, "admin/cores")).toBe("admin/cores");
    expect(solrUrl(endpoint, "state/get").pathname).toBe("/solr/lab_state/get");
    expect(solrUrl({ urls: [url] }, "state/get").pathname).toBe("/solr/state/get");
  });

  it("belongs to another service without the prefix", () => {
    expect(ownName(endpoint, "lab_files")).toBe("files");
    expect(ownName(endpoint, "files")).toBeUndefined();
    expect(ownName({}, "lab_files")).toBe("lab_files");
  });

  it.each(["", "a/b", "a b", "ä_", "-a", "a".repeat(65)])("cannot begin with %j", (prefix) => {
    const env = { SOLR_URL: url.href, SOLR_COLLECTION_PREFIX: prefix };
    if (prefix === "") expect(readConfig(env).solr.outside?.prefix).toBeUndefined();
    else expect(() => readConfig(env)).toThrow(/^SOLR_COLLECTION_PREFIX must be /);
  });

  it("begins with the configured prefix", () => {
    const env = { SOLR_URL: url.href, SOLR_COLLECTION_PREFIX: "lab-1_" };
    expect(readConfig(env).solr.outside?.prefix).toBe("lab-1_");
  });
});

describe.skipIf(isOnTheCloud)("two services with different prefixes in one Solr", () => {
  const PREFIX = `other${process.env.VITEST_POOL_ID}_`;
  let ours: TestService;
  let theirs: TestService;
  beforeAll(async () => {
    const { prefix: _, ...endpoint } = testEndpoint();
    await makeCores(endpoint, PREFIX);
    ours = await startService();
    theirs = await startService({ endpoint: { ...endpoint, prefix: PREFIX } });
    await emptyIndex(ours.solr);
  });
  afterAll(async () => {
    await theirs?.close();
    const admin = new SolrAdmin({ ...testEndpoint(), prefix: PREFIX });
    for (const core of ["files", "state"]) {
      const all = { deleteInstanceDir: "true", deleteDataDir: "true", deleteIndex: "true" };
      await admin.command("admin/cores", { action: "UNLOAD", core, ...all });
    }
    await ours?.close();
  });

  it("do not see each other's files", async () => {
    await load(ours.solr, [{ file: "/ours.nc", project: ["a"] }]);
    await load(theirs.solr, [{ file: "/theirs.nc", project: ["b"] }]);
    expect(await (await ours.get(FILE)).text()).toBe("/ours.nc\n");
    expect(await (await theirs.get(FILE)).text()).toBe("/theirs.nc\n");
    const facets = await ours.get("/databrowser/metadata-search/native/file?facets=project");
    expect(JSON.stringify(await facets.json())).not.toContain('"b"');
    await emptyIndex(theirs.solr);
    expect(await (await ours.get(FILE)).text()).toBe("/ours.nc\n");
    expect(await (await theirs.get(FILE)).text()).toBe("");
  });

  it("do not see each other's sign-ins", async () => {
    const { name } = await addUser(theirs.dataDir);
    await signIn(theirs, name);
    const idsOf = async ({ http }: Solr): Promise<string[]> => {
      const state = new SolrCollection(http, "state");
      await state.commit(true);
      const { text } = await state.select("q=*:*&rows=1000&fl=id");
      const { response } = JSON.parse(text) as { response: { docs: { id: string }[] } };
      // Failed sign-ins are counted by address, which both services share.
      return response.docs.map(({ id }) => id).filter((id) => !id.startsWith("attempts:"));
    };
    const [own, others] = [await idsOf(theirs.solr), await idsOf(ours.solr)];
    expect(own).not.toEqual([]);
    expect(own.filter((id) => others.includes(id))).toEqual([]);
  });

  it("learn which cores are theirs", async () => {
    const cores = await coresOf(new SolrAdmin(theirs.solr.http.endpoint));
    expect(Object.keys(cores).sort()).toEqual(["files", "state"]);
  });

  it("are filled and reported by commands with their prefix", async () => {
    const document = JSON.stringify({ file: "/command.nc", project: ["c"] });
    const settings = { ...testSolrSettings(), SOLR_COLLECTION_PREFIX: PREFIX };
    const loaded = await runHere(["index", "-"], { settings, input: document });
    expect([loaded.status, loaded.stderr.includes("refused")]).toEqual([0, false]);
    expect(await (await theirs.get(FILE)).text()).toBe("/command.nc\n");
    expect(await (await ours.get(FILE)).text()).toBe("/ours.nc\n");
    const none = { ...settings, SOLR_COLLECTION_PREFIX: "nobody_" };
    const missing = await runHere(["index", "-"], { settings: none, input: document });
    expect([missing.status, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toMatch(/has no collection files;/);
    const endpoint = { ...testEndpoint(), prefix: "nobody_" };
    await expect(inspectCollections(endpoint, ["state"])).rejects.toThrow(MissingCollections);
  });
});

describe.skipIf(isOnTheCloud)("a core of another program", () => {
  const prefix = `foreign${process.env.VITEST_POOL_ID}_`;
  const admin = new SolrAdmin({ ...testEndpoint(), prefix });
  afterEach(async () => {
    for (const core of Object.keys(await coresOf(admin)))
      await admin.command("admin/cores", { action: "UNLOAD", core, deleteInstanceDir: "true" });
  });

  it.each([
    ["files", ["solr", "setup"]],
    ["files", ["solr", "upgrade"]],
    ["files", ["index", "-"]],
    ["state", ["solr", "setup"]],
  ])("named `%s` stops `%j` with the setting that keeps both apart", async (name, command) => {
    const configSet = name === "files" ? "state" : "configset";
    await admin.command("admin/cores", { action: "CREATE", name, configSet });
    const settings = { ...testSolrSettings(), SOLR_COLLECTION_PREFIX: prefix };
    const { status, stderr } = await runHere(command, { settings, input: '{"file":"/a.nc"}' });
    expect(stderr).toMatch(
      new RegExp(`${name} of Solr at \\S+ was made by another program; .*SOLR_COLLECTION_PREFIX`),
    );
    expect(status).toBe(1);
  });
});
