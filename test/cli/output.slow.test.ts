/** Standard output and standard error whose readers leave, or that cannot be written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { freshFolder } from "../support/run/folders.js";
import { addUser } from "../support/service/sign-in.js";
import { build, MAIN, Serving, STATE_KEY, testSolrSettings } from "./command.js";

/** On a busy machine. */
const PATIENCE = { timeout: 90_000 };

beforeAll(build);

const settings = async () => ({ ...testSolrSettings(), DATA_DIR: freshFolder() });

/** Answers some requests, each of which is logged. */
async function expectAlive(get: (path: string) => Promise<Response>): Promise<void> {
  for (let i = 0; i < 5; i += 1) expect((await get("/ping")).status).toBe(200);
  expect((await get("/ready")).status).toBe(200);
}

describe("a service", () => {
  it.each([
    ["standard output", ["stdout"], /Standard output cannot be written \(EPIPE\)/g],
    ["both", ["stdout", "stderr"], undefined],
  ] as const)(
    "stays alive when %s is closed, and ends in order",
    PATIENCE,
    async (_, closed, told) => {
      const service = await Serving.start(await settings());
      for (const name of closed) service.child[name]?.destroy();
      await expectAlive((path) => service.get(path));
      const { status, stderr } = await service.end("SIGTERM");
      expect(status).toBe(0);
      if (told) expect(stderr.match(told)).toHaveLength(1);
    },
  );

  it.skipIf(!existsSync("/dev/full"))(
    "stays alive when its log's disk is full",
    PATIENCE,
    async () => {
      const free = await Serving.start(await settings());
      const { port } = new URL(free.address);
      await free.end();
      const child = spawn(
        "/bin/sh",
        ["-c", 'exec "$0" "$1" serve > /dev/full', process.execPath, MAIN],
        {
          env: { PATH: process.env.PATH, STATE_KEY, ...(await settings()), PORT: port },
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      const ended = once(child, "close");
      let stderr = "";
      child.stderr?.on("data", (piece) => {
        stderr += piece;
      });
      const get = (path: string) => fetch(`http://127.0.0.1:${port}/api/climate-nextgen${path}`);
      await expect
        .poll(
          () =>
            get("/ping").then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 30_000, message: "no answer" },
        )
        .toBe(200);
      await expectAlive(get);
      child.kill("SIGTERM");
      expect(await ended, stderr).toEqual([0, null]);
      expect(stderr.match(/\(ENOSPC\)/g)).toHaveLength(1);
    },
  );
});

describe("a command", () => {
  /** Runs a line of the shell in which `climate-nextgen` is the command. */
  async function shell(line: string, env: Record<string, string>) {
    const script = `climate-nextgen() { "${process.execPath}" "${MAIN}" "$@"; }; ${line}`;
    const child = spawn(
      "/bin/bash",
      ["--norc", "--noprofile", "-c", `set -o pipefail; ${script}`],
      {
        env: { PATH: process.env.PATH, ...env },
      },
    );
    let stderr = "";
    child.stderr.on("data", (piece) => {
      stderr += piece;
    });
    child.stdout.resume();
    const [status] = (await once(child, "close")) as [number];
    return { status, stderr };
  }

  it.each([
    ["users list", "climate-nextgen users list | true"],
    ["--help", "climate-nextgen --help | true"],
    ["the dry run", "climate-nextgen user-data add --dry-run --from many.jsonl | head -1"],
  ])("ends quietly when nobody reads its output: %s", async (_, line) => {
    const dataDir = freshFolder();
    await addUser(dataDir, "ada");
    const entries = Array.from({ length: 20_000 }, (_, i) =>
      JSON.stringify({
        file: `/work/${i}.nc`,
        variable: "tas",
        time: "2000",
        time_frequency: "mon",
      }),
    );
    await mkdir(join(dataDir, "in"));
    await writeFile(join(dataDir, "in", "many.jsonl"), entries.join("\n"));
    const outcome = await shell(`cd "${join(dataDir, "in")}"; ${line}`, { DATA_DIR: dataDir });
    expect(outcome).toEqual({ status: 0, stderr: expect.not.stringMatching(/EPIPE|Error|at /) });
  });

  it.skipIf(!existsSync("/dev/full"))("fails and reports it when its output is lost", async () => {
    const outcome = await shell("climate-nextgen users list > /dev/full", {
      DATA_DIR: freshFolder(),
    });
    expect(outcome).toEqual({ status: 1, stderr: expect.stringMatching(/^[^\n]*\(ENOSPC\)\.\n$/) });
  });
});
