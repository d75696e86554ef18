/** Refresh tokens: one successor, reuse ends the family, on any instance and through any failure. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../generated/schemas.js";
import { familyHash, newFamily, RefreshTokens } from "../../src/identity/tokens/refresh-token.js";
import { SolrUnavailable } from "../../src/index/errors.js";
import type { StateEntry, StateStore, StoredEntry } from "../../src/index/state/state-store.js";
import type { SolrEndpoint } from "../../src/index/transport/endpoint.js";
import { freshFolder } from "../support/run/folders.js";
import { attempts, tried } from "../support/run/trials.js";
import { startService, type TestService, testEndpoint } from "../support/service/service.js";
import { addUser, post, problem, refresh, signIn, status } from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";

const BASE = "https://data.example.org";
const dataDir = freshFolder();
const one = useService({ dataDir, baseUrl: BASE });
const two = useService({ dataDir, baseUrl: BASE });
let name: string;
beforeAll(async () => {
  ({ name } = await addUser(dataDir));
});

const next = async (service: TestService, token: string): Promise<Token> => {
  const response = await refresh(service, token);
  expect(response.status).toBe(200);
  return (await response.json()) as Token;
};

describe("a refresh token", () => {
  it("gets a new pair of the original scope, by either spelling of the parameter", async () => {
    const first = await signIn(one, name, { scope: "email" });
    const second = await next(one, first.refresh_token);
    expect(second.scope).toBe("email");
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    const refreshed = { "refresh-token": second.refresh_token, grant_type: "refresh_token" };
    const form = { ...refreshed, username: "", password: "" };
    const third = await post(one, form);
    expect(third.status).toBe(200);
    expect((await status(one, ((await third.json()) as Token).access_token)).status).toBe(200);
  });

  it("is no access token, and no access token is one", async () => {
    const token = await signIn(one, name);
    expect((await status(one, token.refresh_token)).status).toBe(401);
    expect((await refresh(one, token.access_token)).status).toBe(401);
  });

  it("is 401 if it was mistyped or cut, and does not harm the right one", async () => {
    const { refresh_token: token } = await signIn(one, name);
    const flip = (at: number) =>
      `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    const cut = [token.slice(1), token.slice(0, -1), `${token}A`, ` ${token}`, "x"];
    for (const wrong of [...cut, `xnr_${token.slice(4)}`, flip(5), flip(40), flip(70)]) {
      const response = await refresh(one, wrong);
      expect(response.status).toBe(401);
      expect(await problem(response)).toMatchObject({ error: "invalid_grant" });
    }
    await next(one, token);
  });

  it("is stored only as a hash", async () => {
    const token = await signIn(one, name);
    const { text } = await one.solr.http.send({ path: "state/select?q=*:*&rows=10000" });
    const secrets = [token.refresh_token, token.access_token];
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(secret.slice(-40));
    }
  });

  it("expires", async () => {
    let now = Date.now();
    const tokens = new RefreshTokens(one.solr.state, 1, () => now);
    const session = { sub: "x", clientId: "x", scope: "x", signedIn: now };
    const { token } = await tokens.start(session);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    now += 1100;
    await expect(tokens.rotate(token, now, async () => true)).rejects.toThrow(/not valid/);
  });
});

describe("replays", () => {
  const ROUNDS = attempts(5, 50);

  it("end all of their families", async () => {
    const user = await addUser(dataDir);
    const tokens = new RefreshTokens(one.solr.state, 3600);
    const replay = async (): Promise<boolean> => {
      // As a sign-in does, without 200 times the work of a password hash.
      const client = { clientId: "climate-nextgen", scope: "profile", signedIn: Date.now() };
      const { token: first } = await tokens.start({ sub: user.sub, ...client });
      const second = await next(one, first);
      const replayed = await refresh(two, first);
      const ended = await refresh(one, second.refresh_token);
      return replayed.status === 401 && ended.status === 401;
    };
    let families = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = await Promise.all(Array.from({ length: 20 }, replay));
      families += all.filter(Boolean).length;
    }
    tried(20 * ROUNDS, families);
    expect(families).toBe(20 * ROUNDS);
  });

  it("end the family through HTTP, whatever their generation", async () => {
    const chain = [(await signIn(one, name)).refresh_token];
    for (let i = 0; i < 3; i += 1) {
      chain.push((await next(i % 2 ? one : two, chain.at(-1) ?? "")).refresh_token);
    }
    expect((await refresh(two, chain[0] ?? "")).status).toBe(401);
    for (const token of chain.reverse()) expect((await refresh(one, token)).status).toBe(401);
  });
});

describe("50 parallel refreshes", () => {
  it("make one successor on two instances", async () => {
    const { refresh_token: token } = await signIn(one, name);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => refresh(i % 2 ? one : two, token)),
    );
    const statuses = answers.map((answer) => answer.status);
    tried(50);
    expect(statuses.filter((code) => code === 200)).toHaveLength(1);
    expect(statuses.filter((code) => code === 401)).toHaveLength(49);
  });

  it.each([1, 2, 3])("leave a living successor if they arrive together (%d)", async () => {
    // On a busy machine, requests that are sent together arrive later than what counts as together.
    const arrived = Date.now();
    const instances = [one, two].map(({ solr }) => new RefreshTokens(solr.state, 3600));
    const session = { sub: "x", clientId: "x", scope: "x", signedIn: arrived };
    const { token } = (await instances[0]?.start(session)) ?? {};
    const rotate = (of: RefreshTokens | undefined, old = "") =>
      of?.rotate(old, arrived, async () => true).catch(() => undefined);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) => rotate(instances[i % 2], token)),
    );
    const made = all.flatMap((one) => one ?? []);
    tried(50);
    expect(made).toHaveLength(1);
    expect(await rotate(instances[0], made[0]?.next.token)).toBeDefined();
  });
});

/** A store whose first read gives what a replica that is behind still has. */
class Behind implements StateStore {
  #former: StoredEntry | undefined;
  constructor(
    private readonly store: StateStore,
    former: StoredEntry | undefined,
  ) {
    this.#former = former;
  }

  read = async (id: string) => {
    const former = this.#former;
    this.#former = undefined;
    return former ?? this.store.read(id);
  };
  write = (id: string, entry: StateEntry, previous: StoredEntry | undefined) =>
    this.store.write(id, entry, previous);
  overwrite = (id: string, entry: StateEntry) => this.store.overwrite(id, entry);
  readAll = (ids: readonly string[]) => this.store.readAll(ids);
  list = (kinds: readonly string[]) => this.store.list(kinds);
}

describe("a replica that is behind", () => {
  const start = async () => {
    const { state } = one.solr;
    const sound = new RefreshTokens(state, 3600);
    const session = { sub: "x", clientId: "x", scope: "x", signedIn: Date.now() };
    const family = newFamily();
    const { token } = await sound.start(session, family);
    const former = await state.read(`family:${familyHash(family)}`);
    expect(former).toBeDefined();
    const { next } = await sound.rotate(token, Date.now(), async () => true);
    return { sound, late: new RefreshTokens(new Behind(state, former), 3600), first: token, next };
  };

  it("does not make an earlier token of the newest one, which would end its family", async () => {
    const { sound, late, next } = await start();
    const again = await late.rotate(next.token, Date.now() + 1000, async () => true);
    expect(await sound.look(again.next.token)).toBeDefined();
  });

  it("does not make the newest token of an earlier one, and a sign-out ends the family", async () => {
    const { sound, late, first, next } = await start();
    await expect(late.rotate(first, Date.now(), async () => true)).rejects.toThrow(/not valid/);
    expect(await sound.look(next.token)).toBeDefined();
    const out = await start();
    expect(await out.late.revoke(out.next.token, () => {})).toBeDefined();
    expect(await out.sound.look(out.next.token)).toBeUndefined();
  });
});

/** A store that fails at one of its operations, before or after it took effect, as when a process is killed. */
class Breaking implements StateStore {
  #left: number;
  constructor(
    private readonly store: StateStore,
    operation: number,
    private readonly after: boolean,
  ) {
    this.#left = operation;
  }

  async #pass<T>(work: () => Promise<T>): Promise<T> {
    this.#left -= 1;
    if (this.#left < 0) throw new SolrUnavailable("killed before");
    if (this.#left > 0 || !this.after) return work();
    await work();
    throw new SolrUnavailable("killed");
  }

  read = (id: string) => this.#pass(() => this.store.read(id));
  write = (id: string, entry: StateEntry, previous: StoredEntry | undefined) =>
    this.#pass(() => this.store.write(id, entry, previous));
  overwrite = (id: string, entry: StateEntry) => this.#pass(() => this.store.overwrite(id, entry));
  readAll = (ids: readonly string[]) => this.store.readAll(ids);
  list = (kinds: readonly string[]) => this.store.list(kinds);
}

describe("a process killed between any two steps of a refresh", () => {
  const session = { sub: "x", clientId: "x", scope: "x", signedIn: Date.now() };
  const alive = async (tokens: RefreshTokens, list: readonly string[]): Promise<string[]> => {
    const looks = await Promise.all(list.map((token) => tokens.look(token)));
    return list.filter((_, index) => looks[index] !== undefined);
  };

  it.each(
    [0, 1, 2, 3].flatMap((operation) => [
      [operation, false],
      [operation, true],
    ]) as [number, boolean][],
  )(
    "leaves the client able to retry or gets it 401, and at most one live token (%d, %s)",
    async (operation, after) => {
      const sound = new RefreshTokens(one.solr.state, 3600);
      const { token } = await sound.start(session);
      const broken = new RefreshTokens(new Breaking(one.solr.state, operation, after), 3600);
      const killed = await broken
        .rotate(token, Date.now(), async () => true)
        .catch(() => undefined);
      const known = [token, ...(killed ? [killed.next.token] : [])];
      expect((await alive(sound, known)).length).toBeLessThanOrEqual(1);
      await new Promise((resolve) => setTimeout(resolve, 350));
      const retried = await sound
        .rotate(known.at(-1) ?? "", Date.now(), async () => true)
        .catch((error) => {
          expect(error.name).toBe("InvalidGrant");
        });
      const all = [...known, ...(retried ? [retried.next.token] : [])];
      expect((await alive(sound, all)).length).toBe(retried ? 1 : 0);
    },
  );
});

describe("the token endpoint while Solr is away", () => {
  it("is 503, and access tokens are still verified", async () => {
    const { access_token: token, refresh_token: again } = await signIn(one, name);
    const nowhere = new URL("http://127.0.0.1:9/solr");
    const endpoint: SolrEndpoint = { ...testEndpoint(), urls: [nowhere] };
    const alone = await startService({ dataDir, baseUrl: BASE, endpoint });
    expect((await status(alone, token)).status).toBe(200);
    for (const form of [{ refresh_token: again }, { username: name, password: "x" }]) {
      const response = await post(alone, form as Record<string, string>);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await alone.close();
    await next(one, again);
  });
});

describe("the state", () => {
  it("deletes expired records by itself", async () => {
    const { state, http } = one.solr;
    const entry = { kind: "test", value: {} };
    await state.overwrite("short", { ...entry, expires: Date.now() + 60_000 });
    expect(await state.read("short")).toBeDefined();
    await state.overwrite("short", { ...entry, expires: Date.now() + 500 });
    await expect
      .poll(async () => (await http.send({ path: "state/get?id=short" })).text, { interval: 500 })
      .toMatch(/"doc":\s*null/);
    expect(await state.read("short")).toBeUndefined();
  });

  it("lets exactly one of many writers of a version succeed", async () => {
    const { state } = one.solr;
    const entry = { kind: "test", value: {}, expires: Date.now() + 60_000 };
    const id = crypto.randomUUID();
    const made = await Promise.all(
      Array.from({ length: 20 }, () => state.write(id, entry, undefined)),
    );
    expect(made.filter(({ isWritten }) => isWritten)).toHaveLength(1);
    const read = await state.read(id);
    const changed = await Promise.all(
      Array.from({ length: 20 }, () => state.write(id, entry, read)),
    );
    expect(changed.filter(({ isWritten }) => isWritten)).toHaveLength(1);
  });
});
