/** authenticate() and the command auth. */
import { spawnSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AuthenticationError, authenticate, type Token } from "../../src/cli/client/index.js";
import { serviceAddress } from "../../src/cli/client/service-address.js";
import { packagePath } from "../../src/platform/package-root.js";
import { freshFolder } from "../support/run/folders.js";
import { MAIN, run } from "../support/service/command.js";
import { addUser, PASSWORD, signIn, status } from "../support/service/sign-in.js";
import { onTerminal } from "../support/service/terminal.js";
import { useService } from "../support/service/use-service.js";

let config: string;
const service = useService();
beforeAll(async () => {
  await addUser(service.dataDir, "demo");
  await addUser(service.dataDir, userInfo().username);
});

beforeEach(async () => {
  config = freshFolder();
  vi.stubEnv("XDG_CONFIG_HOME", config);
});
afterEach(async () => {
  vi.unstubAllEnvs();
});

const password = vi.fn(async () => PASSWORD);
beforeEach(() => password.mockClear());
const host = () => service.address;
const FILE = () => join(config, "climate-nextgen", "tokens.json");

/** Makes every cached access token look expired, as it would be after a while. */
async function expire(): Promise<void> {
  const kept = JSON.parse(await readFile(FILE(), "utf8")) as Record<string, { token: Token }>;
  for (const { token } of Object.values(kept)) token.expires = Math.floor(Date.now() / 1000) - 1;
  await writeFile(FILE(), JSON.stringify(kept));
}

describe("authenticate", () => {
  it("signs in with a password, and then uses the cached token without a prompt", async () => {
    const first = await authenticate({ host: host(), username: "demo", password });
    expect((await status(service, first.access_token)).status).toBe(200);
    const second = await authenticate({ host: host(), username: "demo", password });
    expect(second.access_token).toBe(first.access_token);
    expect((await authenticate({ host: host(), password })).access_token).toBe(first.access_token);
    expect(password).toHaveBeenCalledTimes(1);
    expect((await stat(FILE())).mode & 0o777).toBe(0o600);
    expect((await stat(join(config, "climate-nextgen"))).mode & 0o777).toBe(0o700);
  });

  it("uses the user name of this system by default", async () => {
    const token = await authenticate({ host: host(), password });
    const claims = JSON.parse(
      Buffer.from(token.access_token.split(".")[1] ?? "", "base64url").toString(),
    ) as Record<string, string>;
    expect(claims.preferred_username).toBe(userInfo().username);
  });

  it("gets a new token with --force, and for another name", async () => {
    const first = await authenticate({ host: host(), username: "demo", password });
    const forced = await authenticate({ host: host(), username: "demo", password, force: true });
    expect(forced.access_token).not.toBe(first.access_token);
    await authenticate({ host: host(), username: userInfo().username, password });
    expect(password).toHaveBeenCalledTimes(3);
  });

  it("refreshes an expired token without a prompt", async () => {
    const first = await authenticate({ host: host(), username: "demo", password });
    await expire();
    const second = await authenticate({ host: host(), username: "demo", password });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(password).toHaveBeenCalledTimes(1);
  });

  it("prompts again if the refresh token is no longer valid", async () => {
    const first = await authenticate({ host: host(), username: "demo", password });
    await service.auth.revoke(
      first.refresh_token,
      { id: "climate-nextgen", confidential: false },
      "",
    );
    await expire();
    await authenticate({ host: host(), username: "demo", password });
    expect(password).toHaveBeenCalledTimes(2);
  });

  it.each(["refreshToken", "refresh_token"])(
    "takes a refresh token as %s, again and again, without a prompt",
    async (option) => {
      const { refresh_token: token } = await signIn(service, "demo");
      const options = { host: host(), [option]: token, password };
      const first = await authenticate(options);
      const second = await authenticate(options);
      expect(second.access_token).toBe(first.access_token);
      const third = await authenticate({ ...options, force: true });
      expect(third.access_token).not.toBe(first.access_token);
      const fourth = await authenticate({ ...options, force: true });
      expect((await status(service, fourth.access_token)).status).toBe(200);
      expect(password).not.toHaveBeenCalled();
    },
  );

  it("refreshes once if ten run at once", async () => {
    await authenticate({ host: host(), username: "demo", password });
    await expire();
    const tokens = await Promise.all(
      Array.from({ length: 10 }, () => authenticate({ host: host(), password })),
    );
    expect(new Set(tokens.map((token) => token.refresh_token)).size).toBe(1);
    expect(password).toHaveBeenCalledTimes(1);
  });

  it("survives a damaged token cache", async () => {
    await authenticate({ host: host(), username: "demo", password });
    await writeFile(FILE(), "{");
    await authenticate({ host: host(), username: "demo", password });
    expect(password).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["a wrong password", { password: async () => "wrong" }, /password is wrong/],
    ["a wrong refresh token", { refreshToken: "x" }, /refresh token is not valid/],
    ["a host that is none", { host: "ftp://x" }, /is not a host/],
    ["a host that nobody is at", { host: "127.0.0.1:9" }, /cannot be reached/],
  ])("fails with one sentence for %s", async (_, options, message) => {
    const failing = authenticate({ host: host(), username: "demo", password, ...options });
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toBeInstanceOf(AuthenticationError);
  });
});

describe("a host", () => {
  it.each([
    ["localhost", "http://localhost:7777"],
    ["127.0.0.1", "http://127.0.0.1:7777"],
    ["localhost:80", "http://localhost"],
    ["localhost:8080", "http://localhost:8080"],
    ["[::1]:8080", "http://[::1]:8080"],
    ["data.example.org", "https://data.example.org"],
    ["data.example.org:8443", "https://data.example.org:8443"],
    ["http://data.example.org", "http://data.example.org"],
    ["https://data.example.org:8443/climate/", "https://data.example.org:8443/climate"],
    ["https://data.example.org/api/climate-nextgen/", "https://data.example.org"],
    ["https://data.example.org/x/api/climate-nextgen", "https://data.example.org/x"],
  ])("%s is %s", (text, address) => {
    expect(serviceAddress(text)).toBe(address);
  });
});

describe("the command auth", () => {
  const env = () => ({ XDG_CONFIG_HOME: config, HOME: config });

  it("reads no terminal with a refresh token, and prints the token alone", async () => {
    const { refresh_token: token } = await signIn(service, "demo");
    const outcome = await run(["auth", "--host", host(), "-r", token], env());
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    const printed = JSON.parse(outcome.stdout) as Token;
    expect((await status(service, printed.access_token)).status).toBe(200);
    const again = await run(["auth", "--host", host(), "--refresh-token", token, "-v"], env());
    expect(JSON.parse(again.stdout)).toMatchObject({ access_token: printed.access_token });
    expect(again.stderr).toMatch(/cached/);
  });

  it("prints the access token alone with --print token", async () => {
    const { refresh_token: token } = await signIn(service, "demo");
    const outcome = await run(["auth", "--host", host(), "-r", token, "--print", "token"], env());
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect((await status(service, outcome.stdout.trim())).status).toBe(200);
  });

  it("ends with 1 and names the token endpoint without a terminal and a refresh token", async () => {
    for (const more of [[], ["--print", "token"]]) {
      const outcome = await run(["auth", "--host", host(), "-u", "demo", ...more], env());
      expect(outcome).toMatchObject({ code: 1, stdout: "" });
      expect(outcome.stderr).toBe(
        `A password is needed, but there is no terminal to ask on; use a refresh token, the first of which comes from POST ${host()}/api/climate-nextgen/auth/v2/token with username and password.\n`,
      );
    }
  });

  it("requires both a terminal and a name for a password", async () => {
    const outcome = await run(["auth", "--host", host()], env());
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/^A name and a password are needed[^\n]+\n$/);
  });

  it("ends with 1 and one sentence if the refresh token is not valid", async () => {
    const outcome = await run(["auth", "--host", host(), "-r", "nonsense"], env());
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^.*refresh token.*\n$/),
    });
  });

  it("takes no password as an argument", async () => {
    const outcome = await run(["auth", "--host", host(), "--password", "x"], env());
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toBe("");
  });

  it.each([["-V"], ["--version"]])("prints the version with %s", async (option) => {
    const { version } = JSON.parse(await readFile(packagePath("package.json"), "utf8")) as {
      version: string;
    };
    expect(await run(["auth", option], env())).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  const python = spawnSync("python3", ["-c", "import pty"]).status === 0;

  /** Runs `auth` on a terminal; gives what that showed, the exit status, and what was printed. */
  async function authOnTerminal(args: readonly string[], answers: readonly string[]) {
    const out = join(config, "out.json");
    const command = [process.execPath, ...MAIN, "auth", "--host", host(), ...args];
    const place = { cwd: packagePath(), env: env() };
    const { shown, code } = await onTerminal(command, { ...place, answers, out });
    return { shown, code, token: JSON.parse(await readFile(out, "utf8")) as Token };
  }

  it.skipIf(!python)(
    "prompts on the terminal without echo, and prints JSON on standard output",
    async () => {
      const typed = [`wrongx\x7f\x15${PASSWORD}\r`];
      const { shown, code, token } = await authOnTerminal(["-u", "demo", "--force"], typed);
      expect(shown).toContain("Password of demo");
      expect(shown).not.toContain(PASSWORD);
      expect(shown).not.toContain("wrong");
      expect(code).toBe(0);
      expect((await status(service, token.access_token)).status).toBe(200);
    },
  );

  it.skipIf(!python)(
    "prompts for the name as well if none is given; an empty one is that of this system",
    async () => {
      const named = await authOnTerminal(["--force"], ["demo\r", `${PASSWORD}\r`]);
      expect(named.shown).toContain(`Name at ${host()} [${userInfo().username}]: `);
      expect(named.shown).toContain("Password of demo");
      expect(named.shown).not.toContain(PASSWORD);
      expect((await status(service, named.token.access_token)).status).toBe(200);
      const empty = await authOnTerminal(["--force"], ["\r", `${PASSWORD}\r`]);
      expect(empty.shown).toContain(`Password of ${userInfo().username} at`);
      expect(empty.code).toBe(0);
    },
  );
});
