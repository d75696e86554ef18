/** Stored recipes of joined stores are bounded for each user. */
import { describe, expect, it } from "vitest";
import type { Owner } from "../../../src/domain/user-data/owner.js";
import type { Recipe } from "../../../src/files/zarr/join/recipe.js";
import type { StateEntry, StoredEntry, WriteResult } from "../../../src/index/state/state-store.js";
import { TooManyRequests } from "../../../src/server/errors.js";
import { JoinRecipes } from "../../../src/server/joins/join-recipes.js";

const DAY = 86_400_000;

/** The state store's rules in memory: of several writers of a version, one succeeds. */
class Entries {
  readonly #entries = new Map<string, StoredEntry>();
  readonly #clock: () => number;
  #version = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  async readAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEntry>> {
    const found = ids.flatMap((id) => {
      const entry = this.#entries.get(id);
      return entry !== undefined && entry.expires > this.#clock() ? [[id, entry] as const] : [];
    });
    return new Map(found);
  }

  async read(id: string): Promise<StoredEntry | undefined> {
    return (await this.readAll([id])).get(id);
  }

  async write(
    id: string,
    entry: StateEntry,
    previous: StoredEntry | undefined,
  ): Promise<WriteResult> {
    const found = this.#entries.get(id);
    const current = found !== undefined && found.expires > this.#clock() ? found : undefined;
    if (current?.version !== previous?.version) return { isWritten: false, entry: current };
    return { isWritten: true, entry: this.#put(id, entry) };
  }

  async overwrite(id: string, entry: StateEntry): Promise<void> {
    this.#put(id, entry);
  }

  #put(id: string, entry: StateEntry): StoredEntry {
    this.#version += 1;
    const stored = { ...entry, version: String(this.#version) };
    this.#entries.set(id, stored);
    return stored;
  }
}

const owner = (id: string): Owner => ({ id, sub: id, user: id, isLocal: true });
const recipe = (name: string, files = 2): Recipe => ({
  kind: "dataset",
  fillsMissing: false,
  isStrict: false,
  files: Array.from({ length: files }, (_, i) => ({
    file: `/${name}/${i}.nc`,
    group: "",
    identity: { size: 1, modified: "1", inode: "1", device: "1" },
  })),
});

/** Recipes of two instances with one state store, and a clock. */
function scene() {
  const time = { now: 20_000 * DAY };
  const clock = () => time.now;
  const entries = new Entries(clock);
  const limits = { stores: 3, files: 20 };
  const instance = () => new JoinRecipes(entries, clock, limits);
  return { time, instance, one: instance(), two: instance() };
}

describe("the joined stores of a user", () => {
  it("are bounded in number over all instances, and for each user alone", async () => {
    const { one, two } = scene();
    await one.save([recipe("a"), recipe("b")], owner("x"));
    await two.save([recipe("c")], owner("x"));
    await expect(one.save([recipe("d")], owner("x"))).rejects.toThrow(TooManyRequests);
    await expect(two.save([recipe("d")], owner("x"))).rejects.toThrow(/3 joined stores/);
    const [id = ""] = await two.save([recipe("d")], owner("y"));
    expect((await one.find(id))?.files).toHaveLength(2);
  });

  it("are bounded in files, and none of a refused list is stored", async () => {
    const { one, two } = scene();
    const wanted = [recipe("a", 10), recipe("b", 11)];
    await expect(one.save(wanted, owner("x"))).rejects.toThrow(TooManyRequests);
    const [id = ""] = await one.save([recipe("a", 10)], owner("y"));
    expect(await two.find(id)).toBeDefined();
    const [other = ""] = await scene().one.save([recipe("b", 11)], owner("y"));
    expect(await two.find(other)).toBeUndefined();
  });

  it("count once, however often they are requested", async () => {
    const { one, two, instance } = scene();
    const all = [recipe("a"), recipe("b"), recipe("c")];
    const ids = await one.save(all, owner("x"));
    for (const again of [one, two, instance()]) {
      expect(await again.save(all, owner("x"))).toEqual(ids);
    }
  });

  it("count for 90 days, and the refusal says how long", async () => {
    const { one, time } = scene();
    await one.save([recipe("a"), recipe("b"), recipe("c")], owner("x"));
    time.now += 80 * DAY;
    const refusal = await one.save([recipe("d")], owner("x")).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ retryAfter: (10 * DAY) / 1000 });
    time.now += 10 * DAY;
    await one.save([recipe("d")], owner("x"));
  });

  it("are counted exactly when they are added at the same time", async () => {
    const { one, two } = scene();
    const names = ["a", "b", "c", "d", "e", "f"];
    const results = await Promise.allSettled(
      names.map((name, i) => (i % 2 === 0 ? one : two).save([recipe(name)], owner("x"))),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });
});

describe("recipes in memory", () => {
  it("have 100,000 files at most, and the others are read again when they are used", async () => {
    const read = { ids: [] as string[] };
    const store = new (class extends Entries {
      override read(id: string) {
        read.ids.push(id);
        return super.read(id);
      }
    })(() => DAY);
    const recipes = new JoinRecipes(store, () => DAY);
    const ids: string[] = [];
    for (let i = 0; i < 12; i++)
      ids.push(...(await recipes.save([recipe(`${i}`, 10_000)], owner("x"))));
    read.ids = [];
    for (const id of ids.slice(-3)) await recipes.find(id);
    expect(read.ids).toEqual([]);
    expect((await recipes.find(ids[0] ?? ""))?.files).toHaveLength(10_000);
    expect(read.ids).toEqual([`join:${ids[0]}`]);
  });
});
