/** Lines that real shells complete, with what a service says. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quoted, readShellLine } from "../../src/cli/completion/shell-line.js";
import { FISH, findProgram, ZSH } from "../support/programs/debian.js";
import { MAIN, runHere } from "../support/service/command.js";
import { emptyIndex, load, startService, type TestService } from "../support/service/service.js";

/** Each begins with a letter of its own. */
const VALUES = [
  "a $(touch pwned)",
  "b`touch pwned`",
  "c;touch pwned;&|<>()",
  `d'e"f`,
  "g\\h$HOME",
  "i*j?k[l]{m,n}",
  "o: p=q:r",
  "s#~t%u^",
  "w!x!!",
  "氷 y",
];

const document = (value: string, at: number) => ({
  file: `/data/${at}.nc`,
  institute: [value],
  model: [at === 0 ? "MPI-ESM1-2-LR" : "UKESM1-0-LL"],
  experiment: [at === 0 ? "historical" : "hidden"],
});

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  await emptyIndex(service.solr);
  await load(service.solr, [
    ...VALUES.map(document),
    document("x\u001b]0;own\u0007", 98),
    document("-x", 99),
  ]);
  folder = await mkdtemp(join(tmpdir(), "climate-completion-"));
  const main = [process.execPath, ...MAIN].map((part) => `'${part}'`).join(" ");
  // What is completed is asked of the real command; what is run in the end shows its arguments.
  await writeFile(
    join(folder, "climate-nextgen"),
    `#!/bin/sh\ncase $1 in complet*) exec ${main} "$@";; esac\nprintf '%s\\0' "$@" > args.new; mv args.new args\n`,
  );
  await chmod(join(folder, "climate-nextgen"), 0o755);
});
afterAll(async () => {
  await emptyIndex(service.solr);
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({
  ...{ HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, TERM: "vt100" },
  ...{ PATH: `${folder}:${process.env.PATH}`, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
});

/** A shell on a terminal of its own. */
class Typing {
  readonly #child: ChildProcess;
  shown = "";
  constructor(command: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const relay = "import pty, sys; pty.spawn(sys.argv[1:])";
    this.#child = spawn("python3", ["-c", relay, ...command], {
      cwd: folder,
      env: { ...env(), ...more },
    });
    this.#child.stdout?.on("data", (piece) => {
      this.shown += piece;
    });
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Types a line, and gives the arguments of what is run by it. */
  async line(keys: string): Promise<string[]> {
    await rm(join(folder, "args"), { force: true });
    this.type(`${keys}\r`);
    await expect
      .poll(() => existsSync(join(folder, "args")), {
        timeout: 30_000,
        message: this.shown.slice(-2000),
      })
      .toBe(true);
    return (await readFile(join(folder, "args"), "utf8")).split("\0").slice(0, -1);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    this.#child.kill();
    await once(this.#child, "close");
  }
}

const before = () => `climate-nextgen search --host ${service.address} cmip6`;
const wanted = (...words: string[]) => ["search", "--host", service.address, "cmip6", ...words];
/** As they are written in a filter, which has its own wildcards and commas. */
const inFilter = (value: string) => value.toLowerCase().replace(/[*?,]/g, "\\$&");

async function expectCompleted(typing: Typing, values = VALUES.slice(0, 5)): Promise<void> {
  expect(await typing.line(`${before()} experi\thisto\t`)).toEqual(
    wanted("experiment_id=historical"),
  );
  // The rest of the line narrows the values.
  expect(await typing.line(`${before()} source_id='mpi-*' experiment_id=hi\t`)).toEqual(
    wanted("source_id=mpi-*", "experiment_id=historical"),
  );
  expect(await typing.line(`${before()} source_id=MP\t --summ\t`)).toEqual(
    wanted("source_id=mpi-esm1-2-lr", "--summary"),
  );
  for (const value of values) {
    const [first = ""] = value;
    expect(await typing.line(`${before()} institution_id=${first}\t`)).toEqual(
      wanted(`institution_id=${inFilter(value)}`),
    );
  }
  expect(await readdir(folder)).not.toContain("pwned");
}

describe("a line that is completed", () => {
  it("by bash has what the service says, as text", async () => {
    const typing = new Typing(["bash", "--norc", "--noprofile", "-i"]);
    try {
      typing.type("source <(climate-nextgen completion bash)\r");
      await expectCompleted(typing, VALUES);
      // Within quotes that are open.
      for (const quote of [`"`, "'"]) {
        for (const value of ["a $(touch pwned)", "b`touch pwned`", `d'e"f`]) {
          const [first = ""] = value;
          const line = `${before()} institution_id=${quote}${first}\t`;
          expect(await typing.line(line)).toEqual(wanted(`institution_id=${inFilter(value)}`));
        }
      }
    } finally {
      await typing.end();
    }
  });

  it("by zsh as well", async ({ skip }) => {
    const zsh = await findProgram(ZSH);
    if (zsh === undefined) return skip();
    const functions = join(zsh.root, "usr/share/zsh/functions");
    const typing = new Typing([zsh.path, "-f", "-i"], {
      LD_LIBRARY_PATH: zsh.env.LD_LIBRARY_PATH,
    });
    try {
      if (zsh.root !== "/") {
        typing.type(`module_path=(${zsh.env.LD_LIBRARY_PATH}/zsh/*)\r`);
        typing.type(`fpath=(${functions} ${functions}/*(/) ${functions}/*/*(/))\r`);
      }
      typing.type("autoload -Uz compinit; compinit -u -D; setopt interactivecomments\r");
      typing.type("source <(climate-nextgen completion zsh)\r");
      await expectCompleted(typing);
    } finally {
      await typing.end();
    }
  });

  it("by fish as well", async ({ skip }) => {
    const fish = await findProgram(FISH);
    if (fish === undefined) return skip();
    const typing = new Typing([fish.path, "--no-config", "-i"], {
      LD_LIBRARY_PATH: fish.env.LD_LIBRARY_PATH,
    });
    try {
      typing.type("climate-nextgen completion fish | source\r");
      await expectCompleted(typing);
    } finally {
      await typing.end();
    }
  });
});

describe("completion", () => {
  const complete = async (line: string) => {
    const breaks = " \t\n\"'><=;|&(:";
    const { code, stdout, stderr } = await runHere(["complete-line", "bash", line, breaks], env());
    expect([code, stderr]).toEqual([0, ""]);
    return stdout.split("\n").slice(0, -1);
  };

  it("knows commands, options and their values, flavours, and facets in lists", async () => {
    expect(await complete("climate-nextgen sea")).toEqual(["+search"]);
    expect(await complete("climate-nextgen users pas")).toEqual(["+passwd"]);
    expect(await complete("climate-nextgen search --format p")).toEqual(["+parquet"]);
    const host = `climate-nextgen search --host ${service.address}`;
    expect(await complete(`${host} cmip6 --facets experiment_id,exp`)).toEqual([]);
    expect(await complete(`${host} cmip6 --facets source_id,exp`)).toEqual([
      "+source_id,experiment_id",
    ]);
    expect(await complete(`${host} cord`)).toEqual(["+cordex", "+cordex-cmip6"]);
    expect(await complete(`${host} cmip6 source_id=mpi-esm1-2-lr,u`)).toEqual([
      "+mpi-esm1-2-lr,ukesm1-0-ll",
    ]);
  });

  it("offers nothing that cannot be typed, and nothing where nobody answers", async () => {
    const host = `climate-nextgen search --host ${service.address}`;
    const offered = await complete(`${host} institute=`);
    expect(offered).toHaveLength(VALUES.length);
    expect(await complete("climate-nextgen search --host 127.0.0.1:9 institute=")).toEqual([]);
    expect(await complete("climate-nextgen search --host ftp://x institute=")).toEqual([]);
  });
});

describe("a line of a shell", () => {
  it.each([
    ["a b", ["a", "b"], "", 0],
    ["a ", ["a", ""], "", 0],
    [`a "b c`, ["a", "b c"], '"', 0],
    [`a x='b c`, ["a", "x=b c"], "'", 2],
    [`a x=b:c\\:d`, ["a", "x=b:c:d"], "", 4],
    [`a x="b\\$c" d\\ e`, ["a", "x=b$c", "d e"], "", 0],
    ["echo $(x); a b", ["a", "b"], "", 0],
  ])("%j", (line, words, quote, kept) => {
    expect(readShellLine(line, "=:")).toEqual({ words, quote, kept });
  });

  it("takes literally what is quoted", () => {
    for (const value of VALUES) {
      const text = quoted(value, "") ?? "";
      const { stdout } = spawnSync("bash", ["-c", `printf %s ${text}`], { encoding: "utf8" });
      expect(stdout).toBe(value);
    }
  });
});
