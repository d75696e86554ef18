/** Who may read what: tried by somebody who changes links and files below the data roots all the time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, link, mkdir, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience } from "../../support/run/trials.js";
import { SAMPLE_FILE, SAMPLE_FOLDER } from "../../support/service/sample.js";
import {
  emptyIndex,
  load,
  postToSolr,
  startService,
  type TestService,
} from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { type Person, person } from "../../support/service/user-data.js";

const OTHER = join(SAMPLE_FOLDER, "tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_199001-199412.nc");
const SECRET = "the key that signs everything";

const folder = freshFolder();
let service: TestService;
let ada: Person;
let bob: Person;
const at = (name: string): string => join(folder, name);

/** A store with one array of one chunk, and more files. */
async function makeStore(path: string, files: Readonly<Record<string, string>> = {}) {
  const all = {
    ".zgroup": '{"zarr_format":2}',
    "v/.zarray":
      '{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"|u1","fill_value":0,"order":"C","compressor":null,"filters":null}',
    "v/.zattrs": '{"_ARRAY_DIMENSIONS":["x"]}',
    "v/0": "ok",
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(join(path, name, ".."), { recursive: true });
    await writeFile(join(path, name), text);
  }
}

const read = (file: string, key: string, who: Person = bob): Promise<Response> =>
  service.get(`/data-portal/zarr/${datasetId(file)}.zarr/${key}`, bearer(who.token));

/** Puts documents into the index as they are, as a crawler may, or an earlier release did. */
async function put(...documents: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  await postToSolr(service.solr, documents);
}

/** Somebody on the machine who makes a path lead to one place and another, by renaming, without end. */
function swapping(path: string, targets: readonly [string, string]): ChildProcess {
  const code = `
    const { symlinkSync, renameSync } = require("node:fs");
    const [path, ...targets] = process.argv.slice(1);
    for (let i = 0; ; i += 1) {
      const link = path + ".next";
      symlinkSync(targets[i % 2], link);
      renameSync(link, path);
    }`;
  return spawn(process.execPath, ["-e", code, path, ...targets], { stdio: "ignore" });
}

async function during<T>(attacker: ChildProcess, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    attacker.kill("SIGKILL");
    await once(attacker, "exit");
  }
}

beforeAll(async () => {
  await mkdir(at("roots/work"), { recursive: true });
  service = await startService({
    dataRoots: [at("roots")],
    userDataRoots: [at("roots/work/{user}")],
    uidOf: async () => undefined,
  });
  ada = await person(service, `ada-${crypto.randomUUID()}`);
  bob = await person(service, `bob-${crypto.randomUUID()}`);
  await mkdir(at(`roots/work/${ada.name}`));
  await mkdir(at(`roots/work/${bob.name}`));
  await emptyIndex(service.solr);
});
afterAll(() => service.close());

describe("a swapped link", () => {
  const TRIES = attempts(150, 4000);

  it(
    "gives nothing from outside if it alternates between a file inside and one outside",
    async () => {
      await cp(SAMPLE_FILE, at("roots/inside.nc"));
      await cp(OTHER, at("outside.nc"));
      const path = at("roots/swapped.nc");
      await symlink("inside.nc", path);
      await load(service.solr, [{ file: path }]);
      const inside = Buffer.from(await (await read(path, "time/0")).arrayBuffer());
      const statuses = new Map<number, number>();
      await during(swapping(path, [at("roots/inside.nc"), at("outside.nc")]), async () => {
        for (let i = 0; i < TRIES; i += 1) {
          const response = await read(path, i % 2 ? "time/0" : "tas/0.0.0");
          const body = Buffer.from(await response.arrayBuffer());
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          if (response.status === 200 && i % 2) expect(body.equals(inside)).toBe(true);
        }
      });
      // Both places were met, and nothing was taken for missing.
      expect([...statuses.keys()].sort().filter((status) => status !== 503)).toEqual([200, 403]);
    },
    patience(60_000),
  );

  it.each([
    ["a chunk", "v/0", (store: string) => [join(store, "own"), at("secret")] as const],
    ["a document", "v/.zattrs", (store: string) => [join(store, "own"), at("secret")] as const],
    ["a folder", "v", (store: string) => [join(store, "real"), at("elsewhere")] as const],
  ])(
    "gives nothing from outside the store as its %s",
    async (_, name, targetsOf) => {
      const path = at(`roots/store-${crypto.randomUUID()}.zarr`);
      await makeStore(path, { own: "{}" });
      await writeFile(at("secret"), SECRET);
      await makeStore(at("elsewhere"), { ".zattrs": SECRET, ".zarray": "{}", 0: SECRET });
      if (name === "v") await rename(join(path, "v"), join(path, "real"));
      await load(service.solr, [{ file: path }]);
      const seen = new Set<number>();
      await during(swapping(join(path, name), targetsOf(path)), async () => {
        for (let i = 0; i < TRIES; i += 1) {
          const response = await read(path, ["v/0", "v/.zattrs", ".zmetadata"][i % 3] ?? "");
          const text = await response.text();
          seen.add(response.status);
          expect(text).not.toContain(SECRET);
        }
      });
      for (const status of seen) expect([200, 400, 403, 404, 500, 503]).toContain(status);
      expect(seen.size).toBeGreaterThan(1);
    },
    patience(60_000),
  );

  it("is followed at once and not after ten seconds", async () => {
    const path = at("roots/once.nc");
    await symlink("inside.nc", path);
    await load(service.solr, [{ file: path }]);
    expect((await read(path, "time/0")).status).toBe(200);
    await symlink(at("outside.nc"), `${path}.next`);
    await rename(`${path}.next`, path);
    expect((await read(path, "time/0")).status).toBe(403);
  });
});

describe("another user's data", () => {
  let secret: string;
  beforeAll(async () => {
    secret = at(`roots/work/${ada.name}/secret.nc`);
    await cp(SAMPLE_FILE, secret);
    await put({ file: secret, user: ada.name, owner: ada.sub });
    expect((await read(secret, "time/0", ada)).status).toBe(200);
    expect((await read(secret, "time/0")).status).toBe(403);
  });

  it("is not read by another spelling that a user has in the index", async () => {
    const way = secret.split("/");
    const name = way.pop();
    const above = way.join("/");
    const spellings = [
      `${above}/./${name}`,
      `${above}//${name}`,
      `${above}/../${ada.name}/${name}`,
      `${secret}/`,
      `//${secret.slice(1)}`,
      `file://${secret}`,
      pathToFileURL(secret).href.replace("secret", "%73ecret"),
      `/proc/self/root${secret}`,
      `/proc/${process.pid}/root${secret}`,
    ];
    const own = { user: bob.name, owner: bob.sub };
    await put(...spellings.map((file) => ({ file, ...own })));
    await put({ file: "s3://bucket/own.nc", uri: `file://${secret}`, ...own });
    for (const file of [...spellings, "s3://bucket/own.nc"]) {
      expect((await read(file, "time/0")).status, file).toBe(403);
    }
  });

  it("is not read through a public folder, or a link in it", async () => {
    const path = at("roots/through.nc");
    await symlink(secret, path);
    await symlink(at("roots/work"), at("roots/all"));
    await put({ file: path }, { file: `${at("roots/all")}/${ada.name}/secret.nc` });
    expect((await read(path, "time/0")).status).toBe(403);
    expect((await read(`${at("roots/all")}/${ada.name}/secret.nc`, "time/0")).status).toBe(403);
    expect((await read(path, "time/0", ada)).status).toBe(200);
  });

  it("is not read by a hard link", async () => {
    const path = at(`roots/work/${bob.name}/hard.nc`);
    await link(secret, path);
    const handle = await open(secret);
    const { ino } = await handle.stat({ bigint: true });
    await handle.close();
    await put(
      { file: secret, user: ada.name, owner: ada.sub, inode: ino.toString() },
      { file: path, user: bob.name, owner: bob.sub, inode: ino.toString() },
    );
    expect((await read(path, "time/0")).status).toBe(403);
  });

  it("is not read if a user's own file becomes a link to it, nor is data of nobody", async () => {
    const path = at(`roots/work/${bob.name}/own.nc`);
    await cp(SAMPLE_FILE, path);
    await cp(SAMPLE_FILE, at("roots/unindexed.nc"));
    await put({ file: path, user: bob.name, owner: bob.sub });
    expect((await read(path, "time/0")).status).toBe(200);
    for (const target of [secret, at("roots/unindexed.nc")]) {
      await symlink(target, `${path}.next`);
      await rename(`${path}.next`, path);
      expect((await read(path, "time/0")).status, target).toBe(403);
    }
  });

  it("is not read through a store that contains it, and is not in the store's metadata", async () => {
    const path = at("roots/work/shared.zarr");
    const inner = join(path, "hers");
    await makeStore(path);
    await makeStore(inner, { ".zattrs": `{"about":"${SECRET}"}` });
    // What is hers by a folder of hers.
    const hers = at(`roots/work/${ada.name}/group`);
    await rename(inner, hers);
    const store = at(`roots/work/${ada.name}`);
    await makeStore(store);
    await put(
      { file: hers, user: ada.name, owner: ada.sub, inode: "1" },
      { file: store },
      { file: path },
    );
    expect((await read(store, "v/0")).status).toBe(200);
    for (const key of ["group/v/0", "group/.zattrs", "group/v/.zarray"]) {
      expect((await read(store, key)).status, key).toBe(403);
    }
    expect(await (await read(store, ".zmetadata")).text()).not.toContain(SECRET);
    expect((await read(store, "group/v/0", ada)).status).toBe(200);
    await rm(join(store, ".zgroup"));
  });

  it("stays readable if another user registers public data", async () => {
    const path = at("roots/public.nc");
    await cp(SAMPLE_FILE, path);
    await put(
      { file: `file://${path}` },
      { file: path, user: bob.name, owner: bob.sub },
      { file: at("roots"), user: bob.name, owner: bob.sub },
    );
    expect((await read(`file://${path}`, "time/0", ada)).status).toBe(200);
  });
});

describe("a store", () => {
  it("serves what its metadata names, and nothing else of its folder", async () => {
    const path = at("roots/full.zarr");
    await makeStore(path, {
      "notes.txt": SECRET,
      ".git/config": SECRET,
      ".zsecret": SECRET,
      "v/notes": SECRET,
      "v/7": SECRET,
      "v/0.0": SECRET,
      "v/00": SECRET,
      "backup/other.zarr/.zgroup": '{"zarr_format":2}',
      "backup/other.zarr/v/.zarray": '{"zarr_format":2,"shape":[1],"chunks":[1]}',
      "backup/other.zarr/v/0": SECRET,
    });
    await symlink("nowhere", join(path, "v/1"));
    await put({ file: path });
    const statusOf = async (key: string): Promise<number> => {
      const response = await read(path, key);
      expect(await response.text(), key).not.toContain(SECRET);
      return response.status;
    };
    for (const key of [
      "notes.txt",
      ".git/config",
      ".zsecret",
      "v",
      "v/",
      "v/notes",
      "v/7",
      "v/0.0",
      "v/00",
      "v//0",
      "backup/other.zarr/v/0",
      "v/%2e%2e/notes.txt",
      "V/0",
      "v%2f0%00",
    ]) {
      expect(await statusOf(key), key).toBe(400);
    }
    expect(await statusOf("backup/other.zarr/.zgroup")).toBe(404);
    expect(await statusOf("none/.zarray")).toBe(404);
    // A dangling link is no chunk that was never written.
    expect(await statusOf("v/1")).toBe(503);
    await rm(join(path, "v/1"));
    expect(await statusOf("v/1")).toBe(404);
    expect(await statusOf("v/0")).toBe(200);
  });

  it("is followed while it grows", async () => {
    const path = at("roots/growing.zarr");
    await makeStore(path);
    await put({ file: path });
    expect((await read(path, "v/2")).status).toBe(400);
    const metadata = '{"zarr_format":2,"shape":[6],"chunks":[2],"dtype":"|u1"}';
    await writeFile(join(path, "v/.zarray"), metadata);
    await writeFile(join(path, "v/2"), "ok");
    await expect.poll(async () => (await read(path, "v/2")).status).toBe(200);
  });
});

describe("a file that changes", () => {
  it(
    "is the old or the new one after a rename, never gone and never a mixture",
    async () => {
      const path = at("roots/replaced.nc");
      const versions = [SAMPLE_FILE, OTHER];
      const bodies: Buffer[] = [];
      for (const version of versions) {
        await cp(version, `${path}.next`);
        await rename(`${path}.next`, path);
        if (bodies.length === 0) await put({ file: path });
        bodies.push(Buffer.from(await (await read(path, "tas/0.0.0")).arrayBuffer()));
      }
      expect(bodies[0]?.equals(bodies[1] ?? bodies[0])).toBe(false);
      let stop = false;
      const replacing = (async () => {
        for (let i = 0; !stop; i += 1) {
          await cp(versions[i % 2] ?? "", `${path}.next`);
          await rename(`${path}.next`, path);
        }
      })();
      try {
        for (let i = 0; i < attempts(200, 5000); i += 1) {
          const response = await read(path, "tas/0.0.0");
          const body = Buffer.from(await response.arrayBuffer());
          expect([200, 503]).toContain(response.status);
          if (response.status === 200) expect(bodies.some((one) => one.equals(body))).toBe(true);
        }
      } finally {
        stop = true;
        await replacing;
      }
    },
    patience(60_000),
  );

  it(
    "is noticed when it changes in place: no chunk is made of both",
    async () => {
      const path = at("roots/rewritten.zarr");
      const size = 1 << 20;
      const metadata = JSON.stringify({ zarr_format: 2, shape: [size], chunks: [size] });
      await makeStore(path, { "v/.zarray": metadata });
      const chunk = join(path, "v/0");
      await writeFile(chunk, Buffer.alloc(size, 0));
      await put({ file: path });
      let stop = false;
      const writing = (async () => {
        const handle = await open(chunk, "r+");
        const half = size / 2;
        for (let value = 1; !stop; value = (value + 1) % 250) {
          for (const from of [0, half]) {
            // Longer apart than the clock of the file system is exact.
            await new Promise((resolve) => setTimeout(resolve, 12));
            await handle.write(Buffer.alloc(half, value), 0, half, from);
          }
        }
        await handle.close();
      })();
      let whole = 0;
      try {
        for (let i = 0; i < attempts(150, 3000); i += 1) {
          const response = await read(path, "v/0").catch(() => undefined);
          const body = await response?.arrayBuffer().catch(() => undefined);
          if (response?.status !== 200 || body === undefined) continue;
          whole += 1;
          expect(body.byteLength).toBe(size);
        }
      } finally {
        stop = true;
        await writing;
      }
      expect(whole).toBeGreaterThan(0);
    },
    patience(60_000),
  );
});
