/** What a token is worth: never longer than the setting, never again once it was revoked, and in no log. */
import { describe, expect, it } from "vitest";
import type { StateEntry, StateStore } from "../../../src/index/state/state-store.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { startService } from "../../support/service/service.js";
import { addUser, bearer, post, signIn, status } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";

const service = useService();
const ada = usePerson(service);

/** A store that lists what was written only after a while. */
class LateStore implements StateStore {
  readonly #written = new Map<string, number>();
  constructor(
    private readonly store: StateStore,
    private readonly lag: number,
  ) {}
  read(id: string) {
    return this.store.read(id);
  }
  write(id: string, entry: StateEntry, previous: Parameters<StateStore["write"]>[2]) {
    return this.store.write(id, entry, previous);
  }
  overwrite(id: string, entry: StateEntry) {
    this.#written.set(id, Date.now());
    return this.store.overwrite(id, entry);
  }
  readAll(ids: readonly string[]) {
    return this.store.readAll(ids);
  }
  async list(kinds: readonly string[]) {
    const entries = await this.store.list(kinds);
    return entries.filter(({ id }) => Date.now() - (this.#written.get(id) ?? 0) > this.lag);
  }
}

describe("a revoked token", () => {
  it(
    "is not accepted again, at whatever moment of the renewal it was revoked",
    async () => {
      const late = await startService({
        dataDir: service.dataDir,
        baseUrl: "https://data.example.org",
        store: (store) => new LateStore(store, 3000),
        auth: { limits: { perUser: 10, perAddress: 100, window: 300 } },
      });
      const { name } = await addUser(service.dataDir);
      let refresh = (await signIn(late, name)).refresh_token;
      const revoked: string[] = [];
      let again = 0;
      const look = async (): Promise<void> => {
        for (const one of revoked) {
          const response = await status(late, one);
          await response.text();
          if (response.status !== 401) again += 1;
        }
      };
      const runs = attempts(14, 1000);
      const begin = Date.now();
      for (let i = 0; i < runs; i += 1) {
        const next = await post(late, { refresh_token: refresh });
        const { access_token: one, refresh_token: newest } = (await next.json()) as {
          access_token: string;
          refresh_token: string;
        };
        refresh = newest;
        expect((await status(late, one)).status).toBe(200);
        expect((await post(late, { token: one }, {}, "revoke")).status).toBe(200);
        revoked.push(one);
        if (i % 5 === 0 || runs < 50) await look();
      }
      // One renewal more, with what it shows late.
      while (Date.now() - begin < 8000) await look();
      await look();
      tried(runs, runs - Math.min(again, runs));
      expect(again).toBe(0);
      await late.close();
    },
    patience(60_000),
  );

  it("is refused here although the store did not accept it", async () => {
    let fails = false;
    const lame = await startService({
      dataDir: service.dataDir,
      baseUrl: service.address,
      store: (store) => ({
        read: (id) => store.read(id),
        write: (...all) => store.write(...all),
        readAll: (ids) => store.readAll(ids),
        list: (kinds) => store.list(kinds),
        overwrite: (id, entry) =>
          fails && id.startsWith("revoked:")
            ? Promise.reject(new Error("no room"))
            : store.overwrite(id, entry),
      }),
    });
    const one = (await signIn(lame, (await addUser(service.dataDir)).name)).access_token;
    fails = true;
    expect((await post(lame, { token: one }, {}, "revoke")).status).toBe(500);
    expect((await status(lame, one)).status).toBe(401);
    await lame.close();
  });
});

describe("the request log", () => {
  it("shows what the contract has in a path, and nothing else of it", async () => {
    const secret = `${ada.token.split(".")[2]}`;
    const paths = [
      "/ping",
      "/databrowser/data-search/cmip6/file",
      "/data-portal/zarr/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr/tas/0.0.0",
      `/data-portal/zarr/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e.zarr/${secret}`,
      `/${secret}/ping`,
      `/auth/v2/token/${secret}`,
    ];
    for (const path of paths) await (await service.get(path, bearer(ada.token))).text();
    const log = service.log.join("");
    for (const path of paths.slice(0, 3)) expect(log).toContain(`/api/climate-nextgen${path}"`);
    expect(log).not.toContain(secret);
    expect(log).toContain("/api/climate-nextgen/.../ping");
  });
});
