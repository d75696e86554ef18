/** What users may register: under one name only, and nothing that is another's. */
import { chown, link, mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { FileProbe } from "../../../src/platform/file-system/file-probe.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, tried } from "../../support/run/trials.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import {
  add,
  added,
  entry,
  message,
  type Person,
  person,
  stored,
} from "../../support/service/user-data.js";

const UID = 4711;
const isRoot = process.getuid?.() === 0;

const folder = freshFolder();
let service: TestService;
let ada: Person;
let bob: Person;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  const names = { ada: `ada-${crypto.randomUUID()}`, bob: `bob-${crypto.randomUUID()}` };
  await mkdir(at(`work/${names.ada}`), { recursive: true });
  await mkdir(at(`work/${names.bob}`));
  await mkdir(at("scratch"));
  await symlink(at("work"), at("alias"));
  for (const name of [`work/${names.ada}/own.nc`, `work/${names.bob}/secret.nc`, "scratch/x.nc"]) {
    await writeFile(at(name), "x");
  }
  await writeFile(at("outside.nc"), "x");
  service = await startService({
    dataRoots: [at("alias"), at("scratch")],
    userDataRoots: [`${at("alias")}/{user}`],
    uidOf: async (name) => (name === names.ada ? UID : name === names.bob ? 12 : undefined),
  });
  ada = await person(service, names.ada);
  bob = await person(service, names.bob);
});
afterAll(() => service.close());
beforeEach(() => emptyIndex(service.solr));

const own = (): string => at(`work/${ada.name}/own.nc`);
const secret = (): string => at(`work/${bob.name}/secret.nc`);

/** Every way to name a path that comes to mind, by chance. */
function spelling(path: string, random: () => number): string {
  const pick = <T>(...all: T[]): T => all[Math.floor(random() * all.length)] as T;
  const dotted = path
    .split("/")
    .map((part) => pick(part, part, `./${part}`, `/${part}`, part && `${part}/../${part}`))
    .join("/");
  const rooted = `/${dotted.replace(/^\/+/, "")}${pick("", "", "/", "//", "/.")}`;
  const elsewhere = pick("", "", "/proc/self/root", "/proc/self/cwd/../../../../../../../..");
  const whole = elsewhere + rooted;
  const escaped = whole.replaceAll(/[a-z]/g, (letter) =>
    random() < 0.2 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
  return pick(whole, whole, `${pick("file://", "FILE://", "file://localhost", "file:")}${escaped}`);
}

describe("a registered file", () => {
  it("is stored under its real path, however it is spelled", async () => {
    const random = chance(11);
    for (let i = 0; i < attempts(25, 1000); i += 1) {
      const real = random() < 0.5;
      const path = real ? own() : own().replace(at("work"), at("alias"));
      const file = spelling(path, random);
      const answer = await add(service, ada, [entry(file)]);
      expect(await message(answer), file).toBe(i === 0 ? added(1) : added(0, 1));
    }
    const { ino } = await stat(own());
    const documents = await stored(service);
    expect(documents).toHaveLength(1);
    expect(documents[0]).toMatchObject({ file: own(), inode: String(ino), user: ada.name });
  });

  it("has its own size and age; a missing file has those that were sent", async () => {
    const said = { size: 123_456, modified: "2001-02-03T04:05:06Z" };
    const entries = [entry(own(), said), entry(at(`work/${ada.name}/missing.nc`), said)];
    await mkdir(at(`work/${ada.name}/store.zarr`), { recursive: true });
    entries.push(entry(at(`work/${ada.name}/store.zarr`), said));
    expect(await message(await add(service, ada, entries))).toBe(added(3));
    const { size, mtimeMs } = await stat(own());
    const [missing, real, store] = await stored(service);
    expect(real).toMatchObject({
      file: own(),
      size,
      modified: new Date(Math.floor(mtimeMs)).toISOString(),
    });
    // What a store has is in its files; its folder says nothing of that.
    for (const document of [missing, store]) expect(document).toMatchObject(said);
    await rm(at(`work/${ada.name}/store.zarr`), { recursive: true });
  });

  it("is refused in every spelling if it is another user's, with its index, and nothing is stored", async () => {
    const random = chance(12);
    await symlink(secret(), at(`work/${ada.name}/mine.nc`)).catch(() => {});
    tried(attempts(40, 2000));
    for (let i = 0; i < attempts(40, 2000); i += 1) {
      const path = [
        secret(),
        secret().replace(at("work"), at("alias")),
        at(`work/${ada.name}/mine.nc`),
        at(`work/${ada.name}/../${bob.name}/secret.nc`),
        at(`work/${bob.name}`),
      ][i % 5] as string;
      const file = spelling(path, random);
      const answer = await add(service, ada, [entry(own()), entry(file)]);
      const { errors } = (await answer.json()) as Problem;
      expect(answer.status, file).toBe(422);
      expect(
        errors?.map(({ name }) => name),
        file,
      ).toEqual(["user_metadata[1].file"]);
    }
    expect(await stored(service)).toEqual([]);
    expect((await add(service, bob, [entry(secret())])).status).toBe(202);
  });

  it("may belong to the user on the machine, but not to an account of the system", async () => {
    if (!isRoot) return;
    await writeFile(at("scratch/of-ada.nc"), "x");
    await chown(at("scratch/of-ada.nc"), UID, UID);
    await writeFile(at("scratch/of-system.nc"), "x");
    await chown(at("scratch/of-system.nc"), 12, 12);
    expect((await add(service, bob, [entry(at("scratch/of-ada.nc"))])).status).toBe(422);
    expect((await add(service, bob, [entry(at("scratch/of-system.nc"))])).status).toBe(422);
    expect((await add(service, ada, [entry(at("scratch/of-ada.nc"))])).status).toBe(202);
    expect((await add(service, ada, [entry(at("scratch/x.nc"))])).status).toBe(422);
  });

  it("is a duplicate if it is public in the index, by its own name or through a link", async () => {
    await load(service.solr, [{ file: at("scratch/x.nc") }, { file: at("alias/gone/y.nc") }]);
    await load(service.solr, [{ file: secret(), user: bob.name }]);
    expect(await message(await add(service, ada, [entry(at("scratch//x.nc"))]))).toBe(added(0, 1));
    expect((await add(service, ada, [entry(secret())])).status).toBe(422);
    await mkdir(at("work/shared"));
    await writeFile(at("work/shared/y.nc"), "x");
    await load(service.solr, [{ file: at("alias/shared/y.nc") }]);
    const again = await add(service, ada, [entry(at("alias/shared/y.nc"))]);
    expect(await message(again)).toBe(added(0, 1));
  });

  it("is kept as it is named if it is missing or outside the data roots", async () => {
    const files = ["/nowhere/./at//all.nc/", at("outside.nc"), "https://x.example/a//b/../c.nc"];
    expect(
      await message(
        await add(
          service,
          ada,
          files.map((file) => entry(file)),
        ),
      ),
    ).toBe(added(3));
    const found = (await stored(service)).map(({ file, inode }) => ({ file, inode }));
    expect(found).toEqual([
      { file: "/nowhere/at/all.nc" },
      { file: at("outside.nc") },
      { file: "https://x.example/a//b/../c.nc" },
    ]);
  });

  it("cannot be squatted in another's folder, nor elsewhere below the data roots, before it exists", async () => {
    for (const name of [
      "scratch/published-later.nc",
      "work/published-later.nc",
      `work/${bob.name}/later.nc`,
      `alias/${bob.name}/a/b.nc`,
      "alias/carl/x.nc",
    ]) {
      const answer = await add(service, ada, [entry(at(name))]);
      expect(answer.status, name).toBe(422);
      expect(await answer.json()).toMatchObject({ errors: [{ name: "user_metadata[0].file" }] });
    }
    expect((await add(service, ada, [entry(at(`alias/${ada.name}/later.nc`))])).status).toBe(202);
  });

  it("is known by its inode also under a second name of the same file", async () => {
    await link(own(), at(`work/${ada.name}/second.nc`));
    const both = [own(), at(`alias/${ada.name}/second.nc`)];
    expect(
      await message(
        await add(
          service,
          ada,
          both.map((file) => entry(file)),
        ),
      ),
    ).toBe(added(2));
    const [one, two] = await stored(service);
    expect(one?.inode).toBe(two?.inode);
  });
});

describe("a URI", () => {
  it("is refused if it leads to other data than file; one that leads to the same is stored in one form", async () => {
    for (const [file, uri] of [
      [own(), secret()],
      [own(), `file://${secret()}`],
      ["https://x.example/a.nc", own()],
      ["s3://x/a.nc", `file:${secret()}`],
      [own(), "FILE://localhost/etc/passwd"],
    ] as const) {
      const answer = await add(service, ada, [entry(file, { uri })]);
      expect(answer.status, uri).toBe(422);
      expect(await answer.text()).toMatch(/user_metadata\[0\]\.uri/);
      const shared = await add(service, ada, [entry(file)], { uri });
      expect(shared.status, uri).toBe(422);
      await shared.text();
    }
    const uri = `file://${own().replace(at("work"), `${at("alias")}/.`)}`;
    await message(await add(service, ada, [entry(own(), { uri })]));
    expect((await stored(service))[0]).toMatchObject({
      file: own(),
      uri: `file://${own()}`,
    });
  });
});

describe("100,000 files of user data", () => {
  it("are looked up in half a millisecond each at most, and are all registered", async () => {
    const many = at(`work/${ada.name}/many`);
    await mkdir(many);
    const names = Array.from({ length: attempts(2000, 100_000) }, (_, i) => join(many, `${i}.nc`));
    for (let from = 0; from < names.length; from += 500) {
      await Promise.all(names.slice(from, from + 500).map((name) => writeFile(name, "")));
    }
    const begin = performance.now();
    const looks = await new FileProbe().resolve(names);
    const each = (performance.now() - begin) / names.length;
    expect([...looks.values()].every((look) => "real" in look)).toBe(true);
    expectBelow(each, 0.5, "milliseconds for a file");
    expect(
      await message(
        await add(
          service,
          ada,
          names.map((name) => entry(name)),
        ),
      ),
    ).toBe(added(names.length));
  }, 300_000);
});
