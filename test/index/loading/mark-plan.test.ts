/** The marks of versions: whatever is planned, searches find one version of a file after each single write. */
import { describe, expect, it } from "vitest";
import type { IndexedVersion } from "../../../src/index/loading/indexed-versions.js";
import { type Mark, type Marks, planMarks } from "../../../src/index/loading/marks/mark-plan.js";
import { rank } from "../../../src/index/loading/version.js";
import { chance, SEED } from "../../support/run/chance.js";

const FILES = ["v20180101", "v20190101", "v20200101", "v20210101"].map((one) => `/d/${one}/a.nc`);

interface Stored extends Mark {
  readonly version: string;
  readonly user?: string;
}

/** The files that a default search finds: marked, and not replaced by another. */
function found(index: ReadonlyMap<string, Stored>): string[] {
  const replaced = new Set([...index.values()].flatMap(({ replaces }) => replaces));
  return [...index].flatMap(([file, { latest, user }]) =>
    latest && user === undefined && !replaced.has(file) ? [file] : [],
  );
}

const present = (index: ReadonlyMap<string, Stored>): IndexedVersion[] =>
  [...index].map(([file, { version, user, latest, replaces }]) => ({
    ...{ file, rank: rank(version, file), isPublic: user === undefined },
    ...{ isMarked: latest, replaces, added: undefined },
  }));

/** Of equal versions any may be the newest. */
function newestOf(index: ReadonlyMap<string, Stored>): string[] {
  const all = present(index).filter(({ isPublic }) => isPublic);
  const best = all.map((one) => one.rank).sort(([a, b], [c, d]) => c - a || d - b)[0];
  return all.filter((one) => String(one.rank) === String(best)).map(({ file }) => file);
}

describe("random histories of the versions of a file", () => {
  it("have one version at any moment, and the newest one at the end of each change", () => {
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    let killed = 0;
    for (let history = 0; history < 3000; history += 1) {
      let index = new Map<string, Stored>();
      const told = `history ${history}, SEED=${SEED}`;
      for (let change = 0; change < 6; change += 1) {
        const incoming = new Map<string, { version: string; user?: string }>();
        const leaving = new Set<string>();
        for (let some = Math.ceil(random() * 3); some > 0; some -= 1) {
          const user = random() < 0.1 ? { user: "ada" } : {};
          incoming.set(pick(FILES), { version: `v${Math.ceil(random() * 4)}`, ...user });
        }
        if (random() < 0.3) {
          incoming.clear();
          for (const [file, { user }] of index) {
            if (user === undefined && random() < 0.4) leaving.add(file);
          }
        }
        const arriving = [...incoming].map(([file, { version, user }]) => ({
          ...{ file, rank: rank(version, file), isPublic: user === undefined },
        }));
        const plan = planMarks(present(index), arriving, leaving);
        const had = found(index).length > 0;
        const wanted = new Map(index);
        for (const [file, one] of incoming) {
          wanted.set(file, { ...one, latest: false, replaces: [] });
        }
        for (const file of leaving) wanted.delete(file);
        const keeps = newestOf(wanted).length > 0;
        const writing = (marks: Marks, from: Partial<typeof incoming>) =>
          [...marks]
            .sort(([, one], [, other]) => Number(other.latest) - Number(one.latest))
            .map(([file, mark]) => () => {
              const one = from.get?.(file) ?? index.get(file);
              if (one !== undefined) index.set(file, { ...one, ...mark });
            });
        const deletes = [...leaving].map((file) => () => {
          index.delete(file);
        });
        const all = [
          ...writing(plan.hold, {}),
          ...writing(plan.write, incoming),
          ...deletes,
          ...writing(plan.release, incoming),
        ];
        const end = random() < 0.2 ? Math.floor(random() * all.length) : all.length;
        if (end < all.length) killed += 1;
        for (const [at, write] of all.slice(0, end).entries()) {
          write();
          const now = found(index).length;
          if (had && keeps) expect(now, `${told}, write ${at}`).toBe(1);
          else expect(now, `${told}, write ${at}`).toBeLessThanOrEqual(1);
        }
        // What a killed change has left is completed by the next one.
        if (end < all.length) continue;
        if (newestOf(index).length > 0) {
          expect(newestOf(index), told).toContain(found(index)[0]);
          expect(found(index), told).toHaveLength(1);
        }
        index = new Map(index);
      }
    }
    expect(killed).toBeGreaterThan(1000);
  });
});

describe("versions that all leave after a killed change", () => {
  it("show one until the last: the one that is found hides the others, and goes last", () => {
    const [first = "", second = "", third = ""] = FILES;
    const one = (version: string, replaces: readonly string[]): Stored => ({
      ...{ version, latest: true, replaces },
    });
    const index = new Map([
      [first, one("v1", [second, third])],
      [second, one("v2", [])],
      [third, one("v3", [])],
    ]);
    expect(found(index)).toEqual([first]);
    const plan = planMarks(present(index), [], new Set(FILES));
    for (const step of ["hold", "write"] as const) {
      for (const [file, mark] of plan[step]) {
        expect(file, "is not the one that is found").not.toBe(step === "write" ? first : second);
        const stored = index.get(file);
        if (stored) index.set(file, { ...stored, ...mark });
        expect(found(index)).toEqual([first]);
      }
    }
  });
});
