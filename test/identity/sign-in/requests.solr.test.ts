/** Counts the requests to Solr's state that a sign-in makes. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { TooManyAttempts } from "../../../src/identity/errors.js";
import { Counters } from "../../../src/identity/sign-in/counters.js";
import { LoginLimiter } from "../../../src/identity/sign-in/login-limiter.js";
import { RefreshTokens } from "../../../src/identity/tokens/refresh-token.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import { SolrState } from "../../../src/index/state/solr-state-store.js";
import { SolrHttp, type SolrRequest } from "../../../src/index/transport/http.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { startService, type TestService, testEndpoint } from "../../support/service/service.js";
import { addUser, PASSWORD, post } from "../../support/service/sign-in.js";

/** A connection that records which requests run at the same time: a wave begins when none is open. */
class Counted extends SolrHttp {
  requests = 0;
  waves = 0;
  #open = 0;

  override async send(request: SolrRequest) {
    this.requests += 1;
    if (this.#open === 0) this.waves += 1;
    this.#open += 1;
    try {
      return await super.send(request);
    } finally {
      this.#open -= 1;
    }
  }

  /** The requests and waves of some work. */
  async during(work: () => Promise<unknown>) {
    this.requests = 0;
    this.waves = 0;
    await work();
    return { requests: this.requests, waves: this.waves };
  }
}

/** A connection to a Solr that deletes an entry when it is read. */
class Sweeping extends SolrHttp {
  swept: string | undefined;

  override async send(request: SolrRequest) {
    const { swept } = this;
    if (swept !== undefined && request.path.startsWith("state/get")) {
      this.swept = undefined;
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ delete: [swept] });
      await super.send({ method: "POST", path: "state/update", headers, body });
    }
    return super.send(request);
  }
}

const LIMITS = { perUser: 3, perAddress: 6, window: 300 };
const session = { sub: "x", clientId: "x", scope: "x", signedIn: Date.now() };
const counted = () => new Counted(testEndpoint(), 20_000);

/** Signs in with a right password, as the token endpoint does. */
function signingIn(http: SolrHttp) {
  const state = new SolrState(http);
  const limiter = new LoginLimiter(state, LIMITS);
  const tokens = new RefreshTokens(state, 3600);
  const site: string = randomUUID();
  const name: string = randomUUID();
  return (check: () => Promise<string | undefined> = async () => "in") =>
    limiter.guard(name, site, check, {
      // An account in the store.
      isCounted: async () => void (await state.read(`user:${name}`)),
      isGivenBack: () => tokens.start(session),
    });
}

describe("a sign-in with the right password", () => {
  it.skipIf(isOnTheCloud)(
    "takes three requests to Solr in two waves, the first time and later",
    async () => {
      const http = counted();
      const signIn = signingIn(http);
      for (let n = 0; n < 5; n += 1) {
        expect(await http.during(() => signIn())).toEqual({ requests: 3, waves: 2 });
      }
    },
  );

  it.skipIf(isOnTheCloud)("takes as many after a failed one, which takes one wave", async () => {
    const http = counted();
    const signIn = signingIn(http);
    expect(await http.during(() => signIn(async () => undefined))).toEqual({
      requests: 2,
      waves: 1,
    });
    expect(await http.during(() => signIn())).toEqual({ requests: 3, waves: 2 });
  });

  it("leaves the counters of the store at 0", async () => {
    const [http, other] = [counted(), new SolrState(counted())];
    const [name, site]: string[] = [randomUUID(), randomUUID()];
    const written: string[] = [];
    const state = new SolrState(http);
    const write = state.write.bind(state);
    state.write = (id, ...more) => {
      written.push(id);
      return write(id, ...more);
    };
    await new LoginLimiter(state, LIMITS).guard(name ?? "", site ?? "", async () => "in");
    const entries = await other.readAll([...new Set(written)]);
    expect([...entries.values()].map(({ value }) => value)).toEqual(
      Array.from({ length: 3 }, () => ({ attempts: 0 })),
    );
  });
});

describe("a write that shares its request", () => {
  it("is refused alone if its entry has another version", async () => {
    const state = new SolrState(counted());
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const entry = (n: number) => ({
      kind: "test",
      value: { n },
      expires: Date.now() + 60_000,
    });
    // Two exist already.
    await Promise.all([1, 4].map((n) => state.overwrite(ids[n] ?? "", entry(100 + n))));
    const results = await Promise.all(ids.map((id, n) => state.write(id, entry(n), undefined)));
    expect(results.map(({ isWritten }) => isWritten)).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
    const stored = await state.readAll(ids);
    const values = ids.map((id) => stored.get(id)?.value);
    expect(values).toEqual([0, 101, 2, 3, 104, 5].map((n) => ({ n })));
    // Each answer has the version that the entry has now, unless a conflict beside it hides that.
    for (const [n, { isWritten, entry: now }] of results.entries()) {
      if (!isWritten || now) expect(now?.version).toBe(stored.get(ids[n] ?? "")?.version);
    }
  });

  it("succeeds for one of several writers also if its value is a list, which holds no id", async () => {
    const state = new SolrState(counted());
    const id = randomUUID();
    const entry = (n: number) => ({ kind: "test", value: [n], expires: Date.now() + 60_000 });
    const first = await Promise.all([1, 2, 3].map((n) => state.write(id, entry(n), undefined)));
    expect(first.filter(({ isWritten }) => isWritten)).toHaveLength(1);
    const stored = await state.read(id);
    const next = await Promise.all([4, 5, 6].map((n) => state.write(id, entry(n), stored)));
    expect(next.filter(({ isWritten }) => isWritten)).toHaveLength(1);
    const winner = 4 + next.findIndex(({ isWritten }) => isWritten);
    expect((await state.read(id))?.value).toEqual([winner]);
  });

  it("is known to be stored if its entry changes again before a conflict beside it is looked at", async () => {
    const http = counted();
    const [state, other] = [new SolrState(http), new SolrState(counted())];
    const [free, taken] = [randomUUID(), randomUUID()];
    const entry = (n: number) => ({ kind: "test", value: { n }, expires: Date.now() + 60_000 });
    await other.overwrite(taken, entry(0));
    const send = http.send.bind(http);
    http.send = async (request) => {
      if (/\/get\b/.test(request.path)) await other.overwrite(free, entry(2));
      return send(request);
    };
    const results = await Promise.all(
      [free, taken].map((id) => state.write(id, entry(1), undefined)),
    );
    expect(results.map(({ isWritten }) => isWritten)).toEqual([true, false]);
    expect((await other.read(free))?.value).toEqual({ n: 2 });
  });

  it("is refused for now if a replica still shows the entry that the leader has replaced", async () => {
    const http = counted();
    const [state, other] = [new SolrState(http), new SolrState(counted())];
    const id = randomUUID();
    const entry = (n: number) => ({ kind: "test", value: { n }, expires: Date.now() + 60_000 });
    await other.overwrite(id, entry(0));
    const send = http.send.bind(http);
    let former: ReturnType<typeof send> | undefined;
    http.send = async (request) => {
      if (!/\/get\b/.test(request.path)) return send(request);
      former ??= send(request);
      return former;
    };
    const read = await state.read(id);
    await other.overwrite(id, entry(1));
    await expect(state.write(id, entry(2), read)).rejects.toBeInstanceOf(SolrUnavailable);
    expect((await other.read(id))?.value).toEqual({ n: 1 });
  });

  it("replaces an expired entry that Solr has not deleted yet", async () => {
    const state = new SolrState(counted());
    const [old, fresh] = [randomUUID(), randomUUID()];
    await state.overwrite(old, { kind: "test", value: { n: 1 }, expires: Date.now() + 5 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    const entry = { kind: "test", value: { n: 2 }, expires: Date.now() + 60_000 };
    const results = await Promise.all([old, fresh].map((id) => state.write(id, entry, undefined)));
    expect(results.map(({ isWritten }) => isWritten)).toEqual([true, true]);
    expect((await state.read(old))?.value).toEqual({ n: 2 });
  });

  it("is stored if Solr deletes the expired entry while the service looks at it", async () => {
    const http = new Sweeping(testEndpoint(), 20_000);
    const state = new SolrState(http);
    const id = randomUUID();
    await state.overwrite(id, { kind: "test", value: { n: 1 }, expires: Date.now() + 5 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    http.swept = id;
    const entry = { kind: "test", value: { n: 2 }, expires: Date.now() + 60_000 };
    expect((await state.write(id, entry, undefined)).isWritten).toBe(true);
    // Solr's own deletion, every 30 s, may have come first: then nothing was looked at.
    http.swept = undefined;
    expect((await state.read(id))?.value).toEqual({ n: 2 });
  });
});

describe("attempts on several instances at once", () => {
  it("are counted one by one, also with counters that another instance has changed", async () => {
    const states = [new SolrState(counted()), new SolrState(counted())];
    const limits = { ...LIMITS, perAddress: 1000 };
    const instances = states.map((state) => new LoginLimiter(state, limits));
    for (let round = 0; round < 5; round += 1) {
      const [name, site]: string[] = [randomUUID(), randomUUID()];
      let checked = 0;
      const all = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          instances[n % 2]?.guard(name ?? "", site ?? "", async () => {
            checked += 1;
            return undefined;
          }),
        ),
      );
      expect(checked).toBe(LIMITS.perUser);
      const refused = all.filter(
        (one) => one.status === "rejected" && one.reason instanceof TooManyAttempts,
      );
      expect(refused).toHaveLength(12 - LIMITS.perUser);
    }
  });

  it("change a counter as often as they say, in any order", async () => {
    const counters = [0, 1, 2].map(() => new Counters(new SolrState(counted()), 300, Date.now));
    const ids = [randomUUID(), randomUUID()];
    const changes = Array.from({ length: 90 }, (_, n) => ({ n, id: ids[n % 2] ?? "" }));
    await Promise.all(
      changes.map(({ n, id }) => counters[n % 3]?.change(id, (attempts) => attempts + 1)),
    );
    for (const id of ids) {
      const numbers = await Promise.all(counters.map((one) => one.change(id, (n) => n)));
      expect(numbers).toEqual([45, 45, 45]);
    }
  });
});

describe("the token endpoint", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    return () => service.close();
  });

  it.skipIf(isOnTheCloud)(
    "makes two requests to Solr's state for a right password, with accounts in files",
    async () => {
      const { name } = await addUser(service.dataDir);
      const signIn = async (): Promise<void> => {
        expect((await post(service, { username: name, password: PASSWORD })).status).toBe(200);
      };
      // Other tests have counted attempts from this address.
      await signIn();
      let calls = 0;
      service.solr.http.onCall = ({ what }) => {
        if (what === "state") calls += 1;
      };
      await signIn();
      // The copy of the state may be renewed in between.
      expect([2, 3]).toContain(calls);
    },
  );
});
