/** Two instances that share Solr and a key, and no folder: what is done on one is known to the other. */

import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import type { Introspection, JsonWebKeySet, SharedZarr } from "../../generated/schemas.js";
import { datasetId } from "../../src/files/zarr/address.js";
import { PasswordHasher } from "../../src/identity/accounts/password-hash.js";
import { STATE_KEY, testSolrSettings } from "../cli/command.js";
import { expectWithin } from "../support/run/bounds.js";
import { freshFolder } from "../support/run/folders.js";
import { attempts, tried } from "../support/run/trials.js";
import { runHere } from "../support/service/command.js";
import { flavours, makeFlavour } from "../support/service/flavours.js";
import { SAMPLE_FILE } from "../support/service/sample.js";
import { fillIndex, startService, type TestService } from "../support/service/service.js";
import { bearer, jsonRequest, PASSWORD, post, signIn, status } from "../support/service/sign-in.js";

const SETTINGS = {
  baseUrl: "https://data.example.org",
  auth: { shared: { text: STATE_KEY } },
} as const;
/** Milliseconds within which an instance follows what a command has changed; beside it the machine's own time. */
const FOLLOWS = 2000;

let one: TestService;
let two: TestService;
/** Of a machine that has nothing but the settings. */
let third: Record<string, string>;
let names = 0;
let hash: string;

beforeAll(async () => {
  third = { ...testSolrSettings(), STATE_KEY, DATA_DIR: freshFolder() };
  [one, two] = await Promise.all([startService(SETTINGS), startService(SETTINGS)]);
  const hasher = new PasswordHasher();
  hash = await hasher.hash(PASSWORD);
  await hasher.close();
  await fillIndex(one.solr, [{ file: SAMPLE_FILE, variable: "tas", model: "M1" }]);
});
afterAll(() => Promise.all([one.close(), two.close()]));

async function command(args: readonly string[], input = PASSWORD): Promise<string> {
  const { code, stdout, stderr } = await runHere(args, third, input);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** A user, made through one instance, which the other has to look for; the name is new each time. */
async function newUser(isAdmin = false): Promise<string> {
  names += 1;
  const name = `user${names}`;
  await one.auth.users.add(name, "", hash, isAdmin);
  return name;
}

const introspect = async (at: TestService, token: string, by: string): Promise<Introspection> =>
  (await (await post(at, { token }, bearer(by).headers, "introspect")).json()) as Introspection;

/** Waits until something holds at the other instance. */
const follows = (holds: () => Promise<boolean>): Promise<void> =>
  expectWithin(FOLLOWS + 1000, holds);

describe("two instances on one store", () => {
  it("accept each other's tokens: status, introspection, refresh and revocation", async () => {
    const name = await newUser();
    const token = await signIn(one, name);
    expect((await status(two, token.access_token)).status).toBe(200);
    const seen = await introspect(two, token.access_token, token.access_token);
    expect(seen).toMatchObject({ active: true, username: name });
    const refreshed = await introspect(two, token.refresh_token, token.access_token);
    expect(refreshed).toMatchObject({ active: true, username: name });

    const next = await post(two, { refresh_token: token.refresh_token });
    expect(next.status).toBe(200);
    const newest = (await next.json()) as { access_token: string; refresh_token: string };
    expect((await status(one, newest.access_token)).status).toBe(200);
    // The one that was used ends the family, wherever it comes back.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await post(one, { refresh_token: token.refresh_token })).status).toBe(401);
    expect((await post(two, { refresh_token: newest.refresh_token })).status).toBe(401);

    expect((await post(two, { token: newest.access_token }, {}, "revoke")).status).toBe(200);
    expect((await status(two, newest.access_token)).status).toBe(401);
    await follows(async () => (await status(one, newest.access_token)).status === 401);
  });

  it("count failed sign-ins together", async () => {
    const username = await newUser();
    const wrong = (at: TestService) => post(at, { username, password: "wrong" });
    for (let i = 0; i < 5; i += 1) {
      expect((await wrong(one)).status).toBe(401);
      expect((await wrong(two)).status).toBe(401);
    }
    expect((await wrong(one)).status).toBe(429);
    expect((await post(two, { username, password: PASSWORD })).status).toBe(429);
  });

  it("know a new client at once", async () => {
    const { client_secret: secret } = JSON.parse(await command(["clients", "add", "portal"])) as {
      client_secret: string;
    };
    const name = await newUser();
    const form = { username: name, password: PASSWORD, client_id: "portal" };
    for (const at of [one, two]) {
      expect((await post(at, { ...form, client_secret: secret })).status).toBe(200);
      expect((await post(at, { ...form, client_secret: "wrong" })).status).toBe(401);
    }
    expect(await command(["clients", "list"])).toContain("portal");
    await two.auth.clients.remove("portal");
    for (const at of [one, two]) {
      await follows(
        async () => (await post(at, { ...form, client_secret: secret })).status === 401,
      );
    }
  });

  it("know new and changed users: a new password, and a disabled account", async () => {
    const name = await newUser();
    const tokens = [await signIn(one, name), await signIn(two, name)];
    const hasher = new PasswordHasher();
    await two.auth.users.setPassword(name, await hasher.hash("another"));
    await hasher.close();
    for (const at of [one, two]) {
      expect((await post(at, { username: name, password: PASSWORD })).status).toBe(401);
      expect((await post(at, { username: name, password: "another" })).status).toBe(200);
    }
    await command(["users", "disable", name]);
    for (const [i, at] of [one, two].entries()) {
      expect((await post(at, { username: name, password: "another" })).status).toBe(401);
      const refresh_token = tokens[i]?.refresh_token ?? "";
      expect((await post(at, { refresh_token })).status).toBe(401);
    }
    const list = JSON.parse(await command(["users", "list"])) as {
      name: string;
      disabled: boolean;
    }[];
    expect(list).toContainEqual(expect.objectContaining({ name, disabled: true }));
    await two.auth.users.remove(name);
    // One of the same name is somebody else.
    await command(["users", "add", name, "--password-stdin"]);
    expect((await signIn(two, name)).access_token).toBeDefined();
    const [refresh_token] = tokens.map((token) => token.refresh_token);
    expect((await post(one, { refresh_token: refresh_token ?? "" })).status).toBe(401);
  });

  it("know shared addresses, also that their sharer is removed", async () => {
    const name = await newUser();
    const token = (await signIn(one, name)).access_token;
    const share = async (at: TestService): Promise<string> => {
      const response = await at.get(
        "/data-portal/share-zarr",
        jsonRequest("POST", { uuid: datasetId(SAMPLE_FILE) }, token),
      );
      expect(response.status).toBe(200);
      return new URL(((await response.json()) as SharedZarr).url).pathname.slice(PREFIX.length);
    };
    const read = async (at: TestService, path: string): Promise<number> =>
      (await at.get(`${path}/.zmetadata`)).status;
    const [first, second] = [await share(one), await share(two)];
    for (const path of [first, second]) {
      expect(await read(one, path)).toBe(200);
      expect(await read(two, path)).toBe(200);
    }
    const ended = await two.get(
      "/data-portal/share-zarr",
      jsonRequest("DELETE", { url: `https://data.example.org${PREFIX}${first}` }, token),
    );
    expect(ended.status).toBe(204);
    expect(await read(two, first)).toBe(401);
    await one.auth.users.disable(name);
    for (const at of [one, two]) {
      await follows(async () => (await read(at, second)) === 401);
    }
  });

  it("know who may make global flavours", async () => {
    const admin = await newUser(true);
    const { access_token: token } = await signIn(one, admin);
    await makeFlavour(one, { token }, "ours", { model: "machine" }, true);
    const removed = await flavours(two, { token }, "DELETE", undefined, "/ours?is_global=true");
    expect(removed.status).toBe(200);
    await one.auth.users.setAdministrator(admin, false);
    for (const at of [one, two]) {
      const wanted = { flavour_name: "others", mapping: {}, is_global: true };
      expect((await flavours(at, { token }, "POST", wanted)).status).toBe(403);
    }
  });
});

const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);

describe("keys rotate", () => {
  it("fails no request of two instances", async () => {
    const name = await newUser();
    const total = attempts(150, 1000);
    const before = await signIn(one, name);
    const kids = new Set([kidOf(before.access_token)]);
    const failures: string[] = [];
    let done = 0;
    const note = (what: string, response: Response): void => {
      done += 1;
      if (response.status !== 200) failures.push(`${what}: ${response.status}`);
    };
    const work = async (at: TestService, other: TestService): Promise<void> => {
      let { refresh_token: token } = await signIn(at, name);
      while (done < total || kids.size < 2) {
        const answer = await post(at, { refresh_token: token });
        note("refresh", answer);
        const next = (await answer.json()) as { access_token: string; refresh_token: string };
        token = next.refresh_token;
        kids.add(kidOf(next.access_token));
        // At once, on the one that has not made it.
        note("status", await status(other, next.access_token));
        note("former", await status(other, before.access_token));
        const { keys } = (await (await other.get("/auth/v2/jwks")).json()) as JsonWebKeySet;
        if (!keys.some(({ kid }) => kids.has(kid))) failures.push("jwks");
      }
    };
    const pairs = [0, 1, 2, 3].map((i) => (i % 2 === 0 ? work(one, two) : work(two, one)));
    while (done < 20 && failures.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const { kid } = JSON.parse(await command(["keys", "rotate"])) as { kid: string };
    await Promise.all(pairs);
    tried(done, done - failures.length);
    expect(failures).toEqual([]);
    expect(kids).toContain(kid);
    const { keys } = (await (await two.get("/auth/v2/jwks")).json()) as JsonWebKeySet;
    expect(keys[0]?.kid).toBe(kid);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });
});
