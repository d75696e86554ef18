/** Own flavours, attacked: by names, by crowds, by races, through others' eyes, and while Solr is gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Users } from "../../../src/identity/accounts/users.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import type { StateStore } from "../../../src/index/state/state-store.js";
import { attempts } from "../../support/run/trials.js";
import { flavours, makeFlavour, removeGlobal } from "../../support/service/flavours.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { type Person, person } from "../../support/service/user-data.js";

const BASE = "https://data.example.org";

let reads = 0;
let isAway = false;
/** Writes of flavours until the store is away. */
let writesLeft = Number.POSITIVE_INFINITY;

/** The real store, with an eye on what is read of flavours, and a switch. */
const watched = (store: StateStore): StateStore => {
  const guard = (): void => {
    if (isAway) throw new SolrUnavailable("switched off");
  };
  return {
    read: async (id, signal) => {
      if (id.startsWith("flavours:")) {
        reads += 1;
        guard();
      }
      return store.read(id, signal);
    },
    write: async (id, entry, previous) => {
      guard();
      writesLeft -= id.startsWith("flavours:") ? 1 : 0;
      if (writesLeft < 0) throw new SolrUnavailable("switched off");
      return store.write(id, entry, previous);
    },
    overwrite: (id, entry) => store.overwrite(id, entry),
    readAll: (ids) => store.readAll(ids),
    list: async (kinds, since) => {
      if (kinds.includes("flavours")) guard();
      return store.list(kinds, since);
    },
  };
};

const service = useService({ baseUrl: BASE, documents: [{ file: "/a.nc", model: "M1" }] });
const bob = usePerson(service);
const ada = usePerson(service);
const admin = usePerson(service);
/** Another instance over the same Solr, whose store is watched, and can be away. */
const other = useService(() => ({ baseUrl: BASE, dataDir: service.dataDir, store: watched }));
beforeAll(() => new Users(service.dataDir).setAdministrator(admin.name, true));
afterAll(async () => {
  await new Users(service.dataDir).setAdministrator(admin.name, true);
  await removeGlobal(service, admin);
});

const search = async (name: string, who?: Person, at = service, query = "") => {
  const path = `/databrowser/data-search/${name}/file${query}`;
  const response = await at.get(path, who && bearer(who.token));
  return { status: response.status, text: await response.text() };
};

describe("names", () => {
  it.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "prototype",
    "valueOf",
    "then",
    "cmip6%00",
    "CMIP6",
    "cmip%36%20",
    "%F0%9F%8C%8D",
    "cmi\u0440%d1%80",
    "..%2Fcmip6",
    "%2e%2e",
    "x".repeat(2000),
    "native%0d%0aX-Y:1",
    "a%2Fb",
    "\u202ecmip6",
    "%E2%80%AEcmip6",
  ])("refuse a flavour of nobody, with nothing else in the log: %s", async (name) => {
    const before = service.log.length;
    const { status } = await search(name);
    expect([404, 422]).toContain(status);
    for (const line of service.log.slice(before)) {
      expect(JSON.parse(line).level, line).toBeLessThanOrEqual(30);
    }
  });

  it("may be those of any object's properties", async () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "valueOf", "then"]) {
      await makeFlavour(service, ada, name, { model: name, variable: "isPrototypeOf" });
      const found = await search(name, ada, service, `?${name}=m1`);
      expect(found).toEqual({ status: 200, text: "/a.nc\n" });
      const overview = await service.get("/databrowser/overview", bearer(ada.token));
      const { attributes } = (await overview.json()) as { attributes: Record<string, string[]> };
      expect(Object.keys(attributes)).toContain(name);
      expect(attributes[name]).toContain(name);
      const counts = await service.get(
        `/databrowser/metadata-search/${name}/file?facets=${name}`,
        bearer(ada.token),
      );
      const { facets } = (await counts.json()) as { facets: Record<string, string[]> };
      expect(Object.entries(facets)).toEqual([[name, ["m1", "1"]]]);
    }
  });

  it.each([
    '{"flavour_name":"p","mapping":{"__proto__":"x"}}',
    '{"flavour_name":"p","mapping":{},"__proto__":{"is_global":true}}',
    '{"flavour_name":"p","mapping":{"constructor":"x"}}',
    '{"flavour_name":"p","mapping":{"model":"__proto__"}}',
    '{"flavour_name":"p","mapping":{"model":["x"]}}',
    '{"flavour_name":"p","mapping":[]}',
    '{"flavour_name":["p"],"mapping":{}}',
    '{"flavour_name":"p","mapping":{},"owner":"bob"}',
    `{"flavour_name":"p","mapping":{"model":${JSON.stringify("x".repeat(50_000))}}}`,
    `{"flavour_name":"p","mapping":{${Array.from({ length: 200 }, (_, i) => `"f${i}":"x"`)}}}`,
  ])("are refused with mappings of other forms: %.60s", async (body) => {
    const response = await flavours(service, ada, "POST", body);
    expect(response.status, await response.text()).toBe(422);
    expect(({} as { is_global?: boolean }).is_global).toBeUndefined();
  });

  it("are the same if they differ only by case, - and _", async () => {
    await makeFlavour(service, ada, "twin-a", {});
    for (const name of ["Twin-A", "twin_a", "TWIN_A"]) {
      const wanted = { flavour_name: name, mapping: {} };
      expect((await flavours(service, ada, "POST", wanted)).status).toBe(409);
      expect((await search(name, ada)).status).toBe(422);
    }
  });
});

describe("a crowd", () => {
  it("costs Solr one read a second and account for names that do not exist", async () => {
    const count = attempts(300, 3000);
    reads = 0;
    const begun = performance.now();
    let most = 0;
    for (let i = 0; i < count; i += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, j) => {
          const at = performance.now();
          const { status } = await search(`made-up-${i + j}`, j % 2 ? bob : undefined, other);
          most = Math.max(most, performance.now() - at);
          expect(status).toBe(422);
        }),
      );
    }
    const seconds = (performance.now() - begun) / 1000;
    // Those for all, and those of the one account.
    expect(reads).toBeLessThanOrEqual(2 * (Math.ceil(seconds) + 1));
    expect(most).toBeLessThan(5000);
  });

  it("costs no read for searches in a known or built-in flavour", async () => {
    await makeFlavour(other, bob, "known", { model: "gcm" });
    reads = 0;
    for (let i = 0; i < 20; i++) {
      expect((await search("known", bob, other, "?gcm=m1")).text).toBe("/a.nc\n");
      expect((await search("cmip6", bob, other)).status).toBe(200);
    }
    expect(reads).toBe(0);
  });
});

describe("races", () => {
  it("have one winner for a name on two instances, and that flavour is found", async () => {
    for (let round = 0; round < attempts(5, 100); round++) {
      const name = `race-${round}`;
      const wanted = (own: string) => ({ flavour_name: name, mapping: { model: own } });
      const [one, two] = await Promise.all([
        flavours(service, ada, "POST", wanted("first")),
        flavours(other, ada, "POST", wanted("second")),
      ]);
      expect([one.status, two.status].sort()).toEqual([201, 409]);
      const own = one.status === 201 ? "first" : "second";
      const winner = one.status === 201 ? service : other;
      expect((await search(name, ada, winner, `?${own}=m1`)).text).toBe("/a.nc\n");
      const gone = await flavours(winner, ada, "DELETE", undefined, `/${name}`);
      expect(gone.status).toBe(200);
    }
  }, 300_000);

  it("stay within the account's bound for many makers", async () => {
    const many = await person(service);
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        flavours(i % 2 ? service : other, many, "POST", { flavour_name: `n${i}`, mapping: {} }),
      ),
    );
    const statuses = made.map(({ status }) => status);
    for (const status of statuses) expect([201, 422, 503]).toContain(status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(20);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
  });

  it("leave what one of the changes and deletions made", async () => {
    for (let round = 0; round < attempts(4, 50); round++) {
      const name = `put-${round}`;
      await makeFlavour(service, ada, name, { model: "before" });
      const put = { mapping: { model: "changed" } };
      const [changed, deleted] = await Promise.all([
        flavours(service, ada, "PUT", put, `/${name}`),
        flavours(other, ada, "DELETE", undefined, `/${name}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(changed.status);
      // Whichever was first, it is gone; a change never brings it back.
      const again = await flavours(service, ada, "DELETE", undefined, `/${name}`);
      expect(again.status).toBe(404);
    }
  });
});

describe("rights", () => {
  it("end at once for an administrator whose account, or whose right, is removed", async () => {
    const users = new Users(service.dataDir);
    const wanted = (name: string) => ({ flavour_name: name, mapping: {}, is_global: true });
    expect((await flavours(service, admin, "POST", wanted("right-1"))).status).toBe(201);
    await users.setAdministrator(admin.name, false);
    for (const at of [service, other]) {
      expect((await flavours(at, admin, "POST", wanted("right-2"))).status).toBe(403);
      const gone = await flavours(at, admin, "DELETE", undefined, "/right-1");
      expect(gone.status).toBe(403);
    }
    await users.setAdministrator(admin.name, true);
    expect((await flavours(service, admin, "POST", wanted("right-2"))).status).toBe(201);

    const second = await person(service);
    await users.setAdministrator(second.name, true);
    expect((await flavours(service, second, "POST", wanted("right-3"))).status).toBe(201);
    await users.disable(second.name);
    expect((await flavours(service, second, "POST", wanted("right-4"))).status).toBe(403);
    await users.remove(second.name);
    expect((await flavours(service, second, "POST", wanted("right-4"))).status).toBe(403);
    // Somebody who gets the name later is somebody else.
    const third = await person(service, second.name);
    expect((await flavours(service, third, "POST", wanted("right-4"))).status).toBe(403);
  });

  it("need a valid token, also to see one's own", async () => {
    const forged = { token: `${ada.token.slice(0, -4)}AAAA` };
    for (const [method, place] of [
      ["GET", ""],
      ["POST", ""],
      ["PUT", "/twin-a"],
      ["DELETE", "/twin-a"],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? undefined : { mapping: {} };
      expect((await flavours(service, forged, method, body, place)).status, method).toBe(401);
      if (method === "GET") continue;
      expect((await flavours(service, undefined, method, body, place)).status, method).toBe(401);
    }
    const searched = await service.get(
      "/databrowser/data-search/native/file",
      bearer(forged.token),
    );
    expect(searched.status).toBe(401);
  });

  it("end with an account: a later user of its name does not get its flavours", async () => {
    const first = await person(service);
    await makeFlavour(service, first, "inherited", {});
    await new Users(service.dataDir).remove(first.name);
    const second = await person(service, first.name);
    expect((await search("inherited", second)).status).toBe(422);
    const list = await (await flavours(service, second)).text();
    expect(list).not.toContain("inherited");
  });
});

describe("flavours while Solr is away", () => {
  it("stay known or are 503, and both are right again after it", async () => {
    await makeFlavour(other, bob, "steadfast", { model: "gcm" });
    await makeFlavour(service, bob, "elsewhere", { model: "gcm" });
    isAway = true;
    try {
      // Past the moment in which an earlier look still counts.
      await sleep(1200);
      for (let i = 0; i < 3; i++) {
        expect((await search("steadfast", bob, other, "?gcm=m1")).text).toBe("/a.nc\n");
        const overview = await other.get("/databrowser/overview", bearer(bob.token));
        expect(await overview.text()).toContain("steadfast");
        expect((await search("nobodys", undefined, other)).status).toBe(503);
        await sleep(800);
      }
      const made = await flavours(other, bob, "POST", { flavour_name: "not-now", mapping: {} });
      expect(made.status).toBe(503);
      expect((await search("cmip6", undefined, other)).status).toBe(200);
    } finally {
      isAway = false;
    }
    await sleep(1200);
    expect((await search("elsewhere", bob, other, "?gcm=m1")).text).toBe("/a.nc\n");
    expect((await search("nobodys", undefined, other)).status).toBe(422);
  });
});

describe("a flavour that becomes global", () => {
  it("is global in the end if Solr goes away in the middle and the request is repeated", async () => {
    await makeFlavour(other, admin, "half-way", { model: "gcm" });
    const share = () => flavours(other, admin, "PUT", { is_global: true }, "/half-way");
    writesLeft = 1;
    try {
      expect((await share()).status).toBe(503);
    } finally {
      writesLeft = Number.POSITIVE_INFINITY;
    }
    expect((await search("half-way", admin, other, "?gcm=m1")).text).toBe("/a.nc\n");
    expect((await search("half-way", undefined, other, "?gcm=m1")).text).toBe("/a.nc\n");
    expect((await share()).status).toBe(200);
    const list = (await (await flavours(other, admin)).json()) as {
      flavours: { flavour_name: string; owner: string }[];
    };
    const named = list.flavours.filter((one) => one.flavour_name === "half-way");
    expect(named.map(({ owner }) => owner)).toEqual(["global"]);
  });
});
