/** Rights as on the disk, as callers meet them: streams, pages, shared addresses, stores, lists. */
import { execFileSync } from "node:child_process";
import { chmod, chown, copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { SharedZarr, Token } from "../../../generated/schemas.js";
import { FileRights } from "../../../src/files/rights/file-rights.js";
import type { Directory } from "../../../src/files/rights/file-user.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { findAcl } from "../../support/programs/acl.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience } from "../../support/run/trials.js";
import {
  type IdentityProvider,
  startProvider,
  USERS,
} from "../../support/service/identity-provider.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { bearer, jsonRequest, post, problem } from "../../support/service/sign-in.js";
import { type Person, person } from "../../support/service/user-data.js";

const tools = findAcl();
/** How long rights are taken for true; at full length as long as in a service, undefined. */
const REMEMBERED = attempts<number | undefined>(400, undefined);
/** By then a right that was taken away is gone. */
const FELT = attempts(10_000, 60_000);

const [ADA, BOB, CLUB] = [61_001, 61_002, 62_001];
/** The machine's accounts: those of the tests are nobody's. */
const uids = new Map<string, number>();
const members = new Set<number>();
const directory: Directory = {
  accountNamed: async (name) => {
    const uid = uids.get(name);
    return uid === undefined ? undefined : { name, uid, gid: uid };
  },
  accountOf: async (uid) => ({ name: String(uid), uid, gid: uid }),
  groupsOf: async ({ uid }) => (members.has(uid) ? [uid, CLUB] : [uid]),
};

describe.skipIf(tools === undefined)("rights on the disk through HTTP, as root (setfacl)", () => {
  let service: TestService;
  let provider: IdentityProvider;
  const folder = freshFolder();
  /** What the outside provider's tokens say besides. */
  let claimed: object = {};
  let ada: Person;
  let bob: Person;
  let rooted: Person;
  const at = (name: string): string => join(folder, name);
  const address = (name: string): string => `/data-portal/zarr/${datasetId(at(name))}.zarr`;
  const get = (who: Person, path: string) => service.get(path, bearer(who.token));
  const read = async (who: Person, name: string, key = ".zmetadata") => {
    const response = await get(who, `${address(name)}/${key}`);
    await response.arrayBuffer();
    return response.status;
  };
  const acl = (list: string, name: string) =>
    execFileSync(tools?.setfacl ?? "", ["-m", list, at(name)]);
  const lists = async (who: Person | undefined, operation: string): Promise<Response> =>
    service.get(`/databrowser/${operation}?project=rights`, who ? bearer(who.token) : {});
  const gone = async (ask: () => Promise<number>): Promise<void> => {
    const end = Date.now() + FELT;
    while ((await ask()) !== 403) {
      expect(Date.now(), "the right is still there").toBeLessThan(end);
      await sleep(50);
    }
  };

  /** A file of a mode, for its owner and the group of the club. */
  async function file(name: string, mode: number, uid = ADA, gid = CLUB): Promise<void> {
    await mkdir(join(at(name), ".."), { recursive: true });
    await copyFile(SAMPLE_FILE, at(name));
    await chown(at(name), uid, gid);
    await chmod(at(name), mode);
  }

  /** A zarr v2 store of two arrays of two chunks each, without consolidated metadata. */
  async function store(name: string): Promise<void> {
    const array = { zarr_format: 2, shape: [2], chunks: [1], dtype: "|u1", compressor: null };
    const meta = JSON.stringify({ ...array, fill_value: 0, order: "C", filters: null });
    await mkdir(at(name));
    await writeFile(join(at(name), ".zgroup"), '{"zarr_format":2}');
    for (const one of ["a", "b"]) {
      await mkdir(join(at(name), one));
      await writeFile(join(at(name), one, ".zarray"), meta);
      for (const chunk of ["0", "1"]) await writeFile(join(at(name), one, chunk), chunk);
    }
  }

  beforeAll(async () => {
    provider = await startProvider(() => claimed);
    await chmod(folder, 0o755);
    const { getfacl = "" } = tools ?? {};
    const cached = REMEMBERED === undefined ? {} : { ttl: REMEMBERED };
    service = await startService({
      dataRoots: [folder],
      rights: new FileRights({
        tools: { getfacl, nfs4: undefined },
        hides: true,
        directory,
        ...cached,
      }),
      auth: {
        accessTokenLifetime: 3600,
        outside: {
          ...provider.outside,
          accounts: { uid: "uid_number", groups: "machine.groups" },
        },
      },
    });
    [ada, bob, rooted] = [await person(service), await person(service), await person(service)];
    uids.set(ada.name, ADA).set(bob.name, BOB).set(rooted.name, 0);
    members.add(ADA);
    await file("open.nc", 0o644);
    await file("mine.nc", 0o600);
    await file("club.nc", 0o640);
    await file("listed.nc", 0o600);
    acl(`u:${BOB}:r`, "listed.nc");
    await file("masked.nc", 0o600);
    acl(`u:${BOB}:r,m::-`, "masked.nc");
    acl("g::r", "masked.nc");
    acl("m::x", "masked.nc");
    await file("closed/inside.nc", 0o644);
    await chown(at("closed"), ADA, ADA);
    await chmod(at("closed"), 0o700);
    await symlink(at("closed/inside.nc"), at("link.nc"));
    await file("changing.nc", 0o644);
    await file("moving/in.nc", 0o644);
    await file("roots.nc", 0o600, 0, 0);
    await store("store.zarr");
    await chown(join(at("store.zarr"), "a", "1"), ADA, ADA);
    await chmod(join(at("store.zarr"), "a", "1"), 0o600);
    await store("half.zarr");
    await chown(join(at("half.zarr"), "b"), ADA, ADA);
    await chmod(join(at("half.zarr"), "b"), 0o700);
    await emptyIndex(service.solr);
    const names = [
      "open.nc",
      "mine.nc",
      "club.nc",
      "listed.nc",
      "masked.nc",
      "closed/inside.nc",
      "link.nc",
      "changing.nc",
      "moving/in.nc",
      "roots.nc",
      "store.zarr",
      "half.zarr",
      "nowhere.nc",
      "closed/nowhere.nc",
    ];
    const documents = names.map((name) => ({ file: at(name), project: ["rights"] }));
    await load(service.solr, [
      ...documents,
      { file: "https://elsewhere.example.org/x.nc", project: ["rights"] },
    ]);
  });
  afterAll(async () => {
    await service?.close();
    await provider?.stop();
  });

  it("let everybody read public files, and others only for owner, group and named accounts", async () => {
    expect([await read(ada, "open.nc"), await read(bob, "open.nc")]).toEqual([200, 200]);
    expect([await read(ada, "mine.nc"), await read(bob, "mine.nc")]).toEqual([200, 403]);
    expect([await read(ada, "club.nc"), await read(bob, "club.nc")]).toEqual([200, 403]);
    expect([await read(ada, "listed.nc"), await read(bob, "listed.nc")]).toEqual([200, 200]);
    expect([await read(ada, "masked.nc"), await read(bob, "masked.nc")]).toEqual([200, 403]);
  });

  it("hold for slices, and for each file of a joined store", async () => {
    const slice = async (who: Person, name: string, variable: string, index: string) => {
      const path = `/data-portal/preview/${datasetId(at(name))}.zarr/${variable}?index=${index}`;
      return (await get(who, path)).status;
    };
    expect(await slice(ada, "mine.nc", "tas", "0,0,0")).toBe(200);
    expect(await slice(bob, "mine.nc", "tas", "0,0,0")).toBe(403);
    expect([
      await slice(ada, "store.zarr", "a", ":"),
      await slice(bob, "store.zarr", "a", ":"),
    ]).toEqual([200, 403]);
    expect([
      await slice(bob, "store.zarr", "a", "0"),
      await slice(bob, "store.zarr", "a", "1"),
    ]).toEqual([200, 403]);
    expect([
      await slice(ada, "half.zarr", "b", "0"),
      await slice(bob, "half.zarr", "b", "0"),
    ]).toEqual([200, 403]);
  });

  it("hold for each folder of the path, also behind a link", async () => {
    for (const name of ["closed/inside.nc", "link.nc"]) {
      expect([await read(ada, name), await read(bob, name)], name).toEqual([200, 403]);
    }
  });

  it("hold for pages and shared addresses as for streams, and report missing rights without names", async () => {
    const page = await get(bob, address("closed/inside.nc"));
    expect(page.status).toBe(403);
    const share = await service.get(
      "/data-portal/share-zarr",
      jsonRequest("POST", { uuid: datasetId(at("mine.nc")), ttl_seconds: 60 }, bob.token),
    );
    expect(share.status).toBe(403);
    for (const response of [page, share]) {
      const { detail } = await problem(response);
      expect(detail).toContain(`user id ${BOB}`);
      expect(detail).not.toMatch(/closed|mine|climate-rights/);
    }
  });

  it("give root's data to nobody, whatever the account's name is", async () => {
    expect(await read(rooted, "roots.nc")).toBe(403);
    const response = await get(rooted, `${address("roots.nc")}/.zmetadata`);
    expect((await problem(response)).detail).toContain("not that of a person");
    expect(await read(rooted, "open.nc")).toBe(200);
  });

  it("follow the numbers in an outside token, and never its names", async () => {
    const status = async (claims: Record<string, unknown>) => {
      claimed = { preferred_username: ada.name, ...claims };
      const signedIn = await post(service, { username: "olga", password: USERS.olga ?? "" });
      const { access_token: token } = (await signedIn.json()) as Token;
      const names = ["open.nc", "mine.nc", "club.nc"];
      const asked = names.map((name) => service.get(`${address(name)}/.zgroup`, bearer(token)));
      return (await Promise.all(asked)).map((response) => response.status);
    };
    expect(await status({})).toEqual([200, 403, 403]);
    expect(await status({ uid_number: ADA })).toEqual([200, 200, 200]);
    expect(await status({ uid_number: String(ADA), machine: { groups: [] } })).toEqual([
      200, 200, 200,
    ]);
    expect(await status({ uid_number: BOB, machine: { groups: [CLUB, 0] } })).toEqual([
      200, 403, 200,
    ]);
    for (const uid of [999, [ADA, BOB], ADA + 0.5, 65_534]) {
      expect(await status({ uid_number: uid, machine: { groups: [CLUB] } }), String(uid)).toEqual([
        200, 403, 403,
      ]);
    }
  });

  it("hold for each file of a store, and for slices of them", async () => {
    expect([await read(bob, "store.zarr", "a/0"), await read(ada, "store.zarr", "a/0")]).toEqual([
      200, 200,
    ]);
    expect([await read(bob, "store.zarr", "a/1"), await read(ada, "store.zarr", "a/1")]).toEqual([
      403, 200,
    ]);
    expect([await read(bob, "store.zarr"), await read(ada, "store.zarr")]).toEqual([200, 200]);
    // Gathered of all arrays, of which one is closed.
    expect([await read(bob, "half.zarr"), await read(ada, "half.zarr")]).toEqual([403, 200]);
    const pages = [await get(bob, address("half.zarr")), await get(ada, address("half.zarr"))];
    expect(pages.map(({ status }) => status)).toEqual([403, 200]);
    expect(await read(bob, "half.zarr", "a/1")).toBe(200);
    for (const key of ["b/0", "b/.zarray"]) {
      expect([await read(bob, "half.zarr", key), await read(ada, "half.zarr", key)], key).toEqual([
        403, 200,
      ]);
    }
    await rm(join(at("half.zarr"), "b", "1"));
    // That a chunk was never written is for those to know who get there.
    expect([await read(bob, "half.zarr", "b/1"), await read(ada, "half.zarr", "b/1")]).toEqual([
      403, 404,
    ]);
  });

  it("hide unreadable files from lists and catalogues", async () => {
    const listed = async (who: Person | undefined) => {
      const response = await lists(who, "data-search/native/file");
      expect(response.headers.get("cache-control")).toBe(
        who === undefined ? "no-cache" : "private, no-store",
      );
      const lines = (await response.text()).trimEnd().split("\n");
      return lines.map((line) => line.replace(`${folder}/`, "")).sort();
    };
    const all = ["changing.nc", "half.zarr", "https://elsewhere.example.org/x.nc"];
    const others = [...all, "moving/in.nc", "nowhere.nc", "open.nc", "store.zarr"].sort();
    expect(await listed(undefined)).toEqual(others);
    expect(await listed(bob)).toEqual([...others, "listed.nc"].sort());
    const own = ["club.nc", "closed/inside.nc", "closed/nowhere.nc", "link.nc", "listed.nc"];
    expect(await listed(ada)).toEqual([...others, ...own, "masked.nc", "mine.nc"].sort());
    const intake = (await (await lists(bob, "intake-catalogue/native/file")).json()) as {
      catalog_dict: unknown[];
    };
    expect(intake.catalog_dict).toHaveLength(others.length + 1);
    const loaded = await (await lists(bob, "load/native")).text();
    expect(loaded.trimEnd().split("\n")).toHaveLength(others.length + 1);
    const facets = await lists(bob, "metadata-search/native/file");
    expect(((await facets.json()) as { total_count: number }).total_count).toBe(15);
  });

  it("make a catalogue of hidden files empty, with a remark", async () => {
    const hidden = `file=${encodeURIComponent(at("mine.nc"))}`;
    const ask = (operation: string, who: Person) =>
      service.get(`/databrowser/${operation}?${hidden}`, bearer(who.token));
    for (const [operation, status] of [
      ["intake-catalogue/native/file", 400],
      ["stac-catalogue/native/file", 404],
      ["load/native", 400],
    ] as const) {
      expect((await ask(operation, bob)).status, operation).toBe(status);
      expect((await ask(operation, ada)).status, operation).toBe(200);
    }
    const list = await ask("data-search/native/file", bob);
    expect([list.status, await list.text()]).toEqual([200, ""]);
  });

  it(`apply to the file at once after they are removed, and to folders, groups and sharers within ${FELT / 1000} s`, {
    timeout: patience(60_000, 400_000),
  }, async () => {
    const made = await service.get(
      "/data-portal/share-zarr",
      jsonRequest("POST", { uuid: datasetId(at("moving/in.nc")), ttl_seconds: 3600 }, ada.token),
    );
    const shared = new URL(((await made.json()) as SharedZarr).url).pathname.slice(PREFIX.length);
    const throughShare = async () => (await service.get(`${shared}/tas/0.0.0`)).status;
    expect(await throughShare()).toBe(200);
    expect(await read(bob, "changing.nc", "tas/0.0.0")).toBe(200);
    await chmod(at("changing.nc"), 0o640);
    expect(await read(bob, "changing.nc", "tas/0.0.0")).toBe(403);
    acl(`u:${BOB}:r`, "changing.nc");
    expect(await read(bob, "changing.nc", "tas/0.0.0")).toBe(200);

    await chmod(at("moving"), 0o700);
    members.delete(ADA);
    await chown(at("club.nc"), BOB, CLUB);
    await Promise.all([
      gone(() => read(bob, "moving/in.nc", "tas/0.0.0")),
      gone(() => read(ada, "club.nc", "tas/0.0.0")),
      gone(throughShare),
    ]);
    const { detail } = await problem(await service.get(`${shared}/.zmetadata`));
    expect(detail).toContain("The user who shared these data may not read them");
    expect(detail).not.toContain(ada.name);
    expect((await service.get(shared)).status).toBe(403);
  });
});
