/** When a request is asked of another node: the rules, against small servers that refuse, break, hang or say 503. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { SolrTimeout, SolrUnavailable } from "../../../src/index/errors.js";
import { SolrHttp, type SolrRequest, VersionConflict } from "../../../src/index/transport/http.js";
import { reachable } from "../../../src/index/transport/reachable.js";
import { expectBelow } from "../../support/run/bounds.js";

type Behave = (outgoing: ServerResponse, incoming: IncomingMessage) => void;

interface TestNode {
  readonly url: URL;
  /** The paths it was asked for, but for its health. */
  readonly asked: string[];
  /** How it answers from now on. */
  behave: Behave;
  /** How it answers for its health. */
  health: Behave;
  end(): Promise<void>;
}

const WELL: Behave = (outgoing) => void outgoing.end("well");
const HANGS: Behave = () => {};
const BREAKS_BEFORE: Behave = (outgoing) => void outgoing.destroy();
const BREAKS_AFTER: Behave = (outgoing) => {
  outgoing.writeHead(200, { "content-length": "100" });
  outgoing.write("a part of an an");
  setTimeout(() => outgoing.destroy(), 50);
};
const says =
  (status: number, msg = "as it is"): Behave =>
  (outgoing) =>
    void outgoing.writeHead(status).end(JSON.stringify({ error: { msg } }));

const open: TestNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.end()));
});

async function node(behave: Behave = WELL): Promise<TestNode> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "").replace(/^\/solr\//, "");
    if (path.startsWith("admin/info/health")) return one.health(outgoing, incoming);
    asked.push(path);
    incoming.resume().on("end", () => one.behave(outgoing, incoming));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/solr`);
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const one: TestNode = { url, asked, behave, health: WELL, end };
  open.push(one);
  return one;
}

/** Of several nodes, the first of which is asked first. */
function clientOf([first, ...others]: readonly TestNode[], timeoutMs = 5000): SolrHttp {
  if (first === undefined) throw new Error("no node");
  const last = others.at(-1) ?? first;
  const urls = [last.url, ...[first, ...others].slice(0, -1).map(({ url }) => url)];
  return new SolrHttp({ urls: urls as [URL, ...URL[]] }, timeoutMs);
}

const READ: SolrRequest = { path: "files/select?q=*:*" };
const update: SolrRequest = { method: "POST", path: "files/update?wt=json", body: "[]" };
const AGAIN: SolrRequest = { ...update, idempotent: true };

async function timed<T>(work: Promise<T>): Promise<{ result: T | Error; took: number }> {
  const begin = performance.now();
  const result = await work.catch((error: Error) => error);
  return { result, took: performance.now() - begin };
}

const text = async (http: SolrHttp, request: SolrRequest): Promise<string> => {
  let all = "";
  for await (const piece of http.stream(request)) all += Buffer.from(piece).toString("utf8");
  return all;
};

describe("a reading request", () => {
  it.each([
    ["breaks before its answer", BREAKS_BEFORE],
    ["breaks in its answer", BREAKS_AFTER],
    ["says 503", says(503)],
    ["says 502", says(502)],
    ["fails", says(500)],
    ["has no servers for a shard", says(500, "no servers hosting shard: shard1")],
    ["does not know the collection", says(404)],
  ])("goes to another node if the first %s", { tags: ["slow"] }, async (_, behave) => {
    const nodes = [await node(behave), await node()];
    const { result, took } = await timed(clientOf(nodes).send(READ));
    expect(result).toMatchObject({ status: 200, text: "well" });
    expectBelow(took, 1000);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 1]);
  });

  it("goes to another node if the first is not there, which then comes last", async () => {
    const nodes = [await node(), await node(), await node()] as const;
    await nodes[0].end();
    const http = clientOf(nodes);
    for (let i = 0; i < 12; i++) expect((await http.send(READ)).text).toBe("well");
    expect(nodes.map(({ asked }) => asked.length)[0]).toBe(0);
    // Replicas at the node that is down are not to be asked, either.
    const last = new URLSearchParams(nodes[1].asked.at(-1)?.split("?")[1]);
    expect(last.get("shards.preference")).toContain(`replica.location:${nodes[1].url}`);
    expect(last.get("shards.preference")).not.toContain(nodes[0].url.host);
  });

  it.each([
    [400, "SolrRefused"],
    [401, "SolrUnavailable"],
    [409, "Error"],
  ])("goes to no other node after %i", async (status) => {
    const nodes = [await node(says(status)), await node()];
    await expect(clientOf(nodes).send(READ)).rejects.toThrow(`HTTP ${status}`);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 0]);
  });

  it("waits a little if no node answers, and fails within two seconds", {
    tags: ["slow"],
  }, async () => {
    const nodes = [await node(says(503)), await node(says(503))];
    const { result, took } = await timed(clientOf(nodes).send(READ));
    expect(result).toBeInstanceOf(SolrUnavailable);
    expect(took).toBeGreaterThan(500);
    expectBelow(took, 3000);
    for (const { asked } of nodes) expect(asked.length).toBeLessThan(10);
  });

  it("is answered once a node comes back", async () => {
    const nodes = [await node(says(503)), await node(says(503))] as const;
    setTimeout(() => {
      nodes[1].behave = WELL;
    }, 300);
    expect((await clientOf(nodes).send(READ)).text).toBe("well");
  });

  it("is not repeated again and again if it fails everywhere", async () => {
    const nodes = [await node(BREAKS_AFTER), await node(BREAKS_AFTER)];
    await expect(clientOf(nodes).send(READ)).rejects.toBeInstanceOf(SolrUnavailable);
    expect(nodes.reduce((sum, { asked }) => sum + asked.length, 0)).toBeLessThanOrEqual(3);
  });

  it("has its deadline over all attempts", { tags: ["slow"] }, async () => {
    const nodes = [await node(says(503)), await node(HANGS)];
    const { result, took } = await timed(clientOf(nodes, 700).send(READ));
    expect(result).toBeInstanceOf(SolrTimeout);
    expectBelow(took, 1500);
  });

  it("ends with its caller", { tags: ["slow"] }, async () => {
    const nodes = [await node(says(503)), await node(says(503))];
    const signal = AbortSignal.timeout(150);
    const { took } = await timed(clientOf(nodes).send({ ...READ, signal }));
    expectBelow(took, 600);
  });

  it("waits for a node that is slow, but alive", async () => {
    const slow: Behave = (outgoing) => void setTimeout(() => outgoing.end("well"), 3500);
    const nodes = [await node(slow), await node()];
    expect((await clientOf(nodes).send(READ)).text).toBe("well");
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 0]);
  });

  it("leaves a node that hangs after a few seconds, also one that another may wait for", {
    tags: ["slow"],
  }, async () => {
    const nodes = [await node(HANGS), await node(HANGS), await node()] as const;
    nodes[1].health = HANGS;
    const { result, took } = await timed(clientOf(nodes, 20_000).send(READ));
    expect(result).toMatchObject({ text: "well" });
    expectBelow(took, 9000);
  });
});

describe("a stream", () => {
  it("starts at another node if it cannot start at one", async () => {
    for (const behave of [BREAKS_BEFORE, says(503), says(500)]) {
      expect(await text(clientOf([await node(behave), await node()]), READ)).toBe("well");
    }
  });

  it("is never continued here once it has begun", async () => {
    const nodes = [await node(BREAKS_AFTER), await node()];
    await expect(text(clientOf(nodes), READ)).rejects.toBeInstanceOf(SolrUnavailable);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 0]);
  });
});

describe("a writing request", () => {
  it.each([BREAKS_BEFORE, BREAKS_AFTER, says(503), says(500)])(
    "is sent once, unless it is idempotent (%#)",
    async (behave) => {
      const once = [await node(behave), await node()];
      await expect(clientOf(once).send(update)).rejects.toBeInstanceOf(SolrUnavailable);
      expect(once.map(({ asked }) => asked.length)).toEqual([1, 0]);
      const twice = [await node(behave), await node()];
      expect((await clientOf(twice).send(AGAIN)).text).toBe("well");
    },
  );

  it("goes to another node if nothing of it was sent", async () => {
    const nodes = [await node(), await node()] as const;
    await nodes[0].end();
    expect((await clientOf(nodes).send(update)).text).toBe("well");
    expect(nodes[1].asked).toEqual([update.path]);
  });

  it("goes to no other node after a conflict", async () => {
    const nodes = [await node(says(409)), await node()];
    await expect(clientOf(nodes).send(AGAIN)).rejects.toBeInstanceOf(VersionConflict);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 0]);
  });

  it("waits for a new leader within its deadline", async () => {
    const nodes = [await node(says(503)), await node(says(503))] as const;
    setTimeout(() => {
      for (const one of nodes) one.behave = WELL;
    }, 2500);
    expect((await clientOf(nodes, 20_000).send(AGAIN)).text).toBe("well");
  });
});

describe("a single node", () => {
  it("gets each request once, unchanged, and none for its health", { tags: ["slow"] }, async () => {
    const one = await node(says(503));
    let health = 0;
    one.health = (outgoing) => {
      health += 1;
      outgoing.end();
    };
    const http = clientOf([one]);
    const { took } = await timed(http.send(READ));
    await expect(http.send(AGAIN)).rejects.toBeInstanceOf(SolrUnavailable);
    expectBelow(took, 500);
    expect(one.asked).toEqual([READ.path, AGAIN.path]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await reachable({ urls: [one.url] })).toMatchObject({ urls: [one.url] });
    expect(health).toBe(0);
  });
});

describe("a living node", () => {
  it("is recognised by any answer that is no failure of the node", async () => {
    const nodes = await Promise.all([node(), node(), node(), node()]);
    const [one, two, three, four] = nodes as [TestNode, TestNode, TestNode, TestNode];
    one.health = says(503);
    two.health = says(401);
    three.health = HANGS;
    await four.end();
    const { urls } = await reachable({ urls: [one.url, two.url, three.url, four.url] });
    expect(urls).toEqual([two.url, one.url, three.url, four.url]);
  });
});
