/** Tokens that somebody makes for programs of their own, through HTTP. */

import { beforeAll, describe, expect, it } from "vitest";
import type { MadeScriptToken, ScriptTokenList } from "../../generated/schemas.js";
import { Users } from "../../src/identity/accounts/users.js";
import { expectWithin } from "../support/run/bounds.js";
import { startProvider, USERS } from "../support/service/identity-provider.js";
import { startService } from "../support/service/service.js";
import {
  addUser,
  bearer,
  jsonRequest,
  post,
  problem,
  signIn,
  status,
} from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";

const service = useService({
  store: (store) => ({
    read: (...words) => {
      reads += 1;
      return store.read(...words);
    },
    readAll: (...words) => {
      reads += 1;
      return store.readAll(...words);
    },
    write: (...words) => store.write(...words),
    overwrite: (...words) => store.overwrite(...words),
    list: (...words) => store.list(...words),
  }),
});
let name: string;
let sub: string;
let token: string;
/** How often the store was asked for one entry or several. */
let reads = 0;
beforeAll(async () => {
  ({ name, sub } = await addUser(service.dataDir));
  token = (await signIn(service, name)).access_token;
});

const PATH = "/auth/v2/script-tokens";

const create = (body: object, by = token, one = service): Promise<Response> =>
  one.get(PATH, jsonRequest("POST", body, by));
async function made(body: object, by = token): Promise<MadeScriptToken> {
  const response = await create(body, by);
  expect(response.status).toBe(201);
  return (await response.json()) as MadeScriptToken;
}
const list = async (by = token): Promise<ScriptTokenList> =>
  (await (await service.get(PATH, bearer(by))).json()) as ScriptTokenList;
const end = (id: string, by = token): Promise<Response> =>
  service.get(`${PATH}/${id}`, { method: "DELETE", ...bearer(by) });

describe("a script token", () => {
  it("is shown once, listed without itself, used as an access token, and revoked", async () => {
    const before = Math.floor(Date.now() / 1000);
    const one = await made({ name: "nightly job", ttl_seconds: 3600 });
    expect(one.token).toMatch(/^cns_[\w-]{73}$/);
    expect(one.expires - before).toBeGreaterThanOrEqual(3600);
    expect(one.expires).toBeLessThanOrEqual(Date.now() / 1000 + 3600);
    const { token: secret, ...listed } = one;
    const { most, script_tokens: tokens } = await list();
    expect(most).toBe(20);
    expect(tokens).toEqual([listed]);
    expect(await (await status(service, secret)).json()).toEqual({
      sub,
      exp: one.expires,
      email: `${name}@example.org`,
    });
    const asked = await service.get("/auth/v2/introspect", {
      method: "POST",
      ...bearer(token),
      body: new URLSearchParams({ token: secret }),
    });
    expect(await asked.json()).toMatchObject({ active: true, sub, exp: one.expires });
    expect((await end(one.token_id)).status).toBe(204);
    expect((await end(one.token_id)).status).toBe(404);
    const refused = await status(service, secret);
    expect(refused.status).toBe(401);
    expect(await problem(refused)).toMatchObject({ error: "invalid_token" });
    expect(await list()).toMatchObject({ script_tokens: [] });
    expect(service.log.join("")).not.toContain(secret);
  });

  it("costs no request to Solr when it is used", async () => {
    const one = await made({ name: "often used" });
    await status(service, one.token);
    reads = 0;
    for (let i = 0; i < 20; i += 1) expect((await status(service, one.token)).status).toBe(200);
    expect(reads).toBe(0);
  });

  it("ends by itself when its time is over, and at the token endpoint by anyone who has it", async () => {
    const { script_tokens: before } = await list();
    const made_ = await service.auth.scriptTokens.make(
      { sub, username: name, issuedAt: Date.now() / 1000 },
      "short",
      0,
    );
    const over = await status(service, made_.token);
    expect(over.status).toBe(401);
    expect((await problem(over)).detail).toContain("expired");
    expect((await list()).script_tokens).toEqual(before);
    const one = await made({ name: "given up" });
    expect((await post(service, { token: one.token }, {}, "revoke")).status).toBe(200);
    expect((await status(service, one.token)).status).toBe(401);
  });

  it("makes, lists and ends no others", async () => {
    const one = await made({ name: "without power" });
    for (const response of [
      await create({ name: "more" }, one.token),
      await service.get(PATH, bearer(one.token)),
      await end(one.token_id, one.token),
    ]) {
      expect(response.status).toBe(403);
      expect((await problem(response)).detail).toContain("sign in for that");
    }
  });

  it("has a name of its own, a bounded life, and a limit of twenty", async () => {
    const user = await addUser(service.dataDir);
    const { access_token: by } = await signIn(service, user.name);
    expect((await create({ name: "a" }, by)).status).toBe(201);
    for (const wrong of [
      { name: "a" },
      {},
      { name: "" },
      { name: " " },
      { name: "x".repeat(101) },
      ...["a\nb", "a\0", "\u202eevil", "a\u2028", "\t", "\u2066x"].map((name) => ({ name })),
      { name: "b", ttl_seconds: 59 },
      { name: "b", ttl_seconds: 31_622_401 },
    ]) {
      expect((await create(wrong, by)).status, JSON.stringify(wrong)).toBe(422);
    }
    const many = await Promise.all(
      Array.from({ length: 24 }, (_, i) => create({ name: `job ${i}` }, by)),
    );
    const count = (await list(by)).script_tokens.length;
    expect(count).toBe(1 + many.filter(({ status }) => status === 201).length);
    for (let i = count; i < 20; i += 1) await made({ name: `later ${i}` }, by);
    expect((await create({ name: "one too many" }, by)).status).toBe(422);
  });

  it("is invisible to others, who cannot end it", async () => {
    const one = await made({ name: "of the first" });
    const user = await addUser(service.dataDir);
    const { access_token: other } = await signIn(service, user.name);
    expect((await list(other)).script_tokens).toEqual([]);
    expect((await end(one.token_id, other)).status).toBe(404);
    expect((await status(service, one.token)).status).toBe(200);
  });

  it("ends with its account, and with the account's password", async () => {
    const users = new Users(service.dataDir);
    const user = await addUser(service.dataDir);
    const { access_token: by } = await signIn(service, user.name);
    const one = await made({ name: "one" }, by);
    expect((await status(service, one.token)).status).toBe(200);
    // Access tokens know only the second in which they were issued.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await users.setPassword(user.name, user.password);
    expect((await status(service, one.token)).status).toBe(401);
    expect((await list(by)).script_tokens).toEqual([]);
    const late = await create({ name: "one" }, by);
    expect(late.status).toBe(401);
    expect(await problem(late)).toMatchObject({ error: "invalid_token" });
    const { access_token: again } = await signIn(service, user.name);
    const two = await made({ name: "one" }, again);
    await users.disable(user.name);
    expect((await status(service, two.token)).status).toBe(401);
    await users.setPassword(user.name, user.password);
    await users.remove(user.name);
    expect((await status(service, two.token)).status).toBe(401);
  });

  it("is valid or ended on another instance within two seconds", async () => {
    const other = await startService({ dataDir: service.dataDir, baseUrl: service.address });
    try {
      const one = await made({ name: "elsewhere" });
      expect((await status(other, one.token)).status).toBe(200);
      expect((await end(one.token_id)).status).toBe(204);
      await expectWithin(4000, async () => (await status(other, one.token)).status === 401);
    } finally {
      await other.close();
    }
  });
});

it("users of an outside provider learn that there are no script tokens", async () => {
  const provider = await startProvider();
  const one = await startService({ auth: { outside: provider.outside } });
  try {
    const signed = await post(one, { username: "olga", password: USERS.olga ?? "" });
    const { access_token: hers } = (await signed.json()) as { access_token: string };
    for (const response of [
      await one.get(PATH, bearer(hers)),
      await create({ name: "x" }, hers, one),
    ]) {
      expect(response.status).toBe(403);
      expect((await problem(response)).detail).toContain("outside identity provider");
    }
  } finally {
    await one.close();
    await provider.stop();
  }
});
