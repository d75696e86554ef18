/** Users, clients and keys in Solr: first starts, and the key that seals them. */
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeDemoUser } from "../../src/cli/service/serve.js";
import { type SharedAccounts, sharedAccounts } from "../../src/identity/accounts/accounts.js";
import { KeyRing } from "../../src/identity/keys/keys.js";
import type { StateKeySetting } from "../../src/identity/keys/state-key.js";
import { StateCopy } from "../../src/index/state/state-copy.js";
import type { StateStore } from "../../src/index/state/state-store.js";
import { SolrCollection } from "../../src/index/transport/client.js";
import { readConfig } from "../../src/server/settings/config.js";
import { Serving, STATE_KEY, testSolrSettings } from "../cli/command.js";
import { expectBelow } from "../support/run/bounds.js";
import { freshFolder } from "../support/run/folders.js";
import { attempts } from "../support/run/trials.js";
import { run, runHere } from "../support/service/command.js";
import { forgetAccounts } from "../support/service/service.js";
import { post } from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";
import { deleteFound } from "../support/solr/started-solr.js";

const KEY: StateKeySetting = { text: STATE_KEY };
const other = Buffer.alloc(32, "another").toString("base64url");
const LIFETIME = 600;

let store: StateStore;
let state: SolrCollection;

const service = useService();
beforeAll(async () => {
  store = service.solr.state;
  state = new SolrCollection(service.solr.http, "state");
});
beforeEach(() => forgetAccounts(service.solr));

interface Opened extends SharedAccounts {
  readonly copy: StateCopy;
  /** What was said. */
  readonly said: string[];
}

/** What an instance has, or a command. */
function accounts(dataDir: string, key = KEY, kept = store): Opened {
  const said: string[] = [];
  const copy = new StateCopy(kept);
  const tell = (line: string): void => void said.push(line);
  return { ...sharedAccounts(copy, dataDir, key, { progress: tell, report: tell }), copy, said };
}

const newest = async ({ keys }: Opened): Promise<string | undefined> =>
  (await keys.refresh())[0]?.kid;

describe("a first start", () => {
  it("ends with one key on several instances, which all of them know", async () => {
    const opened = await Promise.all(
      Array.from({ length: 5 }, async () => accounts(freshFolder())),
    );
    await Promise.all(opened.map(({ keys }) => KeyRing.open(keys, LIFETIME)));
    const lists = await Promise.all(opened.map(({ keys }) => keys.known()));
    expect(new Set(lists.flatMap((list) => list.map(({ kid }) => kid))).size).toBe(1);
    for (const [key] of lists) expect(key).toHaveProperty("privateKey");
  });

  it("makes one key to seal with if none is set, and an instance that cannot open the keys does not start", async () => {
    const folders = await Promise.all([1, 2, 3].map(() => freshFolder()));
    const outcomes = await Promise.allSettled(
      folders.map(async (folder) => {
        const opened = accounts(folder, {});
        await opened.keys.open();
        return opened;
      }),
    );
    const started = outcomes.filter(({ status }) => status === "fulfilled");
    expect(started).toHaveLength(1);
    for (const [i, outcome] of outcomes.entries()) {
      const path = join(folders[i] ?? "", "state.key");
      if (outcome.status === "fulfilled") {
        expect((await stat(path)).mode & 0o777).toBe(0o600);
        expect(outcome.value.said.join()).toContain(path);
        // With it, any other may start.
        await accounts(freshFolder(), { file: path }).keys.open();
      } else {
        expect(String(outcome.reason.message)).toMatch(/^[^\n]*STATE_KEY[^\n]*\.$/);
        await expect(stat(path)).rejects.toThrow("ENOENT");
      }
    }
  });

  it("makes the user demo once", async () => {
    const passwords = await Promise.all(
      [1, 2, 3].map(async () => {
        const dataDir = freshFolder();
        const config = readConfig({ ...testSolrSettings(), STATE_KEY, DATA_DIR: dataDir });
        return makeDemoUser(config, accounts(dataDir));
      }),
    );
    expect(passwords.filter((password) => password !== undefined)).toHaveLength(1);
    const later = accounts(freshFolder());
    await later.users.remove("demo");
    const config = readConfig({ ...testSolrSettings(), DATA_DIR: freshFolder() });
    expect(await makeDemoUser(config, later)).toBeUndefined();
  });
});

describe("users", () => {
  it("are one and errors if they are added with one name on several machines at once", async () => {
    for (let i = 0; i < attempts(5, 100); i += 1) {
      const adding = [1, 2, 3].map(async () => accounts(freshFolder()).users.add(`u${i}`, "", "x"));
      const outcomes = await Promise.allSettled(adding);
      const reasons = outcomes.flatMap((one) =>
        one.status === "rejected" ? String(one.reason) : [],
      );
      expect(reasons).toEqual(Array(2).fill(`AccountError: A user u${i} exists already.`));
    }
  });

  it("lose no change if they are changed at once", async () => {
    const [one, two] = [accounts(freshFolder()), accounts(freshFolder())];
    const { sub } = await one.users.add("ada", "", "x");
    await Promise.all([
      one.users.setAdministrator("ada", true),
      two.users.disable("ada"),
      one.users.setPassword("ada", "y").then(() => two.users.disable("ada")),
    ]);
    const ada = await one.users.current("ada");
    expect(ada).toMatchObject({ sub, administrator: true, disabled: true, password: "y" });
  });

  it("are noticed when they are removed, also by a deletion in Solr", async () => {
    const [one, two] = [accounts(freshFolder()), accounts(freshFolder())];
    await one.users.add("ada", "", "x");
    await one.users.add("bob", "", "x");
    await state.commit(true);
    await two.copy.renew();
    expect((await two.users.list()).map(({ name }) => name).sort()).toEqual(["ada", "bob"]);
    await one.users.remove("ada");
    await state.commit(true);
    await two.copy.renew();
    expect((await two.users.list()).map(({ name }) => name)).toEqual(["bob"]);
    await deleteFound(state, "kind:user");
    await state.commit(true);
    for (let i = 0; i < 40; i += 1) await two.copy.renew();
    expect(await two.users.list()).toEqual([]);
  });

  it("are named and left out if they are invalid, nothing of them is shown, and the others count", async () => {
    const one = accounts(freshFolder());
    await one.users.add("ada", "", "x");
    for (const [id, value] of Object.entries({
      "user:x": { name: "eve", password: "secret" },
      "user:y": { ...(await one.users.current("ada")), disabled: true },
    })) {
      await store.overwrite(id, { kind: "user", value, expires: Date.now() + 3_600_000 });
    }
    await state.commit(true);
    const two = accounts(freshFolder());
    await two.copy.renew();
    expect(await two.users.list()).toHaveLength(1);
    expect(two.said).toHaveLength(2);
    expect(two.said.join()).not.toMatch(/secret|eve|ada/);
  });
});

describe("private keys", () => {
  it("are sealed in Solr, and nobody opens them with another key", async () => {
    const one = accounts(freshFolder());
    await one.keys.open();
    const entry = await store.read("signing-keys");
    expect(JSON.stringify(entry)).not.toContain('"d"');
    const wrong = accounts(freshFolder(), { text: other });
    for (const work of [() => wrong.keys.open(), () => wrong.keys.add(), () => wrong.keys.seal()]) {
      await expect(work()).rejects.toThrow(/^The signing keys .* cannot be opened: set STATE_KEY/);
    }
    expect(await store.read("signing-keys")).toEqual(entry);
  });

  it("are refused if they are moved to another key's id", async () => {
    const one = accounts(freshFolder());
    await one.keys.open();
    await one.keys.add();
    const entry = await store.read("signing-keys");
    const [a, b] = (entry?.value as { keys?: { sealed: string }[] } | undefined)?.keys ?? [];
    const swapped = [
      { ...a, sealed: b?.sealed },
      { ...b, sealed: a?.sealed },
    ];
    await store.overwrite("signing-keys", {
      kind: "signing-keys",
      value: { keys: swapped },
      expires: entry?.expires ?? 0,
    });
    await expect(accounts(freshFolder()).keys.open()).rejects.toThrow("cannot be opened");
  });

  it("are sealed again under the first of several keys, all of them", async () => {
    const one = accounts(freshFolder());
    await one.keys.open();
    await one.keys.add();
    const both = accounts(freshFolder(), { text: `${other} ${STATE_KEY}` });
    await both.keys.add();
    const sealed = await run(["keys", "seal"], {
      ...testSolrSettings(),
      STATE_KEY: `${other} ${STATE_KEY}`,
      DATA_DIR: freshFolder(),
    });
    expect(sealed).toMatchObject({ code: 0, stdout: "" });
    expect(sealed.stderr).toMatch(/^Sealed 2 keys /);
    const kid = await newest(both);
    const later = accounts(freshFolder(), { text: other });
    await later.keys.open();
    expect(await newest(later)).toBe(kid);
    await expect(accounts(freshFolder()).keys.open()).rejects.toThrow("cannot be opened");
    // One that was running goes on to verify, and says why it does not sign with what it cannot open.
    await both.keys.add();
    expect(await one.keys.refresh()).toHaveLength(4);
    expect(one.said.join()).toMatch(/cannot be opened with STATE_KEY/);
  });

  it.each([
    ["too short a key", { STATE_KEY: "c2VjcmV0" }, /^STATE_KEY must be keys of 32 bytes/],
    ["another key", { STATE_KEY: other }, /^The signing keys .* cannot be opened/],
    ["a file that is not there", { STATE_KEY: "/none" }, /^[^\n]*\bSTATE_KEY\b[^\n]*$/],
    ["none, where keys are sealed", {}, /set STATE_KEY to the key/],
    ["no Solr", { SOLR_URL: "", STATE_KEY }, /^SOLR_URL is needed where STATE_KEY is set\.$/],
    ["a Solr that is away", { SOLR_URL: "http://127.0.0.1:9/solr", STATE_KEY }, /127\.0\.0\.1:9/],
  ])(
    "end a command with 1 and one sentence, and change nothing, with %s",
    async (_, settings, sentence) => {
      await accounts(freshFolder()).keys.open();
      const before = await store.read("signing-keys");
      const env: Record<string, string> = {
        ...testSolrSettings(),
        DATA_DIR: freshFolder(),
        ...settings,
      };
      if (env.SOLR_URL !== testSolrSettings().SOLR_URL) {
        Object.assign(env, { SOLR_USER: "", SOLR_PASSWORD: "", SOLR_COLLECTION_PREFIX: "" });
      }
      const outcome = await runHere(["keys", "rotate"], env);
      expect(outcome).toMatchObject({ code: 1, stdout: "" });
      expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
      expect(outcome.stderr.trimEnd()).toMatch(sentence);
      for (const secret of [STATE_KEY, other, "c2VjcmV0"])
        expect(outcome.stderr).not.toContain(secret);
      expect(await store.read("signing-keys")).toEqual(before);
    },
  );

  it("are looked up when an unknown one is used, and invented ids cost few requests", async () => {
    let reads = 0;
    const counted: StateStore = {
      read: (id, signal) => store.read(id, signal),
      write: (...all) => store.write(...all),
      overwrite: (...all) => store.overwrite(...all),
      list: (...all) => store.list(...all),
      readAll: (ids) => {
        reads += 1;
        return store.readAll(ids);
      },
    };
    const [one, two] = [accounts(freshFolder()), accounts(freshFolder(), KEY, counted)];
    await one.keys.open();
    const ring = await KeyRing.open(two.keys, LIFETIME);
    const kid = await one.keys.add();
    expect((await ring.verifying(kid))?.kid).toBe(kid);
    expect(reads).toBe(1);
    const begin = performance.now();
    const made = Array.from({ length: 2000 }, (_, i) =>
      ring.verifying(String(i).padStart(43, "0")),
    );
    const last = await one.keys.add();
    made.push(ring.verifying(last));
    const found = await Promise.all(made);
    expect(found.at(-1)?.kid).toBe(last);
    expectBelow(reads, 3 + (performance.now() - begin) / 100);
  });
});

describe("the key that seals", () => {
  it("is in no argument, in no log and in no process that the service starts", async () => {
    const path = join(freshFolder(), "state.key");
    await writeFile(path, `${STATE_KEY}\n`);
    await chmod(path, 0o644);
    const from = { ...testSolrSettings(), LOG_LEVEL: "debug", DATA_DIR: freshFolder() };
    const by = { env: { ...from, STATE_KEY }, file: { ...from, STATE_KEY: path } };
    for (const settings of [by.env, by.file]) {
      const serving = await Serving.start(settings);
      expect((await post(serving, { username: "x", password: "y" })).status).toBe(401);
      const children = childrenOf(serving.pid);
      for (const pid of [serving.pid, ...(await children)]) {
        const args = await readFile(`/proc/${pid}/cmdline`, "utf8");
        expect(args).not.toContain(STATE_KEY);
        if (pid === serving.pid) continue;
        expect(await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).not.toContain(
          STATE_KEY,
        );
      }
      const { stdout, stderr } = await serving.end();
      expect(stdout + stderr).not.toContain(STATE_KEY);
      if (settings === by.file) expect(stdout).toMatch(/\breadable\b/);
    }
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8").catch(() => "")),
  );
  return texts.flatMap((text) => text.split(" ").filter(Boolean).map(Number));
}
