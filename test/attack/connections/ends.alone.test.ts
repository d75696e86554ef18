/** A service that runs out of descriptors, and one that is told to stop in the middle of many lists. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { Serving, testSolrSettings } from "../../cli/command.js";
import { dial } from "../../support/network/plain-http.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { emptyIndex, load, testClient } from "../../support/service/service.js";
import { addSharedUser, bearer, signIn } from "../../support/service/sign-in.js";

const LINES = 20_000;
const hasLimits = spawnSync("prlimit", ["--version"]).status === 0;

let serving: Serving;
let token: string;
let files: string[];
beforeAll(async () => {
  const solr = testClient();
  await emptyIndex(solr);
  const folder = freshFolder();
  await mkdir(join(folder, "roots"));
  files = Array.from({ length: 12 }, (_, i) => join(folder, "roots", `${i}.nc`));
  for (const file of files) await cp(SAMPLE_FILE, file);
  await load(solr, [
    ...files.map((file) => ({ file })),
    ...Array.from({ length: LINES }, (_, i) => ({
      file: `/ends/${String(i).padStart(6, "0")}/${"x".repeat(400)}.nc`,
      project: ["ends"],
    })),
  ]);
  const dataDir = join(folder, "var");
  await mkdir(dataDir);
  await writeFile(join(dataDir, "sample-loaded"), "");
  const settings = { DATA_DIR: dataDir, DATA_ROOTS: join(folder, "roots"), LOG_LEVEL: "warn" };
  serving = await Serving.start({ ...testSolrSettings(), ...settings });
  token = (await signIn(serving, (await addSharedUser(solr.state)).name)).access_token;
});
afterAll(async () => {
  if (serving.child.exitCode === null) await serving.end("SIGKILL");
});

const descriptors = (): string[] => readdirSync(`/proc/${serving.pid}/fd`);
const status = async (path: string): Promise<number> => {
  const response = await serving.get(path, bearer(token));
  await response.arrayBuffer();
  return response.status;
};
const chunk = (file: string): string => `/data-portal/zarr/${datasetId(file)}.zarr/tas/0.0.0`;
const within = (milliseconds: number) => ({ timeout: milliseconds, interval: 100 });

describe.skipIf(!hasLimits)("a service without descriptors left", () => {
  it(
    "stays alive, reports the cause, answers nothing wrong and recovers",
    async () => {
      const rounds = attempts(1, 20);
      for (let round = 0; round < rounds; round += 1) {
        expect(await status("/ping")).toBe(200);
        const limit = (count: string): void => {
          execFileSync("prlimit", ["--pid", `${serving.pid}`, `--nofile=${count}:`]);
        };
        const before = /Max open files\s+(\d+)/.exec(
          execFileSync("cat", [`/proc/${serving.pid}/limits`], { encoding: "utf8" }),
        )?.[1];
        // Those that are open stay; no other can be opened, whatever number it would have.
        limit("10");
        const sockets: Socket[] = [];
        try {
          for (let i = 0; i < 40; i += 1) {
            const socket = await dial(serving.address);
            socket.on("error", () => {}).resume();
            sockets.push(socket);
          }
          // Who has a connection is answered, with an error where a file cannot be opened.
          const asked = files.map(
            (file) =>
              new Promise<number>((resolve) => {
                const options = { headers: bearer(token).headers, timeout: 3000, agent: false };
                get(`${serving.address}${PREFIX}${chunk(file)}`, options, (answer) => {
                  answer
                    .resume()
                    .on("close", () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
                })
                  .on("timeout", function (this: { destroy(): void }) {
                    this.destroy();
                  })
                  .on("error", () => resolve(0));
              }),
          );
          const answers = await Promise.all(asked);
          for (const one of answers) expect([0, 200, 500, 503]).toContain(one);
          // There were none left, or nothing was tried.
          expect(answers.some((one) => one !== 200)).toBe(true);
        } finally {
          for (const socket of sockets) socket.destroy();
          limit(before ?? "1024");
        }
        expect(serving.child.exitCode, serving.output).toBeNull();
        await expect.poll(() => status("/ping"), within(10_000)).toBe(200);
        for (const file of files)
          await expect.poll(() => status(chunk(file)), within(20_000)).toBe(200);
        const list = await serving.get("/databrowser/data-search/native/file?project=ends");
        expect((await list.text()).split("\n")).toHaveLength(LINES + 1);
      }
      tried(rounds);
      const links = descriptors().map((one) => {
        try {
          return readlinkSync(`/proc/${serving.pid}/fd/${one}`);
        } catch {
          return "";
        }
      });
      // What was refused has left nothing open.
      expect(links.filter((link) => link.endsWith(".nc")).length).toBeLessThanOrEqual(files.length);
    },
    patience(60_000, 600_000),
  );
});

describe("a service that gets SIGTERM", () => {
  it("completes or breaks off each of a hundred lists, and none looks complete that is not", async () => {
    const many = 100;
    const path = `${PREFIX}/databrowser/data-search/native/file?project=ends`;
    let begun = 0;
    const lists = Array.from(
      { length: many },
      () =>
        new Promise<"whole" | "broken" | "refused" | "short">((resolve) => {
          let lines = 0;
          get(serving.address + path, { agent: false }, (answer: IncomingMessage) => {
            begun += 1;
            answer.on("data", (piece: Buffer) => {
              for (const byte of piece) if (byte === 10) lines += 1;
              // A little at a time, for each.
              answer.pause();
              setTimeout(() => answer.resume(), 5);
            });
            answer.on("close", () => {
              if (answer.statusCode !== 200) resolve("refused");
              else if (!answer.complete) resolve("broken");
              else resolve(lines === LINES ? "whole" : "short");
            });
            answer.on("error", () => {});
          }).on("error", () => resolve("broken"));
        }),
    );
    await expect.poll(() => begun, within(20_000)).toBeGreaterThan(3);
    const ended = await serving.end("SIGTERM");
    const outcomes = await Promise.all(lists);
    const count = (one: string): number => outcomes.filter((outcome) => outcome === one).length;
    console.info(
      `SIGTERM: ${count("whole")} whole, ${count("broken")} broken off, ${count("refused")} refused`,
    );
    tried(many, many - count("short"));
    expect(count("short")).toBe(0);
    expect(ended.status, serving.output.slice(-2000)).toBe(0);
  });
});
