/** A write to the state of a SolrCloud is on the disk of every replica before it is acknowledged. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { SolrUnavailable } from "../../../src/index/errors.js";
import { SolrState } from "../../../src/index/state/solr-state-store.js";
import { SolrHttp, type SolrReply, type SolrRequest } from "../../../src/index/transport/http.js";
import { testClient, testEndpoint } from "../../support/service/service.js";

const solr = testClient();
const entry = () => ({ kind: "test", value: { n: 1 }, expires: Date.now() + 60_000 });
const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `state:${i}:${Date.now()}:${Math.random()}`);

/** Sends commits when they are let through. */
class Held extends SolrHttp {
  commits = 0;
  #letThrough = (): void => {};
  readonly #open: Promise<void>;

  constructor(cloud: boolean) {
    super(testEndpoint(), 20_000);
    this.topology = { ...solr.http.topology, cloud };
    this.#open = new Promise((resolve) => {
      this.#letThrough = resolve;
    });
  }

  letThrough(): void {
    this.#letThrough();
  }

  override async send(request: SolrRequest): Promise<SolrReply> {
    if (!request.path.includes("commit=true")) return super.send(request);
    this.commits += 1;
    await this.#open;
    return super.send(request);
  }
}

it("writes to the state of a SolrCloud wait for a commit, which those of the same moment share", async () => {
  const http = new Held(true);
  const state = new SolrState(http);
  let acknowledged = 0;
  const ids = idsOf(20);
  const all = ids.map(async (id, at) => {
    if (at % 2 === 0) await state.overwrite(id, entry());
    else expect((await state.write(id, entry(), undefined)).isWritten).toBe(true);
    acknowledged += 1;
  });
  await expect.poll(() => http.commits).toBe(1);
  await sleep(200);
  expect(acknowledged).toBe(0);
  http.letThrough();
  await Promise.all(all);
  expect(http.commits).toBeLessThan(5);
  expect((await solr.state.readAll(ids)).size).toBe(ids.length);
});

it("a write to the state of a SolrCloud is refused if it cannot be written to disk", async () => {
  class Failing extends Held {
    override async send(request: SolrRequest): Promise<SolrReply> {
      if (request.path.includes("commit=true")) throw new SolrUnavailable("no commit");
      return super.send(request);
    }
  }
  const state = new SolrState(new Failing(true));
  const [one = "", other = ""] = idsOf(2);
  await expect(state.write(one, entry(), undefined)).rejects.toThrow(SolrUnavailable);
  await expect(state.overwrite(other, entry())).rejects.toThrow(SolrUnavailable);
});

it("a write to the state of a SolrCloud that may be lost waits for no commit", async () => {
  const http = new Held(true);
  const [id = ""] = idsOf(1);
  const passing = { ...entry(), mayBeLost: true } as const;
  expect((await new SolrState(http).write(id, passing, undefined)).isWritten).toBe(true);
  expect(http.commits).toBe(0);
});

it("a write to the state of a single Solr waits for no commit", async () => {
  const http = new Held(false);
  expect((await new SolrState(http).write(idsOf(1)[0] ?? "", entry(), undefined)).isWritten).toBe(
    true,
  );
  expect(http.commits).toBe(0);
});
