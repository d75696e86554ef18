/** What `npm run cloud` brings up, as the command brings it up. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { build } from "../../cli/command.js";

let command: ChildProcess;
let output = "";
const address = () => /^(\S+)\/docs /m.exec(output)?.[1] ?? "";
/** The process numbers of one kind, in the order in which they are printed. */
const pids = (what: string): number[] =>
  [...output.matchAll(new RegExp(`^${what} .* process (\\d+)`, "gm"))].map(([, pid]) =>
    Number(pid),
  );

beforeAll(async () => {
  build();
  command = spawn("npm", ["run", "--silent", "cloud"], {
    cwd: packagePath(),
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, which Ctrl-C in a terminal would go to.
    detached: true,
  });
  for (const stream of [command.stdout, command.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = once(command, "exit").then(() => "ended");
  while (!output.includes("Ctrl-C ends everything.")) {
    if ((await Promise.race([sleep(100), ended])) === "ended") throw new Error(output);
  }
}, 300_000);
afterAll(() => {
  if (command.exitCode === null && command.pid !== undefined) process.kill(-command.pid, "SIGTERM");
});

const list = async (): Promise<string[]> => {
  const path = "/databrowser/data-search/native/file?multi-version=true";
  const response = await fetch(address() + PREFIX + path, { headers: { Connection: "close" } });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.text()).split("\n").slice(0, -1);
};

/** Within the 5 s after which the next request must work. */
const listed = () => expect.poll(() => list().catch(() => []), { timeout: 5_000, interval: 200 });

it("a cloud answers the sample's lists through every instance, and goes on when an instance and a node are killed", async () => {
  const instances = pids("instance");
  const nodes = pids("node of Solr");
  expect([instances.length, nodes.length, pids("ZooKeeper").length]).toEqual([2, 3, 1]);
  const all = await list();
  // The sample's 355 entries without those that are somebody's own.
  expect(all).toHaveLength(351);
  expect(await list()).toEqual(all);
  process.kill(instances[0] ?? 0, "SIGKILL");
  for (let again = 0; again < 4; again++) expect(await list()).toEqual(all);
  process.kill(nodes[0] ?? 0, "SIGKILL");
  await listed().toEqual(all);
  for (let again = 0; again < 4; again++) expect(await list()).toEqual(all);
});

it("a cloud leaves nothing behind at Ctrl-C", async () => {
  const all = ["instance", "node of Solr", "ZooKeeper"].flatMap(pids);
  const ended = once(command, "exit");
  process.kill(-(command.pid ?? 0), "SIGINT");
  await ended;
  const alive = () =>
    all.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
  await expect.poll(alive, { timeout: 10_000 }).toEqual([]);
});
