/** What the command line completes, in bash and without a shell. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quoted, readShellLine } from "../../src/cli/completion/shell-line.js";
import { runHere } from "../support/service/command.js";
import {
  before,
  type CompletionScene,
  expectCompleted,
  inFilter,
  startScene,
  Typing,
  VALUES,
  wanted,
} from "./completion-scene.js";

let scene: CompletionScene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.end());

describe("completion of a line", () => {
  it("offers in bash what the service answers, as text", async () => {
    const typing = new Typing(scene, ["bash", "--norc", "--noprofile", "-i"]);
    try {
      typing.type("source <(climate-nextgen completion bash)\r");
      await expectCompleted(scene, typing, VALUES);
      // Within quotes that are open.
      for (const quote of [`"`, "'"]) {
        for (const value of ["a $(touch pwned)", "b`touch pwned`", `d'e"f`]) {
          const [first = ""] = value;
          const line = `${before(scene)} institution_id=${quote}${first}\t`;
          expect(await typing.line(line)).toEqual(
            wanted(scene, `institution_id=${inFilter(value)}`),
          );
        }
      }
    } finally {
      await typing.end();
    }
  });
});

describe("completion", () => {
  const complete = async (line: string) => {
    const breaks = " \t\n\"'><=;|&(:";
    const { code, stdout, stderr } = await runHere(
      ["complete-line", "bash", line, breaks],
      scene.env,
    );
    expect([code, stderr]).toEqual([0, ""]);
    return stdout.split("\n").slice(0, -1);
  };

  it("knows commands, options and their values, flavours, and facets in lists", async () => {
    expect(await complete("climate-nextgen sea")).toEqual(["+search"]);
    expect(await complete("climate-nextgen users pas")).toEqual(["+passwd"]);
    expect(await complete("climate-nextgen search --format p")).toEqual(["+parquet"]);
    const host = `climate-nextgen search --host ${scene.service.address}`;
    expect(await complete(`${host} cmip6 --facets experiment_id,exp`)).toEqual([]);
    expect(await complete(`${host} cmip6 --facets source_id,exp`)).toEqual([
      "+source_id,experiment_id",
    ]);
    expect(await complete(`${host} cord`)).toEqual(["+cordex", "+cordex-cmip6"]);
    expect(await complete(`${host} cmip6 source_id=mpi-esm1-2-lr,u`)).toEqual([
      "+mpi-esm1-2-lr,ukesm1-0-ll",
    ]);
  });

  it("offers nothing that cannot be typed, and nothing if no service answers", async () => {
    const host = `climate-nextgen search --host ${scene.service.address}`;
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
  ])("is split as the shell does: %j", (line, words, quote, kept) => {
    expect(readShellLine(line, "=:")).toEqual({ words, quote, kept });
  });

  it("is taken literally in quotes", () => {
    for (const value of VALUES) {
      const text = quoted(value, "") ?? "";
      const { stdout } = spawnSync("bash", ["-c", `printf %s ${text}`], { encoding: "utf8" });
      expect(stdout).toBe(value);
    }
  });
});
