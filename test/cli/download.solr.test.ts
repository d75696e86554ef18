/** The command download against a service. */
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DownloadState } from "../../src/cli/download/download-state.js";
import { datasetId } from "../../src/files/zarr/address.js";
import {
  listedName,
  ODD_NAMES,
  put,
  runScript,
  type StoredFile,
  saved,
  shells,
  storeFiles,
} from "../server/downloads/scene.js";
import { freshFolder } from "../support/run/folders.js";
import { runHere } from "../support/service/command.js";
import { fillIndex, startService, type TestService } from "../support/service/service.js";
import { bearer } from "../support/service/sign-in.js";
import { person } from "../support/service/user-data.js";

let service: TestService;
const folder = freshFolder();
let data: string;
let to: string;
let token: string;
let stored: StoredFile[];

beforeAll(async () => {
  data = join(folder, "data");
  service = await startService({ dataRoots: [data], publicData: "product=open" });
  token = (await person(service)).token;
  const odd = ODD_NAMES.map((name, index) => ({
    name,
    content: randomBytes(1000 + index),
    bare: index === 1,
  }));
  const all = await storeFiles(data, [...odd, { name: "empty.nc", content: Buffer.alloc(0) }]);
  stored = all.stored;
  const open = await storeFiles(join(data, "open"), [
    { name: "open.nc", content: randomBytes(3_000_000) },
    { name: "other.nc", content: randomBytes(10) },
  ]);
  const newer = await storeFiles(join(data, "newer"), [
    { name: "other.nc", content: randomBytes(20) },
  ]);
  const unread = await storeFiles(join(data, "unread"), [
    { name: "mem", content: Buffer.alloc(0) },
    { name: "other.nc", content: randomBytes(10) },
  ]);
  Object.assign(unread.documents[0] ?? {}, { version: "v1" });
  await fillIndex(service.solr, [
    ...all.documents.map((one) => ({ ...one, product: ["odd"] })),
    ...open.documents.map((one) => ({ ...one, product: ["open"], version: "v1" })),
    ...newer.documents.map((one) => ({ ...one, product: ["newer"] })),
    ...unread.documents.map((one) => ({ ...one, product: ["unread"] })),
    { file: join(data, "x.zarr"), format: "zarr", product: ["open"] },
  ]);
});
afterAll(() => service.close());
beforeEach(async () => {
  to = await mkdtemp(join(folder, "to-"));
});

const env = (more = {}) => ({ XDG_CONFIG_HOME: folder, HOME: folder, ...more });
const download = (args: readonly string[], more = {}, host = service.address) =>
  runHere(["download", "--host", host, "--to", to, ...args], env(more));
const state = (): string => join(to, ".climate-nextgen-download");
const sent = (): number =>
  service.log.filter((line) => line.includes('"operation":"readFile"')).length;

describe("download", () => {
  it("saves files of any names with a script token, and fetches nothing twice", async () => {
    const args = ["product=odd", "--layout", "flat", "--at-once", "8"];
    const ran = await download(args, { CLIMATE_NEXTGEN_TOKEN: token });
    expect(ran.stderr).toContain("1 file verified by length alone");
    expect(ran.code, ran.stderr).toBe(0);
    const expected = stored.map(
      ({ file, content }) => [listedName(file.slice(data.length + 1)), content] as const,
    );
    expect(await saved(to)).toEqual(new Map(expected));
    expect(ran.stderr).toMatch(/23 of 23 files there, [\d.]+ kB fetched/);
    const before = sent();
    const again = await download(args, { CLIMATE_NEXTGEN_TOKEN: token });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain("23 of 23 files there, 0 B fetched");
    expect(sent()).toBe(before);
  });

  it("goes on where the script ended, and the script where it ended", async () => {
    const path = "/databrowser/download/native/file?product=odd&layout=flat";
    const script = join(folder, "download.sh");
    await writeFile(script, await (await service.get(path, bearer(token))).text());
    const [shell] = await shells(folder);
    if (shell === undefined) throw new Error("there is no shell");
    const args = ["product=odd", "--layout", "flat"];
    const runs = [
      async () => (await runScript({ shell, script, to, token })).status,
      async () => (await download(args, { CLIMATE_NEXTGEN_TOKEN: token })).code,
    ];
    const differing = ODD_NAMES.filter((name) => listedName(name) !== name).length;
    for (const [first, second] of [runs, runs.toReversed()]) {
      await rm(to, { recursive: true });
      await mkdir(to);
      expect(await first?.()).toBe(0);
      const before = sent();
      expect(await second?.()).toBe(0);
      expect(sent() - before).toBe(differing);
    }
  });

  it("needs no token for public data, saves by dataset and version, and reports what it leaves out", async () => {
    const ran = await download(["cmip6", "activity_id=open"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("Zarr stores, which are read as streams, are left out: 1");
    const names = [...(await saved(to)).keys()];
    expect(
      names.every((name) => /\/v1\/o(pen|ther)\.nc$/.test(name)),
      names.join(),
    ).toBe(true);
    expect((await readdir(state())).sort()).toEqual(["done"]);
  });

  it("prints missing files with --dry-run, and fetches nothing", async () => {
    const ran = await download(["product=open", "--layout", "flat", "--dry-run"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout.split("\n").sort()).toEqual(["", "10\tother.nc", "3000000\topen.nc"]);
    expect(ran.stderr).toContain("2 files of 2 missing, 3.0 MB.");
    expect(await readdir(to)).toEqual([]);
    await writeFile(join(to, "other.nc"), randomBytes(10));
    const again = await download(["product=open", "--layout", "flat", "--dry-run"]);
    expect(again.stderr).toContain("1 file of 2 missing, 3.0 MB.");
  });

  it("continues a partial file of the same content, and starts again for another one", async () => {
    const file = join(data, "open", "open.nc");
    const content = await readFile(file);
    const id = datasetId(file);
    const address = `/data-portal/files/${id}/open.nc`;
    const tag = (await service.get(address, { method: "HEAD" })).headers.get("etag");
    for (const [known, part, status] of [
      [tag, content.subarray(0, 2_000_000), 206],
      ['"other"', randomBytes(2_000_000), 200],
    ] as const) {
      await rm(to, { recursive: true });
      await mkdir(state(), { recursive: true });
      await writeFile(join(state(), `${id}.part`), part);
      const head = `HTTP/1.1 200 OK\r\nETag: ${known}\r\nContent-Length: 3000000\r\n`;
      await writeFile(join(state(), `${id}.head`), head);
      const ran = await download(["product=open", "file=*open.nc", "--layout", "flat"]);
      expect(ran.code, ran.stderr).toBe(0);
      expect((await readFile(join(to, "open.nc"))).equals(content)).toBe(true);
      const last = service.log.filter((line) => line.includes('"operation":"readFile"')).at(-1);
      expect(JSON.parse(last ?? "{}").status).toBe(status);
    }
  });

  it("leaves a file that differs, unless it may replace it", async () => {
    await writeFile(join(to, "other.nc"), "mine");
    const args = ["product=open", "--layout", "flat"];
    const ran = await download(args);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("other.nc exists already and is another file");
    expect((await stat(join(to, "open.nc"))).size).toBe(3_000_000);
    expect((await download([...args, "--replace"])).code).toBe(0);
    expect((await stat(join(to, "other.nc"))).size).toBe(10);
  });

  it("replaces a file by another one of its name, and this one by the first again", async () => {
    for (const [product, bytes] of [
      ["open", 10],
      ["newer", 20],
      ["open", 10],
    ] as const) {
      const args = [`product=${product}`, "file=*other.nc", "--layout", "flat", "--replace"];
      const ran = await download(args, { CLIMATE_NEXTGEN_TOKEN: token });
      expect(ran.code, ran.stderr).toBe(0);
      expect((await stat(join(to, "other.nc"))).size).toBe(bytes);
    }
  });

  it("counts a file as there only once it has its name", async () => {
    const args = ["product=open", "--layout", "flat"];
    await mkdir(join(to, "other.nc"));
    const broken = await download([...args, "--replace"]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain("other.nc cannot be written");
    await rm(join(to, "other.nc"), { recursive: true });
    await writeFile(join(to, "other.nc"), "mine");
    const ran = await download(args);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("other.nc exists already and is another file");
    expect((await download([...args, "--replace"])).code).toBe(0);
    expect((await stat(join(to, "other.nc"))).size).toBe(10);
  });

  it("goes on if a file that exists cannot be read", async () => {
    const as = { CLIMATE_NEXTGEN_TOKEN: token };
    const { stdout } = await download(["product=unread", "--dry-run"], as);
    const [, path = ""] = /\t(.+)\/v1\/mem$/m.exec(stdout) ?? [];
    await mkdir(join(to, path), { recursive: true });
    // The file "mem" in this folder has a length of 0, and nobody can read it from its beginning.
    await symlink("/proc/self", join(to, path, "v1"));
    const ran = await download(["product=unread"], as);
    expect(ran.stderr).toContain(
      "mem exists already and cannot be read (EIO); --replace replaces it",
    );
    expect(ran.stderr).toContain("1 of 2 files there");
    expect(ran.code).toBe(1);
    // Another file takes its place where the folder allows it.
    const replaced = await download(["product=unread", "--replace"], as);
    expect(replaced.stderr).toContain("mem cannot be written");
  });

  it("reports a missing token, an unknown search, a busy folder and wrong options", async () => {
    const signedOut = await download(["product=odd"]);
    expect(signedOut.code).toBe(2);
    expect(signedOut.stderr).toContain("An access token is needed");
    expect((await download(["product=none"])).code).toBe(1);
    expect((await download(["prodct=x"])).stderr).toContain("did you mean product");
    expect((await download(["product=open", "--at-once", "0"])).code).toBe(2);
    await put(join(state(), "lock", "pid"), `1 ${hostname()}\n`);
    const busy = await download(["product=open"]);
    expect(busy.code).toBe(2);
    expect(busy.stderr).toContain("Process 1 downloads into");
    // In a container, an earlier process may have had the number of this one.
    await put(join(state(), "lock", "pid"), `${process.pid} ${hostname()}\n`);
    expect((await download(["product=open"])).code).toBe(0);
  });

  it.each([
    ["another machine", "1 elsewhere", "Process 1 of the machine elsewhere"],
    ["another container with this name", `${process.pid} ${hostname()}`, `Process ${process.pid}`],
  ])("refuses a folder that %s downloads into", async (_, holder, named) => {
    await put(join(state(), "lock", "pid"), `${holder}\n`);
    let beats = 0;
    const path = join(state(), "beat");
    await writeFile(path, "");
    const other = setInterval(() => writeFileSync(path, `${beats++}`), 50);
    const busy = await download(["product=open"]).finally(() => clearInterval(other));
    expect(busy.code).toBe(2);
    expect(busy.stderr).toContain(`${named} downloads into`);
  });

  it("uses a folder whose lock names no process, and leaves the lock of another download", async () => {
    await put(join(state(), "lock", "pid"), "");
    const ran = await download(["product=open"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain("Another machine");
    const opened = await DownloadState.open(to);
    await put(join(state(), "lock", "pid"), "1 elsewhere\n");
    await opened.close();
    expect(await readdir(join(state(), "lock"))).toEqual(["pid"]);
  });
});

describe("a hostile service", () => {
  const content = Buffer.from("content");
  const sum = createHash("sha256").update(content).digest("hex");
  const known = { ETag: '"a"', "Content-Length": 7 };
  const pretend = async (
    name: string,
    headers: Readonly<Record<string, unknown>> = known,
    environment: Readonly<Record<string, string>> = { CLIMATE_NEXTGEN_TOKEN: "secret" },
    /** The first tokens that are accepted for the list and for the file. The service is neither away nor busy then. */
    accepted?: { readonly list: number; readonly file: number },
  ) => {
    const requests: string[] = [];
    let tokens = 0;
    const server = createServer((request, response) => {
      requests.push(request.url ?? "");
      if (request.url?.endsWith("/token")) {
        tokens += 1;
        // The first token has expired when the download begins. The service is away then, and busy after that.
        const expires = tokens === 1 && accepted === undefined ? 1 : 4e9;
        const access_token = `${tokens}`;
        const token = { access_token, refresh_token: "r", expires, refresh_expires: 4e9 };
        if (tokens === 2 && accepted === undefined) request.socket.destroy();
        else if (tokens !== 3) response.end(JSON.stringify(token));
        else response.writeHead(503).end('{"detail":"The service is busy."}');
        return;
      }
      const isList = request.url?.includes("/databrowser/");
      const number = Number(request.headers.authorization?.slice("Bearer ".length));
      if (number < (accepted?.[isList ? "list" : "file"] ?? 0)) {
        response.writeHead(401, { "Content-Type": "application/problem+json" });
        response.end('{"detail":"The access token has expired."}');
      } else if (isList) {
        response.writeHead(200, { "Content-Type": "application/metalink4+xml" });
        const url =
          "https://elsewhere.example/data-portal/files/5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e/a.nc";
        response.end(
          `<metalink>\n<file name="${name}"><size>7</size><hash type="sha-256">${sum}</hash><url>${url}</url></file>\n</metalink>\n`,
        );
      } else {
        for (const [header, value] of Object.entries(headers))
          response.setHeader(header, String(value));
        response.write(content.subarray(0, 3));
        response.end(content.subarray(3));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ran = await download(["x=y"], environment, host);
    server.close();
    return { ran, requests };
  };

  it("cannot write outside the folder", async () => {
    for (const name of ["../out.nc", "/tmp/out.nc", "a/../../out.nc", "a//b.nc", "."]) {
      const { ran } = await pretend(name);
      expect(ran.code, name).toBe(2);
      expect(ran.stderr).toContain("cannot be read");
    }
    expect(await readdir(dirname(to))).not.toContain("out.nc");
  });

  it("may be behind a proxy that sends a file without its length", async () => {
    for (const headers of [{ ETag: '"a"' }, {}]) {
      await rm(to, { recursive: true });
      const { ran } = await pretend("a.nc", headers);
      expect(ran.code, ran.stderr).toBe(0);
      expect((await readFile(join(to, "a.nc"))).equals(content)).toBe(true);
    }
  });

  it("may be away or busy while the token is to be renewed", async () => {
    const { ran, requests } = await pretend("a.nc", known, { CLIMATE_NEXTGEN_REFRESH_TOKEN: "r" });
    expect(ran.code, ran.stderr).toBe(0);
    expect((await readFile(join(to, "a.nc"))).equals(content)).toBe(true);
    expect(requests.filter((url) => url.endsWith("/token"))).toHaveLength(4);
  });

  it.each([
    ["a file", { list: 1, file: 2 }, 0],
    ["the list", { list: 2, file: 2 }, 0],
    ["a file twice", { list: 1, file: 3 }, 2],
  ])(
    "may refuse a token that is valid by this machine's clock: for %s",
    async (_, accepted, code) => {
      const environment = { CLIMATE_NEXTGEN_REFRESH_TOKEN: "r" };
      const { ran, requests } = await pretend("a.nc", known, environment, accepted);
      expect(ran.code, ran.stderr).toBe(code);
      expect(requests.filter((url) => url.endsWith("/token"))).toHaveLength(2);
      expect(requests).toHaveLength(5);
      if (code === 2) expect(ran.stderr).toContain("The access token has expired.");
      else expect((await readFile(join(to, "a.nc"))).equals(content)).toBe(true);
    },
  );

  it("gets no request for a file with another length than in the index", async () => {
    const { ran, requests } = await pretend("a.nc", { ETag: '"a"', "Content-Length": 6 });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("a.nc has 6 bytes, but 7 in the index");
    expect(requests).toHaveLength(2);
    expect((await readdir(state())).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("cannot make it send the token to another host", async () => {
    const { ran, requests } = await pretend("a.nc");
    expect(ran.code, ran.stderr).toBe(0);
    expect(requests.at(-1)).toContain("/data-portal/files/5f0c2b1e");
    expect((await readFile(join(to, "a.nc"))).equals(content)).toBe(true);
  });
});
