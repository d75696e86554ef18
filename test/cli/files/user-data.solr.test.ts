/** The commands user-data add and user-data delete, against a service. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addUserData, UserDataError } from "../../../src/cli/client/index.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { netcdfFilesBelow } from "../../files/zarr/files.js";
import { freshFolder } from "../../support/run/folders.js";
import { run, runHere } from "../../support/service/command.js";
import { emptyIndex } from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { entry, listed, stored } from "../../support/service/user-data.js";

const folder = freshFolder();
let refreshToken: string;
/** Data of the service, where users may register nothing. */
const pool = join(folder, "pool");
mkdirSync(pool);
const service = useService({ dataRoots: [pool] });
beforeAll(async () => {
  const { name } = await addUser(service.dataDir);
  ({ refresh_token: refreshToken } = await signIn(service, name));
});
beforeEach(() => emptyIndex(service.solr));

/** With tokens of its own kept in the folder. */
const whole = (args: readonly string[]) => [
  "user-data",
  ...args,
  "--host",
  service.address,
  "-r",
  refreshToken,
];
const command = (...args: string[]) => runHere(whole(args), { XDG_CONFIG_HOME: folder });
/** The same as a process of its own. */
const spawned = (...args: string[]) => run(whole(args), { XDG_CONFIG_HOME: folder });

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const jsonLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const lines = (entries: readonly unknown[]) => entries.map((one) => JSON.stringify(one)).join("\n");

describe("user-data add --from", () => {
  it("registers the files of a list, also gzipped, with facets, and reports their number", async () => {
    const some = Array.from({ length: 2500 }, (_, i) => entry(`/c/${i}.nc`));
    const one = await put("one.jsonl.gz", gzipSync(lines(some)));
    const two = await put("two.json", JSON.stringify([entry("/c/0.nc"), entry("/c/x.nc")]));
    const facets = ["--facet", "project=a=b", "--facet", "model=M"];
    const outcome = await spawned("add", "--from", one, two, ...facets);
    expect(outcome.stderr).toMatch(/Registering: 2,501 files added, 1 registered already/);
    expect(outcome.code).toBe(0);
    expect(await listed(service, { project: "a=b", model: "m" })).toHaveLength(2501);
  });

  it("takes a token of the environment, and keeps none", async () => {
    const { name } = await addUser(service.dataDir);
    const { access_token } = await signIn(service, name);
    const own = await mkdtemp(join(folder, "token-"));
    const path = await put("mine.jsonl", lines([entry("/c/mine.nc")]));
    const add = ["user-data", "add", "--from", path, "--host", service.address];
    const env = { XDG_CONFIG_HOME: own, CLIMATE_NEXTGEN_TOKEN: access_token };
    expect((await runHere(add, env)).code).toBe(0);
    expect((await stored(service)).map(({ file }) => file)).toEqual(["/c/mine.nc"]);
    expect(readdirSync(own)).toEqual([]);
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
    expect(await stored(service)).toEqual([]);
  });

  it("names every wrong line of every file, with all its faults", async () => {
    const one = await put("one.jsonl", lines([entry("/c/a.nc", { modle: 1, bbox: "x" }), [], 3]));
    const two = await put("two.jsonl", `{"file":7,"model":3}\n${lines([entry("/c/b.nc")])}`);
    const outcome = await command("add", "--from", one, two);
    expect(outcome.code).toBe(1);
    const told = outcome.stderr.trim().split("\n");
    expect(
      told.map((line) => line.slice(line.lastIndexOf("/", line.indexOf(".jsonl")) + 1)),
    ).toEqual([
      expect.stringMatching(/^one\.jsonl:1: modle: is not a known key.*; bbox: must be four/),
      "one.jsonl:2: not a JSON object",
      "one.jsonl:3: not a JSON object",
      expect.stringMatching(
        /^two\.jsonl:1: file: must be a string; variable: .*; time: .*; time_frequency: .*; model: must/,
      ),
    ]);
    expect(await stored(service)).toEqual([]);
  });

  it.each([
    ["no JSON", "{", /bad\.jsonl:2: not JSON/],
    ["no object", "3", /bad\.jsonl:2: not a JSON object/],
    ["an entry without time", '{"file":"/a","variable":"tas"}', /bad\.jsonl:2: time: must be/],
    [
      "an entry with a misspelled key",
      JSON.stringify(entry("/a", { modle: "x" })),
      /bad\.jsonl:2: modle: .*\bmodel\b/,
    ],
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
    expect(await stored(service)).toEqual([]);
  });

  it("reports a missing file, an unknown facet and a service that is not there", async () => {
    const missing = await command("add", "--from", join(folder, "nothing.json"));
    expect(missing.stderr).toMatch(/nothing\.json cannot be read \(does not exist\)/);
    const path = await put("a.json", "[]");
    const facet = await command("add", "--from", path, "--facet", "project");
    expect(facet.stderr).toMatch(/"project" is not key=value/);
    const call = addUserData({ user_metadata: [] }, { host: service.address, refreshToken: "x" });
    await expect(call).rejects.toThrow(/refresh token/i);
    expect(missing.code).toBe(1);
  });
});

const sample = packagePath("data", "files");
const EVERY = netcdfFilesBelow(sample);

describe("user-data add PATH", () => {
  it("registers the data below a folder by their headers", async () => {
    const outcome = await command("add", sample, "--facet", "project=mine");
    expect(outcome.stderr).toMatch(/Reading: 26 files\n/);
    expect(outcome.stderr).toMatch(/Registering: 26 files added, 0 registered already/);
    expect(outcome.code).toBe(0);
    expect(await listed(service, { project: "mine" })).toEqual(EVERY);
    const named = (part: string) => EVERY.filter((path) => path.includes(part));
    expect(await listed(service, { variable: "tos" })).toEqual(named("tos_"));
    expect(await listed(service, { variable: "tas" })).toContain(named("ngc3028")[0]);
    expect(await listed(service, { time_frequency: "6hr" })).toEqual(named("psl_6hr"));
    const fixed = [...named("orog_fx"), ...named("sftlf_fx")].sort();
    expect(await listed(service, { time_frequency: "fx", time: "1234" })).toEqual(fixed);
    const years = { time: "1990 to 1994", time_select: "strict", variable: "tas" };
    expect(await listed(service, years)).toEqual(
      named("tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_199001-199412"),
    );
    const europe = { bbox: "-50,70,20,75", bbox_select: "strict" };
    expect(await listed(service, europe)).toEqual(named("EUR-44"));
    expect(await listed(service, { bbox: "-120,-119,0,1" })).toHaveLength(23);
  });

  it("registers CMIP6 files under all their facets without any given by hand", async () => {
    const cmip6 = join(sample, "CMIP6", "CMIP");
    const outcome = await command("add", cmip6, "--checksum");
    expect(outcome.stderr).not.toContain("note:");
    expect(outcome.code).toBe(0);
    const facets = { project: "cmip6", model: "mpi-esm1-2-lr", cmor_table: "omon" };
    const found = await listed(service, { ...facets, ensemble: "r1i1p1f1", institute: "mpi-m" });
    expect(found).toEqual(EVERY.filter((path) => path.includes("/tos_Omon_MPI")));
    expect(await listed(service, { standard_name: "sea_surface_temperature" })).toEqual(found);
    const dataset_id = "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Omon.tos.gn";
    expect(await listed(service, { dataset_id })).toEqual(found);
    const checksum = createHash("sha256")
      .update(readFileSync(found[0] ?? ""))
      .digest("hex");
    expect(await listed(service, { checksum: `sha256:${checksum}` })).toEqual(found);
  });

  it("reports once a facet given by hand that contradicts many files", async () => {
    const outcome = await command("add", sample, "--facet", "project=mine", "--dry-run");
    const told = outcome.stderr.split("\n").filter((line) => line.includes("the file CMIP6"));
    expect(told).toEqual([
      expect.stringMatching(
        /\.nc: note: project: --facet says mine, the file CMIP6; stored is mine$/,
      ),
      "project: --facet says mine, the file CMIP6; stored is mine (16 files)",
    ]);
    expect(jsonLines(outcome.stdout).map(({ project }) => project)).toEqual(
      EVERY.map(() => "mine"),
    );
  });

  it("finds in the sample's files what its catalogue has", async () => {
    const { stdout } = await command("add", sample, "--dry-run");
    const read = new Map(jsonLines(stdout).map((one) => [String(one.file), one]));
    const catalogue = readFileSync(packagePath("data", "catalogue.jsonl"), "utf8");
    for (const known of jsonLines(catalogue).slice(0, 26)) {
      const one = read.get(packagePath("data", String(known.file)));
      expect([one?.variable].flat(), String(known.file)).toEqual(known.variable);
      expect([one?.time_frequency]).toEqual(known.time_frequency);
      expect(one?.time).toBe(known.time);
      // Catalogues have the official box of a CORDEX domain.
      if (known.bbox === "ENVELOPE(-180,180,90,-90)") expect(one?.bbox).toBe("-180,180,-90,90");
    }
    expect(read.size).toBe(26);
  });

  it("shows with --dry-run what --from takes again, and registers nothing", async () => {
    const [path = ""] = EVERY;
    const shown = await command("add", path, "--facet", "project=p", "--dry-run");
    expect(shown.code).toBe(0);
    expect(jsonLines(shown.stdout)).toMatchObject([{ file: path, project: "p" }]);
    expect(await stored(service)).toEqual([]);
    const listing = await put("shown.jsonl", shown.stdout);
    expect((await command("add", "--from", listing)).code).toBe(0);
    expect(await listed(service, { project: "p" })).toEqual([path]);
  });

  it("leaves out unreadable files, names them, registers the others, and ends with 1", async () => {
    const data = await mkdtemp(join(folder, "bad-"));
    await copyFile(EVERY[0] ?? "", join(data, "a.nc"));
    await writeFile(join(data, "b.nc"), "");
    await writeFile(join(data, "c.nc4"), "GRIB and more");
    await symlink(join(data, "nowhere"), join(data, "d.nc"));
    const outcome = await command("add", data);
    expect(outcome.code).toBe(1);
    for (const line of [
      /b\.nc: .*empty/,
      /c\.nc4: .*GRIB/,
      /d\.nc: cannot be read \(does not exist\)/,
    ]) {
      expect(outcome.stderr).toMatch(line);
    }
    expect(outcome.stderr).toMatch(/Registering: 1 file added/);
    expect(outcome.stderr).toMatch(/\n3 of 4 left out, for the reasons above\.\n$/);
    expect(outcome.stderr).not.toMatch(/\.ts:|node_modules/);
    expect(await listed(service)).toEqual([join(data, "a.nc")]);
  });

  it("leaves out files that the service refuses, names them, registers the others, and ends with 1", async () => {
    const data = await mkdtemp(join(folder, "mine-"));
    for (const path of [join(data, "a.nc"), join(pool, "b.nc"), join(pool, "c.nc")]) {
      await copyFile(EVERY[0] ?? "", path);
    }
    const outcome = await command("add", pool, data);
    expect(outcome.code).toBe(1);
    for (const name of ["b.nc", "c.nc"]) {
      expect(outcome.stderr).toContain(`\n${join(pool, name)}: file: is neither in a folder`);
    }
    expect(outcome.stderr).toMatch(/Registering: 1 file added/);
    expect(outcome.stderr).toMatch(/\n2 of 3 left out, for the reasons above\.\n$/);
    expect(await listed(service)).toEqual([join(data, "a.nc")]);
  });

  it("signs in before it reads files", async () => {
    const args = ["user-data", "add", sample, "--host", service.address, "-r", "none"];
    const { code, stderr } = await runHere(args, { XDG_CONFIG_HOME: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/refresh token/i);
    expect(stderr).not.toContain("Reading");
  });

  it("takes a facet that headers lack from the command line, also beside --from", async () => {
    const data = await mkdtemp(join(folder, "facets-"));
    await copyFile(EVERY[0] ?? "", join(data, "named.data"));
    const { time: _, ...timeless } = entry("/c/listed.nc");
    const listing = await put("timeless.jsonl", lines([timeless]));
    const paths = [join(data, "named.data"), "--from", listing];
    const outcome = await command("add", ...paths, "--facet", "time=1990");
    expect(outcome.stderr).toMatch(/Registering: 2 files added/);
    const times = (await stored(service)).map(({ time }) => time);
    expect(times[0]).toBe("[1990-01-01T00:00:00Z TO 1990-12-31T23:59:59Z]");
    expect(times[1]).not.toBe(times[0]);
  });

  it.each([
    ["nothing at all", [], /^Name files or folders of data to register, or add --from FILE\.\n$/],
    [
      "a path that is not there",
      ["/nowhere/at/all"],
      /^\/nowhere\/at\/all cannot be read \(does not exist\)/,
    ],
    [
      "a folder without data",
      [packagePath("src", "files", "cf")],
      /has no NetCDF or HDF5 files and no zarr/,
    ],
    [
      "a facet that is wrong for all",
      [sample, "--facet", "bbox=1"],
      /^--facet .*bbox: must be four/,
    ],
    ["a time that is none", [sample, "--facet", "time=soon"], /^--facet time: "soon" is not/],
    [
      "a facet that is misspelled",
      [sample, "--facet", "source_id=x"],
      /^--facet source_id: .*\bmodel\b/,
    ],
  ])("reports in one line that it was given %s", async (_, args, expected) => {
    const outcome = await command("add", ...args);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(expected);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
    expect(await stored(service)).toEqual([]);
  });
});

describe("user-data delete", () => {
  beforeEach(async () => {
    const path = await put("some.json", JSON.stringify([entry("/c/a.nc"), entry("/c/b.nc")]));
    await command("add", "--from", path);
  });

  it("deletes the files that -s selects, and prints the service's message", async () => {
    const outcome = await command("delete", "-s", "file=/c/a*", "-s", "variable=tas");
    expect(outcome.stdout).toMatch(/1 document of user data has been deleted/);
    expect(await listed(service)).toEqual(["/c/b.nc"]);
  });

  it("reports that nothing matched, and exits with 1", async () => {
    const outcome = await command("delete", "-s", "variable=pr");
    expect([outcome.code, outcome.stdout]).toEqual([1, ""]);
    expect(outcome.stderr).toBe("Nothing matched: no entry of yours was deleted.\n");
    expect(await listed(service)).toHaveLength(2);
  });

  it("deletes everything with --all only", async () => {
    const refused = await command("delete");
    expect(refused.stderr).toBe("Select entries by -s key=value, or add --all.\n");
    expect(refused.code).toBe(1);
    expect(await listed(service)).toHaveLength(2);
    expect((await command("delete", "--all")).code).toBe(0);
    expect(await listed(service)).toEqual([]);
  });

  it("reports in one line why the service refuses", async () => {
    const outcome = await command("delete", "-s", "modle=x");
    expect(outcome.stderr).toMatch(/^modle: is not a facet of native; did you mean model/);
    expect(outcome.code).toBe(1);
    expect(new UserDataError("x").name).toBe("UserDataError");
  });
});
