/** Files of accounts that are broken, and secrets that others on the machine could see. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
  it("is named and reveals nothing, lets nobody in by a password, and stops nothing else", async () => {
    const { name, token } = await person(service);
    const path = join(service.dataDir, "users.json");
    const key = join(service.dataDir, "keys", `${"a".repeat(43)}.json`);
    const before = await readFile(path, "utf8");
    await writeFile(path, before.slice(0, -20));
    await writeFile(key, '{"created": 99999999999999, "key": SECRET-SECRET');
    const restarted = await startService({ dataDir: service.dataDir, baseUrl: service.address });
    for (const one of [service, restarted]) {
      expect((await post(one, { username: name, password: "x" })).status).toBe(500);
      expect((await status(one, token)).status).toBe(200);
    }
    await restarted.close();
    await writeFile(path, before);
    await signIn(service, name);
    const rotated = await runHere(["keys", "rotate"], { DATA_DIR: service.dataDir });
    expect(rotated.code, rotated.stderr).toBe(0);
    await signIn(service, name);
    for (const one of [service, restarted]) {
      expect(one.log.join("")).toContain("users.json must contain a JSON object");
    }
    for (const text of [service.log.join(""), restarted.log.join(""), rotated.stderr]) {
      expect(text).toContain(key);
      expect(text).not.toMatch(/SECRET|argon2id/);
    }
    await rm(key);
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
