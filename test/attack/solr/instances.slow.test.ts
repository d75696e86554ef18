/** Two instances that share Solr and a key, and no folder: refreshes and user data spread over both keep all that one promises. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PasswordHasher } from "../../../src/identity/accounts/password-hash.js";
import { RefreshTokens } from "../../../src/identity/tokens/refresh-token.js";
import { STATE_KEY } from "../../cli/command.js";
import { attempts } from "../../support/run/attempts.js";
import { chance, SEED } from "../../support/run/chance.js";
import { emptyIndex, startService, type TestService } from "../../support/service/service.js";
import { PASSWORD, refresh, signIn } from "../../support/service/sign-in.js";
import { add, entry, message, type Person, stored } from "../../support/service/user-data.js";

const TIMES = attempts(100, 1000);
const SETTINGS = {
  baseUrl: "https://data.example.org",
  auth: {
    shared: { text: STATE_KEY },
    limits: { perUser: 1e6, perAddress: 1e6, window: 60 },
  },
} as const;
/** Milliseconds for which two requests with one token count as simultaneous; see src/identity/tokens/refresh-token.ts. */
const OVERLAP = 300;

let instances: [TestService, TestService];
let people: Person[];
const next = chance(SEED);
const below = (count: number): number => Math.floor(next() * count);
const any = (): TestService => instances[below(2)] as TestService;

beforeAll(async () => {
  instances = [await startService(SETTINGS), await startService(SETTINGS)];
  await emptyIndex(instances[0].solr);
  const hasher = new PasswordHasher();
  const hash = await hasher.hash(PASSWORD);
  await hasher.close();
  people = [];
  for (let i = 0; i < 4; i += 1) {
    const name = `spread-${SEED}-${i}`;
    const { sub } = await instances[0].auth.users.add(name, "", hash, false);
    const { access_token: token } = await signIn(any(), name);
    people.push({ name, sub, token });
  }
});
afterAll(() => Promise.all(instances.map((instance) => instance.close())));

it("one of many refreshes with one token succeeds, through any instance; a replay ends the family", async () => {
  let left = TIMES;
  const seen = { races: 0, won: 0, replays: 0 };
  const family = async ({ name }: Person): Promise<void> => {
    while (left > 0) {
      const earlier: string[] = [];
      let token = (await signIn(any(), name)).refresh_token;
      for (let length = 2 + below(8); length > 0 && left > 0; length -= 1) {
        left -= 1;
        const at = Array.from({ length: 1 + below(3) }, any);
        if (at.length > 1) seen.races += 1;
        const answers = await Promise.all(at.map((instance) => refresh(instance, token)));
        const good = answers.filter(({ status }) => status === 200);
        expect(answers.map(({ status }) => status).sort()).toEqual([
          200,
          ...at.slice(1).map(() => 401),
        ]);
        seen.won += good.length;
        earlier.push(token);
        const given = (await (good[0] as Response).json()) as { refresh_token: string };
        token = given.refresh_token;
      }
      // Others have done the rest.
      if (earlier.length === 0) return;
      const tokens = new RefreshTokens(any().solr.state, 86_400);
      for (const one of earlier) expect(await tokens.look(one)).toBeUndefined();
      expect(await tokens.look(token)).toBeDefined();
      await sleep(OVERLAP);
      expect((await refresh(any(), earlier[below(earlier.length)] ?? "")).status).toBe(401);
      for (const instance of instances) expect((await refresh(instance, token)).status).toBe(401);
      seen.replays += 1;
    }
  };
  await Promise.all(people.map(family));
  console.log(`refreshes over two instances: ${JSON.stringify(seen)}`);
  expect(seen.won).toBeGreaterThanOrEqual(TIMES);
  expect(seen.races).toBeGreaterThan(TIMES / 4);
}, 600_000);

it("user data written at once through both instances is in the index once for each file, as one answer says", async () => {
  let left = TIMES;
  /** Whose entry with which metadata was said to be added how often. */
  const said = new Map<string, number>();
  let contended = 0;
  const write = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const round = left;
      const files = Array.from({ length: 1 + below(5) }, () => `/spread/${below(TIMES)}.nc`);
      const distinct = [...new Set(files)];
      const who = people.slice(0, 1 + below(2));
      const senders = Array.from({ length: 1 + below(2) }, () => who[below(who.length)] as Person);
      await Promise.all(
        senders.map(async (person, i) => {
          const model = `w${round}-${i}`;
          const entries = distinct.map((file) => entry(file, { model }));
          const text = await message(await add(any(), person, entries));
          const count = Number(/^\d+/.exec(text)?.[0] ?? 0);
          if (count > 0 && count < distinct.length) contended += 1;
          said.set(model, count);
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: 4 }, write));
  const documents = await stored(instances[0]);
  expect(await stored(instances[1])).toEqual(documents);
  const by = new Map<string, number>();
  for (const { model } of documents) {
    const [name = ""] = model as string[];
    by.set(name, (by.get(name) ?? 0) + 1);
  }
  for (const [model, count] of said) expect([model, by.get(model) ?? 0]).toEqual([model, count]);
  console.log(`user data over two instances: ${documents.length} files, ${contended} in part`);
}, 600_000);
