/** The commands users, clients and keys, on the data folder of a running service. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonWebKeySet } from "../../generated/schemas.js";
import { run, runHere } from "../support/service/command.js";
import { post, signIn, status } from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";

let env: Record<string, string>;
const service = useService();
beforeAll(async () => {
  env = { DATA_DIR: service.dataDir };
});

const attempt = async (username: string, password: string): Promise<number> =>
  (await post(service, { username, password })).status;

describe("users", () => {
  it("are added, listed, changed, disabled and removed, and the service follows at once", async () => {
    const add = await run(
      ["users", "add", "ada", "--email", "ada@example.org", "--password-stdin"],
      env,
      "first password\n",
    );
    expect(add).toMatchObject({ code: 0, stdout: "" });
    expect(add.stderr).toMatch(/^Added the user ada \([0-9a-f-]{36}\)\.\n$/);
    expect(await attempt("ada", "first password")).toBe(200);

    const list = await run(["users", "list"], env);
    expect(list).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(list.stdout)).toEqual([
      {
        name: "ada",
        sub: expect.any(String),
        email: "ada@example.org",
        disabled: false,
        administrator: false,
      },
    ]);
    const file = join(service.dataDir, "users.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(/"\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/);
    expect(await readFile(file, "utf8")).not.toContain("first password");

    const passwd = await run(["users", "passwd", "ada", "--password-stdin"], env, "second");
    expect(passwd.code).toBe(0);
    expect(await attempt("ada", "first password")).toBe(401);
    expect(await attempt("ada", "second")).toBe(200);

    expect((await run(["users", "disable", "ada"], env)).code).toBe(0);
    expect(await attempt("ada", "second")).toBe(401);
    expect((await run(["users", "remove", "ada"], env)).code).toBe(0);
    expect(JSON.parse((await run(["users", "list"], env)).stdout)).toEqual([]);
  });

  it("become administrators when they are added or later, and can lose it again", async () => {
    const administrators = async (): Promise<string[]> => {
      const { stdout } = await runHere(["users", "list"], env);
      const users = JSON.parse(stdout) as { name: string; administrator: boolean }[];
      return users.flatMap(({ name, administrator }) => (administrator ? [name] : []));
    };
    await runHere(["users", "add", "root", "--admin", "--password-stdin"], env, "x");
    await runHere(["users", "add", "plain", "--password-stdin"], env, "x");
    expect(await administrators()).toEqual(["root"]);
    const given = await runHere(["users", "admin", "plain"], env);
    expect(given).toMatchObject({ code: 0, stderr: "The user plain is an administrator.\n" });
    const taken = await runHere(["users", "admin", "root", "--remove"], env);
    expect(taken).toMatchObject({
      code: 0,
      stderr: "The user root is no administrator any more.\n",
    });
    expect(await administrators()).toEqual(["plain"]);
    expect((await runHere(["users", "admin", "nobody"], env)).code).toBe(1);
    for (const name of ["root", "plain"]) await runHere(["users", "remove", name], env);
  });

  it.each<[string, string[], string, RegExp?]>([
    ["a name that is taken", ["add", "bob", "--password-stdin"], "x"],
    ["a name that is none", ["add", "../bob", "--password-stdin"], "x"],
    ["an empty password", ["add", "carl", "--password-stdin"], ""],
    ["an e-mail address that is none", ["add", "carl", "--email", "x", "--password-stdin"], "x"],
    ["a user who is not there", ["remove", "nobody"], ""],
    ["no terminal to ask on", ["passwd", "bob"], "", /use --password-stdin\.\n$/],
  ])("fail with 1 and one sentence for %s", async (_, args, input, reason = /./) => {
    await runHere(["users", "add", "bob", "--password-stdin"], env, "x");
    const outcome = await runHere(["users", ...args], env, input);
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/^[^\n]+\.\n$/);
    expect(outcome.stderr).toMatch(reason);
  });

  it("are all there if they are added at the same time", async () => {
    const names = ["p1", "p2", "p3", "p4"];
    await Promise.all(names.map((n) => runHere(["users", "add", n, "--password-stdin"], env, "x")));
    const { stdout } = await runHere(["users", "list"], env);
    for (const name of names) expect(stdout).toContain(`"${name}"`);
  });
});

describe("clients", () => {
  it("must show a secret if they have one, and may introspect tokens", async () => {
    const added = await run(["clients", "add", "portal"], env);
    const { client_secret: secret } = JSON.parse(added.stdout) as { client_secret: string };
    expect(await readFile(join(service.dataDir, "clients.json"), "utf8")).not.toContain(secret);
    await runHere(["users", "add", "dora", "--password-stdin"], env, "x");
    const form = { username: "dora", password: "x", client_id: "portal" };
    expect((await post(service, form)).status).toBe(401);
    expect((await post(service, { ...form, client_secret: "wrong" })).status).toBe(401);
    expect((await post(service, { ...form, client_secret: secret })).status).toBe(200);
    const basic = { Authorization: `Basic ${btoa(`portal:${secret}`)}` };
    const byBasic = await post(service, { username: "dora", password: "x" }, basic);
    expect(byBasic.status).toBe(200);
    const wrong = { Authorization: `Basic ${btoa("portal:wrong")}` };
    const refused = await post(service, { username: "dora", password: "x" }, wrong);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Basic /);
    const { access_token: token } = (await byBasic.json()) as { access_token: string };
    const asked = await post(service, { token }, basic, "introspect");
    expect(await asked.json()).toMatchObject({ active: true, client_id: "portal" });
  });
});

describe("keys rotate", () => {
  it("makes a running service sign with a new key, and old tokens stay valid", async () => {
    await runHere(["users", "add", "eve", "--password-stdin"], env, "correct horse battery staple");
    const before = await signIn(service, "eve");
    const rotated = await run(["keys", "rotate"], env);
    const { kid } = JSON.parse(rotated.stdout) as { kid: string };
    const after = await signIn(service, "eve");
    expect(decodeProtectedHeader(after.access_token).kid).toBe(kid);
    expect(decodeProtectedHeader(before.access_token).kid).not.toBe(kid);
    expect((await status(service, before.access_token)).status).toBe(200);
    const { keys } = (await (await service.get("/auth/v2/jwks")).json()) as JsonWebKeySet;
    expect(keys.map((key) => key.kid)).toHaveLength(2);
    expect(keys[0]?.kid).toBe(kid);
  });
});
