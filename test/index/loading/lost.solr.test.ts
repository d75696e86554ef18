/** Updates of which Solr stores the first document alone, as a node of SolrCloud does if the leader it forwards them to dies. */
import { beforeEach, describe, expect, it } from "vitest";
import type { SolrTopology } from "../../../src/index/collections/shards.js";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import { SolrState } from "../../../src/index/state/solr-state-store.js";
import { SolrHttp, type SolrReply, type SolrRequest } from "../../../src/index/transport/http.js";
import {
  emptyIndex,
  filesIn,
  load,
  selectPath,
  type TestDocument,
  testClient,
  testEndpoint,
} from "../../support/service/service.js";

const solr = testClient();
beforeEach(() => emptyIndex(solr));

/** Loses all but the first document of every update that is sent first, third, ... */
class Losing extends SolrHttp {
  #updates = 0;
  lost = 0;

  constructor() {
    super(testEndpoint(), 20_000);
    const { shards = {} } = solr.http.topology as Partial<SolrTopology>;
    this.topology = { cloud: true, shards };
  }

  override async send(request: SolrRequest): Promise<SolrReply> {
    const all = /\/update\b/.test(request.path) ? manyOf(String(request.body)) : [];
    if (all.length < 2) return super.send(request);
    this.#updates += 1;
    if (this.#updates % 2 === 0) return super.send(request);
    this.lost += all.length - 1;
    return super.send({
      ...request,
      body: String(request.body).replace(all.slice(1).join(""), ""),
    });
  }
}

/** The documents or keys of an update, each but the first with the comma before it. */
function manyOf(body: string): string[] {
  if (body.startsWith("[{")) return body.slice(1, -1).split(/(?=,\{")/);
  return body.startsWith('{"delete":[') ? body.slice(11, -2).split(/(?=,")/) : [];
}

const FILES = Array.from({ length: 7 }, (_, i) => `/lost/v20200101/tas_${i}.nc`);
const documents: TestDocument[] = FILES.map((file) => ({ file, project: ["lost"] }));

const stored = () => filesIn(solr, "latest");

describe("documents that Solr acknowledges and loses", () => {
  it("are found and sent again by a load, and so are their marks", async () => {
    const http = new Losing();
    await load({ http }, documents);
    expect(http.lost).toBeGreaterThan(0);
    expect(await stored()).toEqual(FILES);
    const newer = documents.map((one) => ({ ...one, file: one.file.replace("2020", "2021") }));
    await load({ http }, newer);
    expect(await stored()).toEqual(newer.map(({ file }) => file));
  });

  it("are found if they replace older entries of the same files", async () => {
    await load(solr, documents);
    const [before, http] = [Date.now(), new Losing()];
    await load({ http }, documents);
    expect(http.lost).toBeGreaterThan(0);
    const path = `${selectPath("files")}q=*:*&rows=1000&fl=updated`;
    const { text } = await solr.http.send({ path });
    const { docs } = (JSON.parse(text) as { response: { docs: { updated: string }[] } }).response;
    expect(docs).toHaveLength(FILES.length);
    for (const { updated } of docs) expect(Date.parse(updated)).toBeGreaterThanOrEqual(before);
  });

  it("are removed by the next attempt of a removal", async () => {
    await load(solr, documents);
    const http = new Losing();
    expect(await removeDocuments(http, FILES)).toBe(FILES.length);
    expect(http.lost).toBe(FILES.length - 1);
    expect(await stored()).toEqual([]);
  });
});

describe("entries of the state that are written at the same moment", () => {
  it("go to a SolrCloud one by one", async () => {
    const http = new Losing();
    const state = new SolrState(http);
    const entry = { kind: "test", value: { n: 1 }, expires: Date.now() + 60_000 };
    const ids = FILES.map((file) => `lost:${file}:${Date.now()}`);
    const written = await Promise.all(ids.map((id) => state.write(id, entry, undefined)));
    expect(written.map(({ isWritten }) => isWritten)).toEqual(ids.map(() => true));
    expect(http.lost).toBe(0);
    expect((await solr.state.readAll(ids)).size).toBe(ids.length);
  });
});
