/** Many clients that read a long list very slowly, and some that read it fast. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { USUAL_LOAD } from "../../../src/index/solr.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { patience } from "../../support/run/trials.js";
import { fillIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const SLOW = 200;
const FAST = 20;
const LIST = "/databrowser/data-search/native/file";

/** 3 MB, which no buffers on the way hold. */
const NAMES = Array.from(
  { length: 2500 },
  (_, index) => `/pool/${"long-name/".repeat(110)}${String(index).padStart(4, "0")}.nc`,
);
const WHOLE = NAMES.map((name) => `${name}\n`)
  .reverse()
  .join("");

const service = useService({ load: USUAL_LOAD, trustProxy: 1, connections: { max: 1000 } });
beforeAll(async () => {
  await fillIndex(
    service.solr,
    NAMES.map((file) => ({ file, project: ["cmip6"] })),
  );
}, patience(60_000));

/** Asks for the list from an address, and reads it as fast as it comes. */
async function readFast(at: number) {
  const begin = performance.now();
  const headers = { "X-Forwarded-For": `192.0.2.${at}` };
  const response = await service.get(LIST, { headers });
  const waited = performance.now() - begin;
  const text = await response.text();
  const isWhole = response.status === 200 && text === WHOLE;
  return { isWhole, status: response.status, waited, took: performance.now() - begin };
}

it(
  `gives ${FAST} fast readers their lists while ${SLOW} others read 1.7 kB a second`,
  async () => {
    const { hostname, port } = new URL(service.address);
    const script = packagePath("test", "attack", "connections", "trickling_readers.py");
    const args = [script, hostname, port, PREFIX + LIST, String(SLOW)];
    const child = spawn("python3", args, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const answer = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null");
    expect(await answer()).toBe("sent");
    await sleep(500);
    const fast = await Promise.all(Array.from({ length: FAST }, (_, at) => readFast(at)));
    child.stdin.end();
    const { statuses, broken } = (await answer()) as { statuses: object; broken: number };
    const [longest] = fast.map(({ waited }) => waited).sort((a, b) => b - a);
    console.log(
      `${FAST} fast readers waited for up to ${longest?.toFixed(0)} ms; slow ones that have begun: ${JSON.stringify(statuses)}`,
    );
    expect(fast.map(({ status }) => status)).toEqual(Array(FAST).fill(200));
    expect(fast.every(({ isWhole }) => isWhole)).toBe(true);
    // Nobody is broken off, and those that have a place have it by the same rule.
    expect(broken).toBe(0);
    expect(Object.keys(statuses)).toEqual(["200"]);
  },
  patience(120_000),
);
