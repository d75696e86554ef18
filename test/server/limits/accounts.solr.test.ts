/** What the limits count, by a clock of the test's own. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { DAY } from "../../../src/domain/extent/durations.js";
import { TooManyRequests } from "../../../src/server/errors.js";
import { RequestContext } from "../../../src/server/http/request-context.js";
import { Account } from "../../../src/server/limits/account.js";
import { Limits, MAX_ADDRESSES } from "../../../src/server/limits/limits.js";
import {
  BURST,
  type LimitSettings,
  MAX_WAIT,
  MIN_PACE,
  policyOf,
} from "../../../src/server/limits/settings.js";
import { attempts, SEED } from "../../support/run/trials.js";
import { useService } from "../../support/service/use-service.js";

/** An account, and how to let time pass. */
function accountOf(settings: LimitSettings) {
  let now = 10 * DAY;
  const clock = { monotonic: () => now, date: () => now };
  const account = new Account({ ...settings, clock, policy: policyOf(settings) });
  return {
    account,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const refusal = (attempt: () => unknown): TooManyRequests => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof TooManyRequests) return error;
  }
  throw new Error("It was not refused.");
};

describe("requests", () => {
  it("may come at once for some seconds, then evenly, and are refused if they would wait too long", () => {
    const { account, pass } = accountOf({ requests: 10 });
    for (let i = 0; i <= 10 * BURST; i += 1) expect(account.turn()).toBe(0);
    const waits = Array.from({ length: (10 * MAX_WAIT.request) / 1000 }, () => account.turn());
    expect(waits).toEqual(waits.map((_, i) => 100 * (i + 1)));
    const refused = refusal(() => account.turn());
    expect(refused.retryAfter).toBe(1);
    expect(refused.usedUp).toEqual({ policy: '"requests";q=50;w=5', limit: '"requests";r=0;t=1' });
    // Who is refused does not wait the longer for it.
    for (let i = 0; i < 100; i += 1) refusal(() => account.turn());
    pass(MAX_WAIT.request);
    expect(account.turn()).toBe(100);
    pass(60_000);
    expect(account.turn()).toBe(0);
  });
});

describe("an unchanged answer", () => {
  const service = useService({ limits: { requests: 0.01 }, documents: "sample" });
  const unlimited = useService();
  const search = (by: string, known: string, one = service) =>
    one.get(`/databrowser/metadata-search/native/file?facets=${by}`, {
      headers: { "If-None-Match": known },
    });

  it("costs nothing if its tag is named, and is counted if any would do", async () => {
    const tag = (await search("model", "", unlimited)).headers.get("ETag") ?? "";
    const statuses: number[] = [];
    for (const [by, known] of [
      ["model", tag],
      ["model", tag],
      ["model", "*"],
      ["variable", "*"],
    ] as const) {
      statuses.push((await search(by, known)).status);
    }
    expect(statuses).toEqual([304, 304, 304, 429]);
  });
});

describe("a day's bytes", () => {
  it("are sent at any speed, once more slowly, and then not before midnight", () => {
    const bytes = 86_400 * (1 << 20);
    const { account, pass } = accountOf({ bytes });
    pass(DAY / 4);
    expect(account.pass(bytes)).toBe(Number.POSITIVE_INFINITY);
    expect(account.pass(1)).toBe(Number.POSITIVE_INFINITY);
    expect(account.pass(1)).toBe(1 << 20);
    // What it is shared out among; and none is so slow that its client gives up.
    for (let streams = 0; streams < 4; streams += 1) account.begin();
    expect(account.pass(1)).toBe(1 << 18);
    for (let streams = 0; streams < 96; streams += 1) account.begin();
    expect(account.pass(1)).toBe(MIN_PACE);
    account.requireRest();
    account.pass(bytes);
    const refused = refusal(() => account.requireRest());
    expect(refused.retryAfter).toBe((DAY * 3) / 4 / 1000);
    pass((DAY * 3) / 4);
    account.requireRest();
    expect(account.isSlow).toBe(false);
  });

  it("are never used up twice by a slowed caller, whenever that begins", () => {
    const bytes = 86_400 * (1 << 20);
    for (const hour of [0, 1, 12, 23]) {
      const { account, pass } = accountOf({ bytes });
      pass(hour * 3_600_000);
      account.pass(bytes + 1);
      pass(1000);
      for (let second = hour * 3600 + 1; second < 86_400; second += 1) {
        account.pass(account.pass(0));
        account.requireRest();
        pass(1000);
      }
    }
  });
});

describe("time of decoding", () => {
  it("is available at once, then evenly over a day, and then not before midnight", () => {
    const { account, pass } = accountOf({ decode: 864 });
    account.decode(864_000);
    expect(account.untilRead()).toBe(0);
    account.decode(20);
    expect(account.untilRead()).toBe(2000);
    pass(1500);
    expect(account.untilRead()).toBe(500);
    account.decode(864_000);
    expect(account.untilRead()).toBe(MAX_WAIT.reading);
    expect(refusal(() => account.requireRest()).usedUp.limit).toMatch(/^"decode";r=0;t=863/);
    pass(DAY);
    expect(account.untilRead()).toBe(0);
    account.requireRest();
  });
});

describe("callers", () => {
  it("take a bounded memory, however many addresses are invented", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const limits = new Limits({ requests: 50, streams: 32, bytes: 1000, decode: 3600 });
    const ask = (network: string, account?: string, bytes = 0) => {
      const context = new RequestContext("", undefined, "GET", "/");
      limits.admit(context, account, network, true);
      context.bytes = bytes;
      limits.ended(context);
      return context.charge?.slowedBy?.field;
    };
    ask("192.0.2.1", "somebody", 1001);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < attempts(200_000, 1_000_000); i += 1) {
      const name = (SEED + i).toString(16);
      ask(`${name.slice(0, 4)}:${name.slice(4)}:${i & 0xffff}:1::/64`);
    }
    collect();
    const grown = process.memoryUsage().heapUsed - before;
    expect(grown / MAX_ADDRESSES).toBeLessThan(512);
    expect(grown).toBeLessThan(32 << 20);
    // No crowd of addresses makes the service forget what an account has had.
    expect(ask("192.0.2.1", "somebody")).toContain("bytes");
  });
});
