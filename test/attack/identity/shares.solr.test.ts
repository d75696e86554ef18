/** Shared addresses: who ends them, what they tell, and that nobody else learns of them. */

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { SharedZarr } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { keyFolder } from "../../../src/identity/accounts/accounts.js";
import { Users } from "../../../src/identity/accounts/users.js";
import { KeyFolder } from "../../../src/identity/keys/key-folder.js";
import { expectWithin } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, tried } from "../../support/run/trials.js";
import { USERS, useProvider } from "../../support/service/identity-provider.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { emptyIndex, load, startService } from "../../support/service/service.js";
import { addUser, bearer, jsonRequest, post, status } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { add, entry, message, type Person, person } from "../../support/service/user-data.js";

const provider = useProvider();
const service = useService(() => ({
  dataRoots: [at("work")],
  userDataRoots: [`${at("work")}/{user}`],
  auth: { outside: provider.outside },
}));
const folder = freshFolder();
let ada: Person;
let bob: Person;

const at = (name: string): string => join(folder, name);
const own = (who: Person): string => at(`work/${who.name}/own.nc`);

beforeAll(async () => {
  [ada, bob] = [await person(service), await person(service)];
  await emptyIndex(service.solr);
  for (const who of [ada, bob]) await register(who);
});

async function register(who: Person): Promise<void> {
  await mkdir(at(`work/${who.name}`), { recursive: true });
  await copyFile(SAMPLE_FILE, own(who));
  await message(await add(service, who, [entry(own(who))]));
}

const call = (method: "POST" | "DELETE", who: Pick<Person, "token">, body: object) =>
  service.get("/data-portal/share-zarr", jsonRequest(method, body, who.token));

async function share(who: Person): Promise<string> {
  const response = await call("POST", who, { uuid: datasetId(own(who)) });
  expect(response.status).toBe(200);
  return ((await response.json()) as SharedZarr).url;
}

const read = async (url: string): Promise<number> => {
  const response = await fetch(`${url}/.zmetadata`);
  await response.arrayBuffer();
  return response.status;
};

const ticketOf = (url: string): string => url.split("/share/")[1]?.split("/")[0] ?? "";

describe("a shared address", () => {
  it("reveals neither whose it is nor who made it", async () => {
    const ticket = ticketOf(await share(ada));
    const said = ticket.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    for (const text of [ticket, ...said]) {
      expect(text).not.toContain(ada.name);
      expect(text).not.toContain(ada.sub);
      expect(text).not.toContain(Buffer.from(ada.name).toString("base64url").slice(2, -2));
    }
    expect(Object.keys(JSON.parse(said[1] ?? "")).sort()).toEqual([
      "aud",
      "exp",
      "iss",
      "jti",
      "sub",
    ]);
  });

  it("is revoked by its sharer alone, and at once", async () => {
    const [first, second] = [await share(ada), await share(ada)];
    expect([await read(first), await read(second)]).toEqual([200, 200]);
    for (const [who, url] of [
      [bob, first],
      [ada, `${service.address}${PREFIX}/data-portal/share/x.y.z/a.zarr`],
      [ada, "https://data.example.org/"],
    ] as const) {
      expect((await call("DELETE", who, { url })).status).toBe(404);
    }
    expect((await service.get("/data-portal/share-zarr", { method: "DELETE" })).status).toBe(401);
    expect(await read(first)).toBe(200);
    expect((await call("DELETE", ada, { url: `${first}/.zmetadata` })).status).toBe(204);
    expect(await read(first)).toBe(401);
    expect((await call("DELETE", ada, { url: first })).status).toBe(404);
    expect(await read(second)).toBe(200);
  });

  it("stays revoked, however many requests arrive at the same moment", async () => {
    for (let i = 0; i < attempts(5, 100); i += 1) {
      const url = await share(ada);
      const reading = Array.from({ length: 8 }, () => read(url));
      const ended = await call("DELETE", ada, { url });
      expect(ended.status).toBe(204);
      await Promise.all(reading);
      expect(await read(url)).toBe(401);
    }
  });

  it("ends within seconds if another instance revokes it", async () => {
    const second = await startService({ dataDir: service.dataDir, baseUrl: service.address });
    const url = await share(ada);
    expect(await read(url)).toBe(200);
    const response = await second.get(
      "/data-portal/share-zarr",
      jsonRequest("DELETE", { url }, ada.token),
    );
    expect(response.status).toBe(204);
    await expectWithin(5000, async () => (await read(url)) === 401);
    await second.close();
  });

  it("ends with the account of its sharer, disabled or removed", async () => {
    for (const end of ["disable", "remove"] as const) {
      const carl = await person(service);
      await register(carl);
      const url = await share(carl);
      expect(await read(url)).toBe(200);
      await new Users(service.dataDir)[end](carl.name);
      expect(await read(url)).toBe(401);
      // A new account of the same name is somebody else.
      if (end === "remove") await addUser(service.dataDir, carl.name);
      if (end === "remove") expect(await read(url)).toBe(401);
    }
  });

  it("needs the store, except for what was looked up a moment ago", async () => {
    const url = await share(ada);
    const dead = await startService({
      dataDir: service.dataDir,
      endpoint: { urls: [new URL("http://127.0.0.1:9/solr")] },
      baseUrl: service.address,
    });
    const path = new URL(url).pathname.slice(PREFIX.length);
    expect((await dead.get(`${path}/.zmetadata`)).status).toBe(503);
    await dead.close();
  });

  it("is in no log, however its path is spelled", async () => {
    const url = await share(ada);
    const ticket = ticketOf(url);
    const random = chance(5);
    const escaped = (text: string, often: number): string =>
      text.replaceAll(/[\w-]/g, (letter) =>
        random() < often ? `%${letter.charCodeAt(0).toString(16)}` : letter,
      );
    const prefix = `${PREFIX}/data-portal/share/`;
    tried(attempts(30, 2000));
    for (let i = 0; i < attempts(30, 2000); i += 1) {
      const before = [
        escaped(prefix, 0.2),
        prefix.toUpperCase(),
        prefix.replaceAll("/", "//"),
        `${PREFIX}/data-portal/./share/`,
        `${PREFIX}/data-portal%2fshare%2f`,
        `${PREFIX}/data-portal/zarr/`,
        "/",
        `/x.zarr/`,
      ][i % 8];
      const spelled = random() < 0.5 ? ticket : escaped(ticket, 0.1);
      const after = ["", "/.zmetadata", `/${datasetId(own(ada))}.zarr/tas/0.0.0`][i % 3];
      const method = ["GET", "POST", "OPTIONS", "HEAD"][i % 4] ?? "GET";
      await (await fetch(service.address + before + spelled + after, { method })).arrayBuffer();
    }
    const log = service.log.join("");
    for (const part of ticket.split(".")) {
      expect(decodeURIComponent(log.replaceAll(/%(?![\da-f]{2})/gi, ""))).not.toContain(
        part.slice(3, 30),
      );
    }
    expect(log).toContain('"method":"OPTIONS"');
  });
});

describe("an account of the outside provider", () => {
  it("differs from the local one of the same name: for reading, sharing and deleting", async () => {
    const response = await post(service, { username: "olga", password: USERS.olga ?? "" });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const outside = { name: "olga", sub: "olga", token };
    await mkdir(at("work/olga"), { recursive: true });
    for (const name of ["bare.nc", "local.nc"])
      await copyFile(SAMPLE_FILE, at(`work/olga/${name}`));
    await load(service.solr, [{ file: at("work/olga/bare.nc"), user: "olga" }]);
    const local = await person(service, "olga");
    await message(await add(service, local, [entry(at("work/olga/local.nc"))]));
    for (const name of ["bare.nc", "local.nc"]) {
      const id = datasetId(at(`work/olga/${name}`));
      const as = (who: Person) =>
        service.get(`/data-portal/zarr/${id}.zarr/.zmetadata`, bearer(who.token));
      expect((await as(outside)).status, name).toBe(403);
      expect((await as(local)).status, name).toBe(200);
      expect((await call("POST", outside, { uuid: id })).status).toBe(403);
    }
    expect((await add(service, outside, [entry(at("work/olga/bare.nc"))])).status).toBe(422);
    const deleted = await service.get("/databrowser/userdata", jsonRequest("DELETE", {}, token));
    expect(await deleted.text()).toMatch(/ 0 documents/);
    expect((await status(service, token)).status).toBe(200);
  });
});

describe("keys rotate", () => {
  it("ends every shared address at once, and no access token", async () => {
    const url = await share(ada);
    expect(await read(url)).toBe(200);
    await new KeyFolder(keyFolder(service.dataDir)).add();
    expect(await read(url)).toBe(401);
    expect((await status(service, ada.token)).status).toBe(200);
    expect(await read(await share(ada))).toBe(200);
  });
});
