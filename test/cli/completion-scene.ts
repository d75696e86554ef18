/** Lines that real shells complete, with what a service says. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { freshFolder } from "../support/run/folders.js";
import { MAIN } from "../support/service/command.js";
import {
  emptyIndex,
  fillIndex,
  startService,
  type TestService,
} from "../support/service/service.js";

/** Each begins with a letter of its own. */
export const VALUES = [
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

/** A value as it is written in a filter, which has its own wildcards and commas. */
export const inFilter = (value: string): string => value.toLowerCase().replace(/[*?,]/g, "\\$&");

/** A service with these values, and a folder whose `climate-nextgen` shells find. */
export interface CompletionScene {
  readonly service: TestService;
  readonly folder: string;
  readonly env: Record<string, string>;
  end(): Promise<void>;
}

export async function startScene(): Promise<CompletionScene> {
  const service = await startService();
  await fillIndex(service.solr, [
    ...VALUES.map(document),
    document("x\u001b]0;own\u0007", 98),
    document("-x", 99),
  ]);
  const folder = freshFolder();
  const main = [process.execPath, ...MAIN].map((part) => `'${part}'`).join(" ");
  // What is completed is asked of the real command; what is run in the end shows its arguments.
  await writeFile(
    join(folder, "climate-nextgen"),
    `#!/bin/sh\ncase $1 in complet*) exec ${main} "$@";; esac\nprintf '%s\\0' "$@" > args.new; mv args.new args\n`,
  );
  await chmod(join(folder, "climate-nextgen"), 0o755);
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    TERM: "vt100",
    PATH: `${folder}:${process.env.PATH}`,
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
  };
  const end = async (): Promise<void> => {
    await emptyIndex(service.solr);
    await service.close();
  };
  return { service, folder, env, end };
}

/** A shell on a terminal of its own. */
export class Typing {
  readonly #child: ChildProcess;
  readonly #folder: string;
  shown = "";
  constructor(scene: CompletionScene, command: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const relay = "import pty, sys; pty.spawn(sys.argv[1:])";
    this.#folder = scene.folder;
    this.#child = spawn("python3", ["-c", relay, ...command], {
      cwd: scene.folder,
      env: { ...scene.env, ...more },
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
    const path = join(this.#folder, "args");
    await rm(path, { force: true });
    this.type(`${keys}\r`);
    await expect.poll(() => existsSync(path), { message: this.shown.slice(-2000) }).toBe(true);
    return (await readFile(path, "utf8")).split("\0").slice(0, -1);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    this.#child.kill();
    await once(this.#child, "close");
  }
}

export const before = ({ service }: CompletionScene): string =>
  `climate-nextgen search --host ${service.address} cmip6`;
export const wanted = ({ service }: CompletionScene, ...words: string[]): string[] => [
  "search",
  "--host",
  service.address,
  "cmip6",
  ...words,
];

export async function expectCompleted(
  scene: CompletionScene,
  typing: Typing,
  values = VALUES.slice(0, 5),
): Promise<void> {
  const start = before(scene);
  expect(await typing.line(`${start} experi\thisto\t`)).toEqual(
    wanted(scene, "experiment_id=historical"),
  );
  // The rest of the line narrows the values.
  expect(await typing.line(`${start} source_id='mpi-*' experiment_id=hi\t`)).toEqual(
    wanted(scene, "source_id=mpi-*", "experiment_id=historical"),
  );
  expect(await typing.line(`${start} source_id=MP\t --summ\t`)).toEqual(
    wanted(scene, "source_id=mpi-esm1-2-lr", "--summary"),
  );
  for (const value of values) {
    const [first = ""] = value;
    expect(await typing.line(`${start} institution_id=${first}\t`)).toEqual(
      wanted(scene, `institution_id=${inFilter(value)}`),
    );
  }
  expect(await readdir(scene.folder)).not.toContain("pwned");
}
