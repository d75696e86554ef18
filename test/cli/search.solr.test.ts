/** The command search against a service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SearchOptions } from "../../src/cli/search/options.js";
import { searchRequestOf } from "../../src/cli/search/search-request.js";
import { freshFolder } from "../support/run/folders.js";
import { MAIN, runHere } from "../support/service/command.js";
import { addUser, signIn } from "../support/service/sign-in.js";
import { onTerminal } from "../support/service/terminal.js";
import { useService } from "../support/service/use-service.js";

const file = (model: string, experiment: string, variable: string) => ({
  file: `/data/CMIP6/${model}/${experiment}/${variable}_Amon_${model}_${experiment}_r1i1p1f1_gn_1985.nc`,
  project: ["CMIP6"],
  model: [model],
  experiment: [experiment],
  variable: [variable],
  ensemble: ["r1i1p1f1"],
  cmor_table: ["Amon"],
  time: "[1985-01-01T00:00:00Z TO 1985-12-31T23:59:59Z]",
  standard_name: ["air_temperature"],
  size: 1_500_000,
});

const DOCUMENTS = [
  file("MPI-ESM1-2-LR", "historical", "tas"),
  file("MPI-ESM1-2-LR", "historical", "pr"),
  file("MPI-ESM1-2-LR", "ssp585", "tas"),
  file("UKESM1-0-LL", "historical", "tas"),
  { file: "/data/odd/a,b.nc", project: ["odd"], institute: ["Kurz, Lang"], variable: ["x"] },
  {
    file: "/data/odd/esc\u001b[31m.nc",
    project: ["odd"],
    institute: ["氷 \u202e\u001b]0;own\u0007"],
  },
];

const folder = freshFolder();
const service = useService({ documents: DOCUMENTS });

const env = () => ({ XDG_CONFIG_HOME: folder, HOME: folder });
const search = (...args: string[]) =>
  runHere(["search", "--host", service.address, ...args], env());
/** A search as it is typed: words without blanks in them. */
const typed = (line: string) => search(...line.split(" "));
const lines = (text: string) => text.split("\n").slice(0, -1);
const list = async (...args: string[]) => lines((await search(...args)).stdout).sort();
const filesOf = (...numbers: number[]) => numbers.map((at) => DOCUMENTS[at]?.file).sort();

describe("search of paths", () => {
  it.each([
    [
      ["cmip6", "experiment_id=historical", "variable_id=tas"],
      [0, 3],
    ],
    [
      ["experiment=historical", "variable=tas"],
      [0, 3],
    ],
    [["cmip6", "mip_era=cmip6", "variable_id!=tas"], [1]],
    [["cmip6", "mip_era=cmip6", "variable_id_not_=tas"], [1]],
    [
      ["cmip6", "variable_id=tas,pr", "source_id=MPI-*"],
      [0, 1, 2],
    ],
    [["cmip6", "variable_id=tas", "variable_id=pr", "source_id!=mpi-*,x"], [3]],
    [["institute=Kurz\\, Lang"], [4]],
    [["file=/data/odd/a,b.nc"], [4]],
    [
      ["variable=tas", "--time", "1985", "--time-select", "file", "experiment!=ssp585"],
      [0, 3],
    ],
  ])("lists them with %j", async (words, wanted) => {
    expect(await list(...words)).toEqual(filesOf(...wanted));
  });

  it("prints them unchanged into a pipe, and harmless on a terminal", async () => {
    const { stdout } = await search("file=/data/odd/esc*");
    expect(stdout).toBe("/data/odd/esc\u001b[31m.nc\n");
    const shown = await shownOf(["search", "--host", service.address, "file=/data/odd/esc*"]);
    expect(shown).toBe("/data/odd/esc\\u001b[31m.nc\r\n");
  });

  it("prints a number with --limit, URIs with --uri, and every version with --multi-version", async () => {
    const { code, stdout } = await search("--limit", "2");
    expect(code).toBe(0);
    expect(lines(stdout)).toHaveLength(2);
    expect((await search("--uri")).code).toBe(1);
    expect(await list("cmip6", "variable_id=pr", "--multi-version")).toEqual(filesOf(1));
  });

  it("ends silently when its reader leaves", async () => {
    const command = `"$0" "$1" search --host "$2" | head -1; echo "$\{PIPESTATUS[0]}"`;
    const args = ["-c", command, process.execPath, ...MAIN, service.address];
    const child = spawn("bash", args, { env: { ...process.env, ...env() } });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece) => {
        said += piece;
      });
    }
    await once(child, "close");
    expect(said).toMatch(/^\/data\/[^\n]+\n0\n$/);
  });
});

describe("a search that finds nothing", () => {
  it.each([
    [
      ["cmip6", "source_id=UKESM1-0-LL", "variable_id=tas", "experiment_id=historicl"],
      "Nothing is found. Without experiment_id=historicl there would be 1 file. Try instead of historicl: historical (1).\n",
    ],
    [
      ["cmip6", "experiment_id=ssp585", "source_id=UKESM1-0-LL"],
      /^Nothing is found. Without source_id=UKESM1-0-LL there would be 1 file, without experiment_id=ssp585 there would be 1 file\.\n$|experiment_id=ssp585 there would be 1 file, without source_id/,
    ],
  ])("ends with 1 and a line that names the obstacle: %j", async (words, said) => {
    const { code, stdout, stderr } = await search(...words);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(said);
    const counted = await search(...words, "--count");
    expect([counted.code, counted.stdout]).toEqual([1, "0\n"]);
    const catalogue = await search(...words, "--format", "intake");
    expect(catalogue).toEqual({ code: 1, stdout: "", stderr });
  });
});

describe("a search that fails", () => {
  it.each([
    [["cmip6", "nonsense"], /^"nonsense" is not facet=value or facet!=value\. \(.*--help/],
    [["cmip6", "experimnt_id=x"], /^experimnt_id: .*did you mean experiment_id.*\n$/],
    [["cmip66", "variable=x"], /^flavour: must be one of .*did you mean cmip6.*\n$/],
    [["--cells", "x"], /Allowed choices are files/],
    [["--no-such-option"], /unknown option '--no-such-option'/],
    [["--host", "127.0.0.1:9"], /^http:\/\/127\.0\.0\.1:9 cannot be reached \(.+\)\.\n$/],
  ])("ends with 2 and a sentence: %j", async (words, said) => {
    const outcome = await search(...words);
    expect([outcome.code, outcome.stdout]).toEqual([2, ""]);
    expect(outcome.stderr).toMatch(said);
  });

  it("ends with 2 if a server is not ours, or breaks off; a file is complete or missing", async () => {
    const server = createServer((request, response) => {
      if (request.url?.includes("intake")) response.writeHead(404).end();
      else if (request.url?.includes("variable=html")) response.end("<html>\n");
      else {
        response.writeHead(200, { "Content-Type": "text/plain" }).write("/a\n/b\n");
        setTimeout(() => response.destroy(), 50);
      }
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = join(folder, "broken");
    const ask = (...args: string[]) => runHere(["search", "--host", host, ...args], env());
    try {
      const other = await ask("variable=html");
      expect([other.code, other.stdout]).toEqual([2, ""]);
      expect(other.stderr).toMatch(/^No climate-nextgen service/);
      expect((await ask("--format", "intake")).code).toBe(2);
      const broken = await ask();
      expect([broken.code, broken.stdout]).toEqual([2, "/a\n/b\n"]);
      expect(broken.stderr).toMatch(
        /^The transfer broke off \(\S.*\): the answer is incomplete\.\n$/,
      );
      await mkdir(own);
      await writeFile(join(own, "list.txt"), "before");
      expect((await ask("--output", join(own, "list.txt"))).code).toBe(2);
      expect((await ask("--output", join(own, "new.txt"))).code).toBe(2);
      expect(await readdir(own)).toEqual(["list.txt"]);
      expect(await readFile(join(own, "list.txt"), "utf8")).toBe("before");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("leaves nothing of a file when it is interrupted", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/plain" }).write("/a\n");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const own = await mkdtemp(join(folder, "interrupted-"));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = [...MAIN, "search", "--host", host, "--output", join(own, "list.txt")];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env() } });
    await expect.poll(() => readdir(own)).toHaveLength(1);
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([null, "SIGINT"]);
    expect(await readdir(own)).toEqual([]);
    server.closeAllConnections();
    server.close();
  });
});

describe("an invalid search", () => {
  it.each<[string[], SearchOptions, RegExp]>([
    [["cmip6", "experiment_id="], {}, /has no value/],
    [["cmip6", "=x"], {}, /is not facet=value/],
    [[""], {}, /must not be empty/],
    [[], { count: true, summary: true }, /^--count and --summary exclude each other/],
    [[], { fields: "file", count: true }, /^--fields cannot be used with --count/],
    [[], { groupBy: "model", summary: true }, /^--group-by cannot be used with --summary/],
    [[], { limit: "3", format: "stac" }, /^--limit cannot be used with --format stac/],
    [[], { json: true, format: "csv" }, /^--json cannot be used with --format csv/],
    [[], { limit: "0" }, /^--limit takes a number/],
    [[], { coverage: "model" }, /^--coverage takes two facets/],
    [[], { complete: true }, /^--complete needs/],
  ])("is refused: %j %j", (words, options, said) => {
    expect(() => searchRequestOf(words, options)).toThrow(said);
  });
});

describe("the summary of a search", () => {
  it("counts the files", async () => {
    expect(await search("cmip6", "variable_id=tas", "--count")).toEqual({
      code: 0,
      stdout: "3\n",
      stderr: "",
    });
  });

  it("shows the values of facets, in lines that fit, without control characters", async () => {
    const { stdout } = await search("cmip6", "mip_era=cmip6", "--facets", "source_id");
    expect(lines(stdout)).toEqual([
      "files  source_id",
      "    3  mpi-esm1-2-lr",
      "    1  ukesm1-0-ll",
    ]);
    const two = await search("cmip6", "--facets", "experiment_id,institution_id");
    expect(lines(two.stdout)).toEqual([
      "institution_id  kurz, lang (1), 氷 \\u202e\\u001b]0;own\\u0007 (1)",
      "experiment_id   historical (3), ssp585 (1)",
      "6 files.",
    ]);
    const all = await search("cmip6", "--facets");
    expect(Math.max(...lines(all.stdout).map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(all.stdout).toContain("\nexperiment_id ");
    const json = JSON.parse((await search("--facets", "model", "--json")).stdout);
    expect(json.facets.model).toEqual(["mpi-esm1-2-lr", "3", "ukesm1-0-ll", "1"]);
  });

  it("shows the size", async () => {
    const { stdout } = await search("cmip6", "mip_era=cmip6", "--summary");
    expect(lines(stdout).slice(0, 5)).toEqual([
      "files         4",
      expect.stringMatching(/^datasets {6}\d$/),
      "size          6.0 MB",
      "time          1985-01-01T00:00:00Z to 1985-12-31T23:59:59Z",
      "formats       nc 4",
    ]);
    expect(stdout).toMatch(/\nlists, about {2}paths \d+ B, intake-esm \d.* STAC /);
  });

  it("explains why nothing was found", async () => {
    const { code, stdout } = await typed("cmip6 experiment_id=historicl source_id=MPI-* --why");
    expect(code).toBe(1);
    expect(lines(stdout)).toEqual([
      "files without it  constraint",
      "               3  experiment_id=historicl  instead of historicl: historical (2)",
      "               0  source_id=MPI-*",
      "With all of them: 0 files.",
      "experiment_id alone excludes everything.",
    ]);
  });
});

describe("search of several facets and of chosen fields", () => {
  it("shows coverage as a matrix", async () => {
    const { code, stdout } = await typed("cmip6 mip_era=cmip6 --coverage source_id,experiment_id");
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      "source_id \\ experiment_id  historical  ssp585",
      "mpi-esm1-2-lr                       2       1",
      "ukesm1-0-ll                         1       -",
      "4 files.",
    ]);
    const bytes = await search("--coverage", "model,experiment", "--cells", "bytes", "--json");
    expect(JSON.parse(bytes.stdout).values).toEqual([
      [0, 0, 3e6],
      [0, 1, 1.5e6],
      [1, 0, 1.5e6],
    ]);
  });

  it("shows complete groups and what others lack, and lists the files of complete ones alone", async () => {
    const needs = "--group-by source_id --need variable_id:tas --need variable_id:pr".split(" ");
    const { code, stdout } = await search("cmip6", "--complete", ...needs);
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      "1 of 2 groups is complete.",
      "",
      "source_id",
      "mpi-esm1-2-lr",
      "",
      "source_id    lacks",
      "ukesm1-0-ll  variable_id:pr",
    ]);
    expect(await list("cmip6", ...needs)).toEqual(filesOf(0, 1, 2));
    expect((await search("cmip6", ...needs, "--count")).stdout).toBe("3\n");
    const none = await search("cmip6", "--group-by", "source_id", "--need", "variable_id:none");
    expect(none).toEqual({
      code: 1,
      stdout: "",
      stderr: "No group of 6 files is complete: --complete says what is missing.\n",
    });
    const lacking = await typed("cmip6 --complete --group-by source_id --need variable_id:none");
    expect([lacking.code, lines(lacking.stdout)[0], lacking.stderr]).toEqual([
      1,
      "0 of 0 groups are complete.",
      "No group of 6 files is complete.\n",
    ]);
    const nothing = await typed("cmip6 variable_id=none --complete --group-by source_id");
    expect([nothing.code, nothing.stdout]).toEqual([1, "0 of 0 groups are complete.\n"]);
    expect(nothing.stderr).toMatch(/^Nothing is found\. Without variable_id=none there would be/);
  });

  it("gives fields of each file: lines with tabs, a table on a terminal, JSON Lines, CSV and Parquet", async () => {
    const words = ["cmip6", "variable_id=tas,pr", "source_id=MPI-*"];
    const fields = ["--fields", "variable_id,experiment_id,size"];
    const { stdout } = await search(...words, ...fields);
    expect(lines(stdout).sort()).toEqual([
      "pr\thistorical\t1500000",
      "tas\thistorical\t1500000",
      "tas\tssp585\t1500000",
    ]);
    const json = await search(...words, "--json", "--limit", "2");
    const files = lines(json.stdout).map((line) => (JSON.parse(line) as { file: string }).file);
    expect(files).toEqual((await list(...words)).reverse().slice(0, 2));
    const args = ["search", "--host", service.address, ...words, ...fields, "--limit", "1"];
    expect(await shownOf(args, { TERM: "xterm" })).toBe(
      "\u001b[1mvariable_id  experiment_id     size\u001b[22m\r\ntas          ssp585         1500000\r\n",
    );
    expect(await shownOf(args, { TERM: "xterm", NO_COLOR: "1" })).not.toContain("\u001b");
    const forced = await runHere(["search", "--host", service.address, "--facets"], {
      ...env(),
      FORCE_COLOR: "1",
    });
    expect(forced.stdout).toContain("\u001b[1mproject");
    const csv = await search(...words, ...fields, "--format", "csv");
    expect(csv.stdout.split("\r\n").slice(0, 1)).toEqual(["variable_id,experiment_id,size"]);
    expect(lines(csv.stdout)).toHaveLength(4);
    const path = join(folder, "found.parquet");
    expect((await search(...words, "--format", "parquet", "--output", path)).code).toBe(0);
    expect((await readFile(path)).subarray(-4).toString()).toBe("PAR1");
    const none = await search("cmip6", "variable_id=none", "--format", "csv");
    expect([none.code, lines(none.stdout).length]).toEqual([1, 1]);
    const many = Array.from({ length: 200 }, (_, index) => `none${index}`).join(",");
    for (const words of [["variable_id=none"], [`variable_id=${many}`]]) {
      const empty = await search("cmip6", ...words, "--format", "parquet", "--output", path);
      expect([empty.code, empty.stderr.slice(0, 17)]).toEqual([1, "Nothing is found."]);
      expect((await readFile(path)).subarray(-4).toString()).toBe("PAR1");
    }
  });
});

describe("search --format", () => {
  it("writes an intake-esm catalogue and a STAC archive, the latter not to a terminal", async () => {
    const intake = await search("cmip6", "variable_id=pr", "--format", "intake");
    expect(JSON.parse(intake.stdout).catalog_dict).toHaveLength(1);
    const path = join(folder, "found.zip");
    expect(await search("cmip6", "--format", "stac", "--output", path)).toMatchObject({ code: 0 });
    expect((await readFile(path)).subarray(0, 2).toString()).toBe("PK");
    const args = ["search", "--host", service.address, "--format", "stac"];
    expect(await shownOf(args)).toMatch(/^--format stac cannot be printed on a terminal/);
  });
});

describe("search with a token", () => {
  it("uses one of the environment, of a file, or a cached one, unless that has expired", async () => {
    const { name } = await addUser(service.dataDir);
    const token = await signIn(service, name);
    const authorization = { Authorization: `Bearer ${token.access_token}` };
    const made = await service.get("/databrowser/flavours", {
      method: "POST",
      headers: { ...authorization, "Content-Type": "application/json" },
      body: JSON.stringify({ flavour_name: "my-lab", mapping: { model: "gcm" } }),
    });
    expect(made.status).toBe(201);
    const own = await mkdtemp(join(folder, "token-"));
    const ask = (more: Record<string, string>, ...args: string[]) =>
      runHere(["search", "--host", service.address, "my-lab", "gcm=mpi-*", "--count", ...args], {
        XDG_CONFIG_HOME: own,
        HOME: own,
        ...more,
      });
    expect((await ask({})).code).toBe(2);
    expect((await ask({ CLIMATE_NEXTGEN_TOKEN: token.access_token })).stdout).toBe("3\n");
    expect((await ask({ CLIMATE_NEXTGEN_TOKEN: "x.y.z" })).code).toBe(2);
    expect(existsSync(join(own, "climate-nextgen"))).toBe(false);
    const variable = { CLIMATE_NEXTGEN_REFRESH_TOKEN: token.refresh_token };
    expect((await ask(variable)).stdout).toBe("3\n");
    expect((await ask({})).stdout).toBe("3\n");
    await writeFile(join(own, "token"), token.refresh_token);
    expect((await ask({}, "--refresh-token-file", join(own, "token"))).stdout).toBe("3\n");
    const kept = join(own, "climate-nextgen", "tokens.json");
    const text = await readFile(kept, "utf8");
    const count = () =>
      runHere(["search", "--host", service.address, "--count"], {
        XDG_CONFIG_HOME: own,
        HOME: own,
      });
    await writeFile(kept, text.replaceAll(/"access_token": "[^"]*"/g, '"access_token": "x.y.z"'));
    expect(await count()).toEqual({ code: 0, stdout: "6\n", stderr: "" });
    await writeFile(
      kept,
      text.replaceAll(/"(access|refresh)_token": "[^"]*"/g, '"$1_token": "x.y.z"'),
    );
    expect(await count()).toEqual({
      code: 0,
      stdout: "6\n",
      stderr: "The cached token is not valid any more: searching without one.\n",
    });
  });

  it("renews one that expires between two pages, and ends if that fails", async () => {
    for (const isRenewed of [true, false]) {
      const requests: string[] = [];
      const server = createServer(async (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
        const after = searchParams.get("after");
        const sender = request.headers.authorization;
        requests.push(pathname.endsWith("/token") ? "token" : `${after} ${sender}`);
        const answer = (status: number, body: object) =>
          response
            .writeHead(status, { "Content-Type": "application/json" })
            .end(JSON.stringify(body));
        if (pathname.endsWith("/token")) {
          const isFirst = requests.length === 1;
          const access_token = isFirst ? "one" : "two";
          const token = { access_token, refresh_token: "r", expires: 4e9, refresh_expires: 4e9 };
          if (isFirst || isRenewed) answer(200, token);
          else answer(401, { detail: "Sign in again." });
        } else if (after !== null && sender === "Bearer one") answer(401, {});
        else answer(200, { documents: [{ file: `${after}` }], after: after === null ? "x" : null });
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const home = await mkdtemp(join(folder, "token-"));
      const own = { XDG_CONFIG_HOME: home, HOME: home };
      const ask = (more = {}, ...args: string[]) =>
        runHere(["search", "--host", host, "--json", ...args], { ...own, ...more });
      const first = await ask({ CLIMATE_NEXTGEN_REFRESH_TOKEN: "r" }, "--limit", "1");
      expect(first.code, first.stderr).toBe(0);
      const from = requests.length;
      const ran = await ask();
      server.close();
      const sent = ["null Bearer one", "x Bearer one", "token"];
      expect(requests.slice(from)).toEqual(isRenewed ? [...sent, "x Bearer two"] : sent);
      expect(ran.code, ran.stderr).toBe(isRenewed ? 0 : 2);
    }
  });
});

/** Runs the command on a terminal; gives what that showed. */
async function shownOf(args: readonly string[], more: Record<string, string> = {}) {
  const { shown } = await onTerminal([process.execPath, ...MAIN, ...args], {
    env: { ...env(), ...more },
  });
  return shown;
}
