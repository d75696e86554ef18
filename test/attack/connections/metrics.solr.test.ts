/** Whatever callers write, what is measured of them has no more names than before. */
import { Agent, request } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { routes } from "../../../generated/routes.js";
import { HTTP } from "../../../src/server/contract/error-table.js";
import { readExposition } from "../../server/monitoring/metrics/exposition.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { useService } from "../../support/service/use-service.js";

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const service = useService({ connections: { max: 512 } });

afterAll(async () => {
  agent.destroy();
});

interface Odd {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** @returns the status; 0 where there was no answer */
const send = ({ method, path, headers }: Odd): Promise<number> =>
  new Promise((resolve) => {
    const options = { agent, method, headers };
    const asked = request(`${service.address}/`, { ...options, path }, (answer) => {
      answer.resume().on("close", () => resolve(answer.statusCode ?? 0));
    });
    asked.on("error", () => resolve(0));
    // Half of a body that was promised, or nobody to hear the answer.
    asked.end();
  });

const scrape = async () =>
  readExposition(await (await fetch(`${service.address}/metrics`)).text()).values;

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND", "TRACE"];
const PATHS = [...new Set(Object.values(routes).map(({ path }) => path))];
const word = (random: () => number): string =>
  Array.from(
    { length: 1 + Math.floor(random() * 12) },
    () => "abcdefghijklmnopqrstuvwxyz0123456789_-.~%41*"[Math.floor(random() * 44)],
  )
    .join("")
    .replaceAll("%", "%25");

/** A request of some kind, by whatever words come. */
function oddity(kind: number, random: () => number): Odd {
  const method = METHODS[kind % METHODS.length] ?? "GET";
  const place = kind % (PATHS.length + 2);
  const template = PATHS[place] ?? (place === PATHS.length ? "/{a}/{b}" : `${PREFIX}/{a}`);
  const path = template.replaceAll(/\{[^{}]+(?:\{[^{}]+\})?\}/g, () => word(random));
  const headers: Record<string, string> = {
    Authorization: kind % 3 === 0 ? `Bearer ${word(random)}.${word(random)}.${word(random)}` : "",
    "X-Request-Id": word(random),
    "User-Agent": word(random),
    [`X-${word(random).replaceAll(/[^a-z]/g, "a")}`]: word(random),
    ...(kind % 5 === 0 && { "Content-Type": `${word(random)}/x`, "Content-Length": "0" }),
  };
  if (headers.Authorization === "") delete headers.Authorization;
  return { method, path: `${path}?${word(random)}=${word(random)}`, headers };
}

/** All that differ in how they are handled, whatever words are in them. */
const KINDS = METHODS.length * (PATHS.length + 2) * 15;

describe("odd requests", () => {
  it("add no series to the metrics", { timeout: patience(120_000) }, async () => {
    const random = chance(SEED);
    const count = attempts(1000, 10_000);
    const bounded = bounds();
    const send8 = async (all: readonly Odd[]): Promise<Set<number>> => {
      const statuses = new Set<number>();
      const queue = [...all];
      const work = async (): Promise<void> => {
        for (let next = queue.pop(); next; next = queue.pop()) statuses.add(await send(next));
      };
      await Promise.all(Array.from({ length: 8 }, work));
      return statuses;
    };
    const kinds = Array.from({ length: count }, () => Math.floor(random() * KINDS));
    // The same kinds twice, in other words: whatever the second half adds, words have added.
    await send8(kinds.map((kind) => oddity(kind, random)));
    await scrape();
    const before = [...(await scrape()).keys()];
    const statuses = await send8(kinds.map((kind) => oddity(kind, random)));
    expect(statuses.size, "kinds of answers").toBeGreaterThan(5);
    const after = [...(await scrape()).keys()];
    // What is no operation at all has one series for each method and status, which words may bring about one by one.
    const added = after.filter((series) => !before.includes(series));
    // A word may be a pattern of users, which strangers may not search for.
    const isBounded = (series: string): boolean => /operation="none"|status="401"/.test(series);
    expect(added.filter((series) => !isBounded(series))).toEqual([]);
    for (const series of after) {
      for (const [, label = "", value = ""] of series.matchAll(/(\w+)="([^"]*)"/g)) {
        const allowed = bounded[label];
        expect(allowed?.has(value) ?? label === "le", series).toBe(true);
      }
    }
  });
});

/** All values that a label can have. */
function bounds(): Readonly<Record<string, ReadonlySet<string>>> {
  const of = (...values: readonly string[]): ReadonlySet<string> => new Set(values);
  const errors = Object.values(HTTP).map(({ status }) => String(status));
  return {
    operation: of("none", ...Object.keys(routes)),
    method: of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "other"),
    status: of("200", "202", "204", "206", "301", "304", "308", "499", ...errors),
    kind: of(
      ...Object.keys(HTTP),
      "chunks passed",
      "chunks decoded",
      "documents",
      "lists",
      "catalogues",
      "other",
      "index",
      "table",
      "render",
      "arrays",
      "header",
      "summary",
      "strict",
    ),
    cause: of(
      "missing",
      "invalid",
      "expired",
      "revoked",
      "share",
      "sign-in",
      "client",
      "too many attempts",
      "busy",
      "provider",
      "unavailable",
      "timeout",
      "refused",
    ),
    by: of("client", "service"),
    limit: of("requests", "streams", "bytes", "decode"),
    what: of("search", "list", "update", "state", "other"),
    work: of("searches", "lists", "heavy"),
    cache: of(
      "facet-counts",
      "pages",
      "breakdowns",
      "groups",
      "datasets",
      "files",
      "rendered-chunks",
    ),
    result: of("hit", "miss"),
    state: of("busy", "idle"),
    of: of("mean", "p99", "longest"),
    part: of("resident", "heap", "external"),
    version: of("0.1.0"),
    node: of(process.version),
  };
}
