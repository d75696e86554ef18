/** Files of accounts that are broken, and secrets that others on the machine could see. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiAddress, serviceAddress } from "../../../src/cli/client/service-address.js";
import { machineLookups } from "../../../src/files/rights/machine.js";
import { Serving, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { runHere } from "../../support/service/command.js";
import { forgetAccounts, startService } from "../../support/service/service.js";
import { addUser, post, signIn, status } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";

const service = useService();
const folder = freshFolder();

describe("a broken file", () => {
  it("is named if it is a key, reveals nothing of itself, and stops no other key", async () => {
    const { name } = await addUser(service.dataDir);
    const before = await signIn(service, name);
    const keys = join(service.dataDir, "keys");
    const [good = ""] = await readdir(keys);
    const broken = {
      [`${"a".repeat(43)}.json`]: '{"created": 99999999999999, "key": SECRET-SECRET',
      [`${"b".repeat(43)}.json`]: "",
      [`${"c".repeat(43)}.json`]: await readFile(join(keys, good), "utf8"),
      [`${"d".repeat(43)}.json`]: '{"created": 99999999999999, "key": {"kty": "EC"}}',
      [`${"e".repeat(43)}.json`]: "null",
    };
    for (const [file, text] of Object.entries(broken)) await writeFile(join(keys, file), text);
    const after = await signIn(service, name);
    for (const token of [before, after]) {
      expect((await status(service, token.access_token)).status).toBe(200);
    }
    const again = await startService({ dataDir: service.dataDir, baseUrl: service.address });
    expect((await status(again, after.access_token)).status).toBe(200);
    await again.close();
    const rotated = await runHere(["keys", "rotate"], { DATA_DIR: service.dataDir });
    expect(rotated.code, rotated.stderr).toBe(0);
    expect((await signIn(service, name)).access_token).not.toBe("");
    for (const text of [service.log.join(""), again.log.join(""), rotated.stderr]) {
      for (const file of Object.keys(broken)) expect(text).toContain(file);
      expect(text).not.toContain("SECRET");
    }
    // Once, not with every request.
    expect(service.log.filter((line) => line.includes("a".repeat(43)))).toHaveLength(1);
    for (const file of Object.keys(broken)) await rm(join(keys, file));
  });

  it("has its invalid users or clients named and kept, and the others count", async () => {
    const { name } = await addUser(service.dataDir);
    const path = join(service.dataDir, "users.json");
    const { users } = JSON.parse(await readFile(path, "utf8")) as { users: object[] };
    const broken = [null, 3, { name: "carl", password: "SECRET" }, { ...users[0], disabled: "no" }];
    await writeFile(path, JSON.stringify({ users: [...broken, ...users] }));
    await writeFile(
      join(service.dataDir, "clients.json"),
      JSON.stringify({ clients: [{ id: "lame", secret: "SECRET" }, { id: "good" }] }),
    );
    await signIn(service, name, { client_id: "good" });
    expect((await post(service, { username: "carl", password: "SECRET" })).status).toBe(401);
    expect((await post(service, { username: name, password: "x", client_id: "lame" })).status).toBe(
      401,
    );
    const log = service.log.join("");
    for (const named of [
      "users[0]",
      'users[2] (\\\\"carl\\\\")',
      "users[3]",
      'clients[0] (\\\\"lame\\\\")',
    ]) {
      expect(log).toContain(named.replaceAll("\\\\", "\\"));
    }
    expect(log).not.toContain("SECRET");
    const added = await runHere(
      ["users", "add", "dora", "--password-stdin"],
      { DATA_DIR: service.dataDir },
      "pass",
    );
    expect(added.code).toBe(0);
    expect(added.stderr).toContain("users.json: users[2]");
    const { users: kept } = JSON.parse(await readFile(path, "utf8")) as { users: unknown[] };
    for (const entry of broken) expect(kept).toContainEqual(entry);
    expect((await post(service, { username: "dora", password: "pass" })).status).toBe(200);
  });
});

describe("a users.json that is not JSON", () => {
  it("lets nobody in by a password, reveals none, is named, and stops nothing else", async () => {
    const { name, token } = await person(service);
    const path = join(service.dataDir, "users.json");
    const before = await readFile(path, "utf8");
    await writeFile(path, before.slice(0, -20));
    const restarted = await startService({ dataDir: service.dataDir, baseUrl: service.address });
    for (const one of [service, restarted]) {
      expect((await post(one, { username: name, password: "x" })).status).toBe(500);
      expect((await status(one, token)).status).toBe(200);
      expect(one.log.join("")).toContain("users.json must contain a JSON object");
      expect(one.log.join("")).not.toContain("argon2id");
    }
    await restarted.close();
    await writeFile(path, before);
    await signIn(service, name);
  });
});

describe("a refresh token", () => {
  it("may come from a file, from standard input or from the environment: no list of processes shows it", async () => {
    const { name } = await addUser(service.dataDir);
    const given = async () => (await signIn(service, name)).refresh_token;
    const auth = async (args: string[], env: Record<string, string>, input?: string) => {
      const config = await mkdtemp(join(folder, "config-"));
      const outcome = await runHere(
        ["auth", "--host", service.address, ...args],
        { XDG_CONFIG_HOME: config, ...env },
        input,
      );
      expect(outcome.stderr).toBe("");
      const { access_token: token } = JSON.parse(outcome.stdout) as { access_token: string };
      expect((await status(service, token)).status).toBe(200);
    };
    const file = join(folder, "token");
    await writeFile(file, `${await given()}\n`);
    await auth(["--refresh-token-file", file], {});
    await auth(["--refresh-token-file", "-"], {}, await given());
    await auth([], { CLIMATE_NEXTGEN_REFRESH_TOKEN: await given() });
    const missing = await runHere(["auth", "--refresh-token-file", join(folder, "none")], {});
    expect(missing.stderr).toMatch(/none cannot be read \(does not exist\)/);
    expect(missing.code).toBe(1);
  });
});

describe("a host", () => {
  it.each([
    "127.evil.example",
    "127.0.0.1.evil.example",
    "127.1.evil",
    "localhost.evil.example",
    "xlocalhost",
  ])("%s is not this machine, and gets no password without TLS", (host) => {
    expect(serviceAddress(host)).toBe(`https://${host}`);
    expect(apiAddress(serviceAddress(`${host}:7777`))).toMatch(/^https:/);
  });

  it.each(["127.0.0.1", "127.8.9.1", "localhost", "a.localhost", "[::1]"])(
    "%s is this machine",
    (host) => {
      expect(serviceAddress(host)).toBe(`http://${host}:7777`);
    },
  );
});

describe("the password of the first user", () => {
  it("is made and shown only once the service listens", async () => {
    await forgetAccounts(service.solr);
    const dataDir = freshFolder();
    const { SOLR_URL = "", ...rest } = testSolrSettings();
    const { port, hostname } = new URL(SOLR_URL);
    const taken = createServer();
    taken.listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port: own } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    // Whoever asks Solr has found the port free; now it is not any more.
    const gate = createServer((near) => {
      const go = () => near.pipe(connect(Number(port), hostname)).pipe(near);
      if (taken.listening) go();
      else taken.listen(own, "127.0.0.1", go);
      near.on("error", () => {});
    });
    await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
    const settings = {
      ...rest,
      DATA_DIR: dataDir,
      PORT: String(own),
      SOLR_URL: `http://127.0.0.1:${(gate.address() as AddressInfo).port}/solr`,
    };
    await expect(Serving.start(settings)).rejects.toThrow(/Port \d+ on 127\.0\.0\.1 is in use/);
    expect(await service.solr.state.read("first-user")).toBeUndefined();
    await new Promise((resolve) => taken.close(resolve));
    const later = await Serving.start({ ...settings, PORT: "0", TRUST_PROXY: "1" });
    const [, password = ""] = /username demo, password (\S+)/.exec(later.output) ?? [];
    const signedIn = await later.get("/auth/v2/token", {
      method: "POST",
      // Failures of other tests at this machine's own address are not its own.
      headers: { "X-Forwarded-For": "198.51.100.87" },
      body: new URLSearchParams({ username: "demo", password }),
    });
    expect(signedIn.status).toBe(200);
    await later.end();
    gate.close();
  });
});

describe("the user id of a name", () => {
  it("is that of the machine's account of exactly this name", async () => {
    const { uidOf } = machineLookups();
    expect(await uidOf("root")).toBe(0);
    for (const name of [
      "0",
      "ROOT",
      "-h",
      "--help",
      "root:x",
      "",
      "no-such-account",
      "root\nroot",
    ]) {
      expect(await uidOf(name), name).toBeUndefined();
    }
  });
});
