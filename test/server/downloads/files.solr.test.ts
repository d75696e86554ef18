/** Files through the whole service: parts, preconditions, access, and files that change while they are sent. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { Problem, SharedZarr } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex } from "../../support/service/service.js";
import { addUser, bearer, jsonRequest, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";
import { readSlowly } from "./slow-client.js";

const run = promisify(execFile);
/** More than sockets hold. */
const LARGE = 48 << 20;
const ODD = `-rf 'ä "$(id)" \`x\`\\ \n%2F;&#.nc`;
const content = randomBytes(100_000);
const sha256 = createHash("sha256").update(content).digest();

const service = useService(() => ({ dataRoots: [at("")], publicData: "project=open project=too" }));
const folder = freshFolder();
let token: string;
let owner: string;
let ownToken: string;
const at = (name: string): string => join(folder, "data", name);
const pathOf = (file: string, name = file.slice(file.lastIndexOf("/") + 1)): string =>
  `/data-portal/files/${datasetId(file)}/${encodeURIComponent(name)}`;
const ask = (file: string, headers = {}, init: RequestInit = {}): Promise<Response> =>
  service.get(pathOf(file), { ...init, headers: { ...bearer(token).headers, ...headers } });
const bytes = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

beforeAll(async () => {
  await mkdir(at("store.zarr"), { recursive: true });
  token = (await person(service)).token;
  const { name } = await addUser(service.dataDir);
  owner = name;
  ownToken = (await signIn(service, owner)).access_token;
  for (const file of ["a.nc", "own.nc", "open.nc", "open-own.nc", "changed.nc", ODD]) {
    await writeFile(at(file), content);
  }
  await writeFile(at("empty.nc"), "");
  await writeFile(join(folder, "outside.nc"), content);
  const checksum = `sha256:${sha256.toString("hex")}`;
  const modified = new Date(Math.floor((await stat(at("a.nc"))).mtimeMs)).toISOString();
  await fillIndex(service.solr, [
    { file: at("a.nc"), size: content.length, checksum, modified },
    { file: at("changed.nc"), size: content.length, checksum, modified: "2001-02-03T04:05:06Z" },
    { file: at("own.nc"), user: owner },
    { file: at("open.nc"), project: ["OPEN"] },
    { file: at("open-own.nc"), project: ["open"], user: owner },
    { file: at(ODD) },
    { file: at("empty.nc") },
    { file: at("gone.nc") },
    { file: at("store.zarr") },
    { file: at("large.nc") },
    { file: join(folder, "outside.nc") },
  ]);
});

describe("a file", () => {
  it("is sent whole, with its checksum, its name and its tag, and never compressed", async () => {
    const response = await ask(at("a.nc"), { "Accept-Encoding": "gzip, br" });
    expect(response.status).toBe(200);
    expect((await bytes(response)).equals(content)).toBe(true);
    const { headers } = response;
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("content-length")).toBe("100000");
    expect(headers.get("accept-ranges")).toBe("bytes");
    expect(headers.get("etag")).toMatch(/^"[\w-]+"$/);
    expect(headers.get("repr-digest")).toBe(`sha-256=:${sha256.toString("base64")}:`);
    expect(headers.get("access-control-expose-headers")).toContain("Repr-Digest");
    expect(headers.get("content-disposition")).toBe('attachment; filename="a.nc"');
    const { mtimeMs } = await stat(at("a.nc"));
    expect(Date.parse(headers.get("last-modified") ?? "")).toBe(Math.floor(mtimeMs / 1000) * 1000);
  });

  it("has the same headers for HEAD, without its bytes", async () => {
    const whole = await ask(at("a.nc"));
    await bytes(whole);
    const head = await ask(at("a.nc"), { Range: "bytes=1-2" }, { method: "HEAD" });
    expect(head.status).toBe(200);
    for (const name of ["etag", "content-length", "repr-digest", "last-modified"]) {
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
    }
    expect((await bytes(head)).length).toBe(0);
  });

  it.each([
    ["bytes=0-0", 0, 1],
    ["bytes=99999-", 99_999, 100_000],
    ["bytes=-3", 99_997, 100_000],
    ["bytes=-999999", 0, 100_000],
    ["bytes=1000-1999999999999", 1000, 100_000],
  ])("sends the part %s", async (range, from, to) => {
    const response = await ask(at("a.nc"), { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/100000`);
    expect((await bytes(response)).equals(content.subarray(from, to))).toBe(true);
  });

  it.each(["bytes=0-1,5-6", "bytes=5-4", "lines=1-2", "bytes=-", "bytes=a-b"])(
    "is sent whole for %s",
    async (range) => {
      const response = await ask(at("a.nc"), { Range: range });
      expect(response.status).toBe(200);
      expect((await bytes(response)).length).toBe(100_000);
    },
  );

  it("refuses a range behind its end, and any range of an empty file", async () => {
    for (const file of [at("a.nc"), at("empty.nc")]) {
      const response = await ask(file, { Range: "bytes=100000-" });
      expect(response.status).toBe(416);
      const size = file === at("a.nc") ? 100_000 : 0;
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
    }
    expect((await bytes(await ask(at("empty.nc")))).length).toBe(0);
  });

  it("sends a range for If-Range only of the same file", async () => {
    const tag = (await ask(at("a.nc"), {}, { method: "HEAD" })).headers.get("etag") ?? "";
    const part = { Range: "bytes=10-19" };
    expect((await ask(at("a.nc"), { ...part, "If-Range": tag })).status).toBe(206);
    for (const other of ['"other"', `W/${tag}`, "Mon, 01 Jan 2001 00:00:00 GMT"]) {
      const response = await ask(at("a.nc"), { ...part, "If-Range": other });
      expect(response.status, other).toBe(200);
      expect((await bytes(response)).length).toBe(100_000);
    }
  });

  it("is not sent again while it is unchanged, but is for another tag", async () => {
    const { headers } = await ask(at("a.nc"), {}, { method: "HEAD" });
    const tag = headers.get("etag") ?? "";
    const date = headers.get("last-modified") ?? "";
    expect((await ask(at("a.nc"), { "If-None-Match": `"x", ${tag}` })).status).toBe(304);
    expect((await ask(at("a.nc"), { "If-Modified-Since": date })).status).toBe(304);
    const before = "Mon, 01 Jan 2001 00:00:00 GMT";
    expect((await ask(at("a.nc"), { "If-Modified-Since": before })).status).toBe(200);
    expect(
      (await ask(at("a.nc"), { "If-None-Match": '"x"', "If-Modified-Since": date })).status,
    ).toBe(200);
    expect((await ask(at("a.nc"), { "If-Match": tag })).status).toBe(200);
    expect((await ask(at("a.nc"), { "If-Match": '"x"' })).status).toBe(412);
    expect((await ask(at("a.nc"), { "If-Unmodified-Since": date })).status).toBe(200);
    expect((await ask(at("a.nc"), { "If-Unmodified-Since": before })).status).toBe(412);
    const both = { "If-Match": tag, "If-Unmodified-Since": before };
    expect((await ask(at("a.nc"), both)).status).toBe(200);
    for (const name of ["If-Unmodified-Since", "If-Modified-Since"]) {
      expect((await ask(at("a.nc"), { [name]: "2100-01-01" })).status, name).toBe(200);
      expect((await ask(at("a.nc"), { [name]: "1970" })).status, name).toBe(200);
    }
  });

  it("has no checksum if it has changed since the index knew it", async () => {
    const response = await ask(at("changed.nc"), {}, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("repr-digest")).toBeNull();
  });

  it("has another tag when its content or time changes", async () => {
    const tagOf = async () =>
      (await ask(at("changed.nc"), {}, { method: "HEAD" })).headers.get("etag");
    const before = await tagOf();
    await utimes(at("changed.nc"), 1, 1);
    expect(await tagOf()).not.toBe(before);
  });

  it("may have any name, which its address must have too", async () => {
    const response = await ask(at(ODD));
    expect(response.status).toBe(200);
    expect((await bytes(response)).equals(content)).toBe(true);
    const disposition = response.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(
      /^attachment; filename="[\w.+=@~-]+"; filename\*=UTF-8''[\w.~%-]+$/,
    );
    expect(decodeURIComponent(disposition.split("''")[1] ?? "")).toBe(ODD);
    const wrong = await service.get(pathOf(at("a.nc"), "b.nc"), bearer(token));
    expect(wrong.status).toBe(404);
    expect(Problem.parse(await wrong.json()).detail).toContain('"a.nc"');
  });

  it("is sent to those who may read its stream, and to nobody else", async () => {
    const status = async (file: string, as: string) =>
      (await service.get(pathOf(file), as === "" ? {} : bearer(as))).status;
    expect(await status(at("a.nc"), "")).toBe(401);
    expect(await status(at("a.nc"), "forged")).toBe(401);
    expect(await status(at("own.nc"), token)).toBe(403);
    expect(await status(join(folder, "outside.nc"), token)).toBe(403);
    expect(await status(at("gone.nc"), token)).toBe(410);
    expect(await status("/nothing/of/this.nc", token)).toBe(404);
  });

  it("is no store: its stream is named instead", async () => {
    const response = await ask(at("store.zarr"));
    expect(response.status).toBe(409);
    const { detail } = Problem.parse(await response.json());
    expect(detail).toContain(`${service.address}${PREFIX}/data-portal/zarr/`);
  });

  it("is shared by a ticket for itself alone", async () => {
    const share = async (file: string) =>
      SharedZarr.parse(
        await (
          await service.get(
            "/data-portal/share-zarr",
            jsonRequest("POST", { url: `${service.address}${PREFIX}${pathOf(file)}` }, token),
          )
        ).json(),
      );
    const { file_url = "" } = await share(at(ODD));
    const response = await fetch(file_url, { headers: { Range: "bytes=5-9" } });
    expect(response.status).toBe(206);
    expect((await bytes(response)).equals(content.subarray(5, 10))).toBe(true);
    const other = file_url.replace(datasetId(at(ODD)), datasetId(at("a.nc")));
    expect((await fetch(other)).status).toBe(401);
    expect((await fetch(file_url.replace(/share\/./, "share/x"))).status).toBe(401);
    expect((await share(at("store.zarr"))).file_url).toBeUndefined();
  });
});

describe("public data", () => {
  it("are read without a token: file, stream and page", async () => {
    expect((await bytes(await service.get(pathOf(at("open.nc"))))).equals(content)).toBe(true);
    const store = `/data-portal/zarr/${datasetId(at("open.nc"))}.zarr`;
    // Random bytes are no NetCDF, which only somebody learns who may read them.
    expect((await service.get(`${store}/.zmetadata`)).status).toBe(415);
    expect((await service.get(store)).status).toBe(415);
  });

  it("do not include a user's own, nor files outside PUBLIC, nor what does not exist", async () => {
    for (const file of [at("open-own.nc"), at("a.nc"), "/nothing/of/this.nc"]) {
      expect((await service.get(pathOf(file))).status, file).toBe(401);
    }
    const own = await service.get(pathOf(at("open-own.nc")), bearer(ownToken));
    expect(own.status).toBe(200);
  });

  it("require a valid search", () => {
    for (const text of ["modle=x", "project", "project=", "=x", "project=a model="]) {
      expect(() => readConfig({ PUBLIC: text }), text).toThrow(/PUBLIC has the search/);
    }
    expect(readConfig({}).publicData).toEqual([]);
    expect(readConfig({ PUBLIC: "project=a&project=b  model=c" }).publicData).toHaveLength(2);
  });
});

const large = (): string => at("large.nc");
/** The bytes of the large file that a slow client gets if something happens to the file on the way. */
async function interrupted(happens: () => Promise<void>): Promise<"whole" | "broken"> {
  await writeFile(large(), Buffer.alloc(LARGE, 1));
  const address = `${service.address}${PREFIX}${pathOf(large())}`;
  const request = { address, headers: bearer(token).headers, size: LARGE };
  return readSlowly(request, happens);
}

describe("a file that changes while it is sent", () => {
  it("is complete if nothing happens", async () => {
    expect(await interrupted(async () => {})).toBe("whole");
  });
  it("breaks the transfer if it is shortened", async () => {
    expect(await interrupted(() => truncate(large(), 40 << 20))).toBe("broken");
  });
  it("breaks the transfer if it is written again in place", async () => {
    expect(await interrupted(() => writeFile(large(), Buffer.alloc(LARGE, 2)))).toBe("broken");
  });
  it("breaks the transfer if another file gets its name", async () => {
    const replace = async () => {
      await writeFile(at("new.nc"), Buffer.alloc(LARGE, 2));
      await rename(at("new.nc"), large());
    };
    expect(await interrupted(replace)).toBe("broken");
  });
  it("breaks the transfer if it is removed", async () => {
    expect(await interrupted(() => rm(large()))).toBe("broken");
  });
});

describe("usual clients", () => {
  it.each([
    [
      "curl",
      (url: string) => [
        "-sS",
        "-C",
        "-",
        "-H",
        `Authorization: Bearer ${token}`,
        "-o",
        "part.nc",
        url,
      ],
    ],
    [
      "wget",
      (url: string) => [
        "-q",
        "-c",
        `--header=Authorization: Bearer ${token}`,
        "-O",
        "part.nc",
        url,
      ],
    ],
  ])("continue an interrupted download: %s", async (command, line) => {
    const cwd = await mkdtemp(join(folder, "client-"));
    await writeFile(join(cwd, "part.nc"), content.subarray(0, 12_345));
    await run(command, line(`${service.address}${PREFIX}${pathOf(at("a.nc"))}`), { cwd });
    expect((await readFile(join(cwd, "part.nc"))).equals(content)).toBe(true);
  });
});
