/** The commands user-data add and user-data delete, against a service. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addUserData, UserDataError } from "../../src/client/index.js";
import { run } from "../support/command.js";
import { emptyIndex, startService, type TestService } from "../support/service.js";
import { addUser, signIn } from "../support/sign-in.js";
import { entry, listed, stored } from "../support/user-data.js";

let service: TestService;
let folder: string;
let refreshToken: string;
beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), "climate-user-data-"));
  const { name } = await addUser(service.dataDir);
  ({ refresh_token: refreshToken } = await signIn(service, name));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => emptyIndex(service.solr));

/** With tokens of its own kept in the folder. */
const command = (...args: string[]) =>
  run(["user-data", ...args, "--host", service.address, "-r", refreshToken], {
    XDG_CONFIG_HOME: folder,
  });

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const lines = (entries: readonly object[]) => entries.map((one) => JSON.stringify(one)).join("\n");

describe("user-data add --from", () => {
  it("registers the entries of files, also gzipped, with facets, and tells how many", async () => {
    const some = Array.from({ length: 2500 }, (_, i) => entry(`/c/${i}.nc`));
    const one = await put("one.jsonl.gz", gzipSync(lines(some)));
    const two = await put("two.json", JSON.stringify([entry("/c/0.nc"), entry("/c/x.nc")]));
    const facets = ["--facet", "project=a=b", "--facet", "model=M"];
    const outcome = await command("add", "--from", one, two, ...facets);
    expect(outcome.stderr).toMatch(/Registering: 2501 files added, 1 were registered already/);
    expect(outcome.code).toBe(0);
    expect(await listed(service, { project: "a=b", model: "m" })).toHaveLength(2501);
  });

  it("shows with --dry-run what it would register, and registers nothing", async () => {
    const path = await put("dry.jsonl", lines([entry("/c/a.nc", { note: 1 }), entry("/c/b.nc")]));
    const outcome = await command("add", "--from", path, "--facet", "project=p", "--dry-run");
    const shown = outcome.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(shown).toEqual([
      { project: "p", ...entry("/c/a.nc", { note: 1 }) },
      { project: "p", ...entry("/c/b.nc") },
    ]);
    expect(await stored(service, "files")).toEqual([]);
  });

  it.each([
    ["no JSON", "{", /bad\.jsonl:2: not JSON/],
    ["no object", "3", /bad\.jsonl:2: not a JSON object/],
    ["an entry without time", '{"file":"/a","variable":"tas"}', /bad\.jsonl:2: time: must be/],
    [
      "a time that is none",
      JSON.stringify(entry("/a", { time: "x" })),
      /bad\.jsonl:2: time: "x" is not/,
    ],
  ])("refuses a file with %s, names the line and registers nothing", async (_, line, reason) => {
    const path = await put("bad.jsonl", `${JSON.stringify(entry("/c/a.nc"))}\n${line}\n`);
    const outcome = await command("add", "--from", path);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(reason);
    expect(outcome.stderr).not.toMatch(/\.ts:|node_modules/);
    expect(await stored(service, "files")).toEqual([]);
  });

  it("tells of a file that is missing, of a facet that is none, and of a service that is not there", async () => {
    const missing = await command("add", "--from", join(folder, "nothing.json"));
    expect(missing.stderr).toMatch(/nothing\.json cannot be read \(ENOENT\)/);
    const path = await put("a.json", "[]");
    const facet = await command("add", "--from", path, "--facet", "project");
    expect(facet.stderr).toMatch(/"project" is not key=value/);
    const call = addUserData({ user_metadata: [] }, { host: service.address, refreshToken: "x" });
    await expect(call).rejects.toThrow(/refresh token/i);
    expect(missing.code).toBe(1);
  });
});

describe("user-data delete", () => {
  beforeEach(async () => {
    const path = await put("some.json", JSON.stringify([entry("/c/a.nc"), entry("/c/b.nc")]));
    await command("add", "--from", path);
  });

  it("deletes what -s says, and prints the service's message", async () => {
    const outcome = await command("delete", "-s", "file=/c/a*", "-s", "variable=tas");
    expect(outcome.stdout).toMatch(/1 documents of user data have been deleted/);
    expect(await listed(service)).toEqual(["/c/b.nc"]);
  });

  it("deletes everything with --all only", async () => {
    const refused = await command("delete");
    expect(refused.stderr).toBe("Say which data: -s key=value, or --all.\n");
    expect(refused.code).toBe(1);
    expect(await listed(service)).toHaveLength(2);
    expect((await command("delete", "--all")).code).toBe(0);
    expect(await listed(service)).toEqual([]);
  });

  it("tells in one line why the service refuses", async () => {
    const outcome = await command("delete", "-s", "modle=x");
    expect(outcome.stderr).toMatch(/^modle: is not a native facet name; did you mean model/);
    expect(outcome.code).toBe(1);
    expect(new UserDataError("x").name).toBe("UserDataError");
  });
});
