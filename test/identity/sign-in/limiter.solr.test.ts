/** How often somebody may try to sign in, counted in the real store. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SignInBusy, TooManyAttempts } from "../../../src/identity/errors.js";
import { Counters } from "../../../src/identity/sign-in/counters.js";
import { LoginLimiter } from "../../../src/identity/sign-in/login-limiter.js";
import { testState } from "../../support/solr/started-solr.js";

const store = testState();
const LIMITS = { perUser: 3, perAddress: 6, window: 300 };
const wrong = async () => undefined;
const right = async () => "in";

/** A limiter at an address of its own, with a clock and with a list of what it waited for. */
function limiter(limits = LIMITS) {
  let now = Date.now();
  const waited: number[] = [];
  const site: string = randomUUID();
  const tag = randomUUID();
  const make = () =>
    new LoginLimiter(
      ...([store, limits, () => now] as const),
      async (milliseconds) => void waited.push(milliseconds),
    );
  const one = make();
  const guard = (name: string, check: (isKnown: boolean) => Promise<unknown>, address = site) =>
    one.guard(`${name} ${tag}`, address, check);
  /** Whether a try of a wrong password was looked at, or after how many seconds the next makes sense. */
  const tried = (name: string, address = site) =>
    guard(name, wrong, address).then(
      () => "looked at",
      (error: unknown) => (error instanceof TooManyAttempts ? error.retryAfter : error),
    );
  return { one, make, guard, tried, waited, site, tag, pass: (ms: number) => (now += ms) };
}

const repeat = async (times: number, act: () => Promise<unknown>): Promise<unknown[]> => {
  const all: unknown[] = [];
  for (let n = 0; n < times; n += 1) all.push(await act());
  return all;
};
const looked = (times: number) => Array.from({ length: times }, () => "looked at");

describe("a name at an address", () => {
  it("may fail a number of times in a window, on all instances, and is then not checked", async () => {
    const { tried, guard, make, site, tag, pass } = limiter();
    expect(await repeat(3, () => tried("ada"))).toEqual(looked(3));
    expect(await tried("ada")).toBe(300);
    await expect(guard("ada", right)).rejects.toThrow(TooManyAttempts);
    await expect(make().guard(`ada ${tag}`, site, right)).rejects.toThrow(TooManyAttempts);
    // Neither another name nor another address is touched by it.
    expect(await guard("bob", right)).toBe("in");
    expect(await guard("ada", right, randomUUID())).toBe("in");
    pass(299_500);
    expect(await tried("ada")).toBe(1);
  });

  it("is the same name in every spelling that a provider may take for it", async () => {
    const { guard } = limiter();
    for (const name of ["ada", "Ada", " \uff21da"])
      expect(await guard(name, wrong)).toBeUndefined();
    for (const name of ["ADA", "ada"]) {
      await expect(guard(name, right), name).rejects.toThrow(TooManyAttempts);
    }
  });

  it("waits no longer than a window when a clock that was ahead is right again", async () => {
    const { tried, pass } = limiter();
    pass(86_400_000);
    expect(await repeat(3, () => tried("ada"))).toEqual(looked(3));
    pass(-86_400_000);
    expect(await repeat(4, () => tried("ada"))).toEqual([...looked(3), 300]);
  });

  it("starts again after a success, and is known from then on", async () => {
    const { tried, guard } = limiter({ ...LIMITS, perAddress: 100 });
    const known: boolean[] = [];
    const knowing = async (isKnown: boolean) => known.push(isKnown);
    expect(await repeat(2, () => tried("ada"))).toEqual(looked(2));
    await guard("ada", knowing);
    expect(await repeat(3, () => tried("ada"))).toEqual(looked(3));
    expect(await tried("ada")).toBeTypeOf("number");
    await guard("bob", knowing);
    await guard("bob", knowing);
    await guard("bob", knowing, randomUUID());
    expect(known).toEqual([false, false, true, false]);
  });

  it("is refused at once, without the store, for a moment", async () => {
    const { one, tag, site, tried } = limiter();
    await repeat(4, () => tried("ada"));
    const told = one.guard(`ada ${tag}`, site, right).catch((error: Error) => error);
    const soon = await Promise.race([
      told,
      new Promise((resolve) => setImmediate(resolve, "late")),
    ]);
    expect(soon).toBeInstanceOf(TooManyAttempts);
  });

  it("counts other failures too, but not what was never checked", async () => {
    const { tried, guard } = limiter();
    const broken = async () => {
      throw new RangeError("x");
    };
    const busy = async () => {
      throw new SignInBusy();
    };
    await expect(guard("ada", broken)).rejects.toThrow(RangeError);
    await repeat(5, () => expect(guard("ada", busy)).rejects.toThrow(SignInBusy));
    expect(await repeat(2, () => tried("ada"))).toEqual(looked(2));
    expect(await tried("ada")).toBeTypeOf("number");
  });

  it("is limited also if many come at once", async () => {
    const { tried } = limiter({ ...LIMITS, perAddress: 100 });
    const all = await Promise.all(Array.from({ length: 12 }, () => tried("ada")));
    expect(all.filter((one) => one === "looked at")).toHaveLength(3);
  });
});

describe("an address", () => {
  it("may fail a number of times, over all names; successes and refusals do not count", async () => {
    const { tried, guard } = limiter();
    const names = ["a", "b", "c", "d", "e"];
    for (const name of names) expect(await tried(name)).toBe("looked at");
    await repeat(3, () => guard("ada", right));
    expect(await tried("f")).toBe("looked at");
    expect(await tried("g")).toBeTypeOf("number");
    await expect(guard("ada", right)).rejects.toThrow(TooManyAttempts);
  });

  it("is counted as its network, if many users share it", async () => {
    const { tried } = limiter();
    const net = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}:1`;
    expect(await repeat(3, () => tried("ada", `${net}::1`))).toEqual(looked(3));
    expect(await tried("ada", `${net}::2`)).toBeTypeOf("number");
  });
});

describe("a name", () => {
  it("is slowed down after very many failures anywhere, and never refused for them", async () => {
    const { tried, guard, waited } = limiter({ perUser: 1, perAddress: 100, window: 300 });
    await Promise.all(Array.from({ length: 20 }, () => tried("ada", randomUUID())));
    expect(waited).toEqual([]);
    expect(await tried("ada", randomUUID())).toBe("looked at");
    expect(waited).toEqual([2000]);
    expect(await guard("ada", right, randomUUID())).toBe("in");
    expect(waited).toEqual([2000, 2000]);
    expect(await tried("bob", randomUUID())).toBe("looked at");
    expect(waited).toHaveLength(2);
  });
});

describe("a number in the store", () => {
  const counters = () => new Counters(store, 300, Date.now);

  it("is counted by several at once, and never falls below 0", async () => {
    const [one, two, id] = [counters(), counters(), `attempts:test:${randomUUID()}`];
    const began = Date.now();
    const plus = (attempts: number) => attempts + 1;
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).change(id, plus)));
    expect(await one.change(id, (attempts) => attempts)).toBe(20);
    expect(await two.change(id, () => -5)).toBe(0);
    expect(await one.change(id, plus)).toBe(1);
    const told = await Promise.allSettled([
      one.change(id, plus),
      one.change(id, plus),
      one.change(id, () => {
        throw new RangeError("x");
      }),
      one.change(id, plus),
    ]);
    const values = told.map((each) => (each.status === "fulfilled" ? each.value : "refused"));
    expect(values).toEqual([2, 3, "refused", 4]);
    const entry = await store.read(id);
    expect(entry).toMatchObject({ kind: "sign-in-attempts", value: { attempts: 4 } });
    expect(entry?.expires).toBeGreaterThanOrEqual(began + 300_000);
    expect(entry?.expires).toBeLessThanOrEqual(Date.now() + 300_000);
  });
});
