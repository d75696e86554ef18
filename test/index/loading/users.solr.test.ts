/** A load that leaves data of users to them, whenever they are registered. */
import { beforeEach, expect, it } from "vitest";
import { Loader } from "../../../src/index/loading/load.js";
import { SolrHttp, type SolrReply, type SolrRequest } from "../../../src/index/transport/http.js";
import {
  emptyIndex,
  load,
  postToSolr,
  testClient,
  testEndpoint,
} from "../../support/service/service.js";

const solr = testClient();
beforeEach(() => emptyIndex(solr));

const FILES = ["/data/a.nc", "/data/b.nc", "/data/c.nc", "/data/d.nc"];
const of = (file: string) => ({ file, project: ["p"], variable: ["tas"] });

/** A connection beside which others store documents just before the first update of a load. */
class Overtaken extends SolrHttp {
  #others: (() => Promise<unknown>) | undefined;

  constructor(others: () => Promise<unknown>) {
    super(testEndpoint(), 20_000);
    this.topology = solr.http.topology;
    this.#others = others;
  }

  override async send(request: SolrRequest): Promise<SolrReply> {
    const others = this.#others;
    if (others !== undefined && String(request.body).startsWith("[{")) {
      this.#others = undefined;
      await others();
    }
    return super.send(request);
  }
}

/** Stores a document without making it visible. */
const store = (document: object) => postToSolr(solr, [document], false);

/** The user of each file, or `public`. */
async function owners(): Promise<Readonly<Record<string, string>>> {
  const path = "files/select?q=*:*&rows=100&fl=file,user";
  const { response } = JSON.parse((await solr.http.send({ path })).text) as {
    response: { docs: { file: string; user?: string }[] };
  };
  return Object.fromEntries(response.docs.map(({ file, user = "public" }) => [file, user]));
}

async function loadBeside(others: () => Promise<unknown>) {
  const users: string[] = [];
  const loader = new Loader(new Overtaken(others), {
    onRefused: ({ reason }) => expect.unreachable(reason),
    onUsers: (file) => users.push(file),
  });
  const result = await loader.load(
    (async function* () {
      for (const [index, file] of FILES.entries()) {
        yield { text: JSON.stringify(of(file)), line: index + 1 };
      }
    })(),
  );
  return { users: users.sort(), ...result };
}

const ofAda = (file: string) => ({ ...of(file), user: "ada", owner: "local:1" });

it("leaves files that a user registers between its look and its write", async () => {
  const registering = async () => {
    await store(ofAda(FILES[0] ?? ""));
    await store(ofAda(FILES[2] ?? ""));
    // Another load was faster.
    await store(of(FILES[3] ?? ""));
  };
  const expected = {
    "/data/a.nc": "ada",
    "/data/b.nc": "public",
    "/data/c.nc": "ada",
    "/data/d.nc": "public",
  };
  const first = await loadBeside(registering);
  expect(first).toMatchObject({ users: ["/data/a.nc", "/data/c.nc"], stored: 2, refused: 0 });
  expect(await owners()).toEqual(expected);
  // Now they are found by its look.
  const second = await loadBeside(async () => {});
  expect(second).toMatchObject({ users: ["/data/a.nc", "/data/c.nc"], stored: 2, refused: 0 });
  expect(await owners()).toEqual(expected);
});

it("replaces them if it does not leave them", async () => {
  await load(solr, FILES.map(ofAda) as never);
  expect(Object.values(await owners())).toEqual(Array(4).fill("ada"));
  await load(solr, FILES.map(of));
  expect(Object.values(await owners())).toEqual(Array(4).fill("public"));
});
