/** A thousand clients that send a byte now and then, and never come to an end. */
import { expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { useService } from "../../support/service/use-service.js";
import { handles, type Pings, startCrowd } from "./crowd.js";

const SENDERS = attempts(200, 1000);
/** Milliseconds: until headers, and a whole request, must have come; and how often is looked. */
const [HEADERS, REQUEST, LOOK_OVER] = [2000, 3000, 2000];

const TOKEN = `POST ${PREFIX}/auth/v2/token HTTP/1.1\r\nHost: x\r\n`;
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
/** What they would say, a byte at a time. */
const MESSAGES = [
  `GET ${PREFIX}/ping?${"x".repeat(5000)}`,
  `GET ${PREFIX}/ping HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(1000)}`,
  "\r\n".repeat(3000),
  `${TOKEN}${FORM}Content-Length: 9000\r\n\r\n${"u".repeat(8000)}`,
  `${TOKEN}${FORM}Transfer-Encoding: chunked\r\n\r\n${"1\r\nu\r\n".repeat(2000)}`,
];
/** How much of each comes at once: of a body all but the body. */
const AT_ONCE = MESSAGES.map((message) => Math.max(0, message.indexOf("\r\n\r\n") + 4));

const service = useService({ connections: { headersMs: HEADERS, requestMs: REQUEST } });
const crowd = use(
  async () => startCrowd(service.address),
  (one) => one.end(),
);

it(
  "slow senders are closed in time and keep nobody waiting",
  async () => {
    const sockets = handles().TCPSocketWrap ?? 0;
    const idle = await crowd.pingFor(1000);
    const messages = MESSAGES.map((text, i) => ({ text, atOnce: AT_ONCE[i] }));
    const heard = await crowd.tell<Pings & { ends: Record<string, number>; longest: number }>(
      "senders",
      { count: SENDERS, messages, every: 500 },
    );
    tried(SENDERS);
    console.log(
      `${SENDERS} slow senders: ended ${JSON.stringify(heard.ends)}, the last after ${heard.longest.toFixed(0)} ms; ` +
        `ping p99 ${heard.p99.toFixed(0)} ms of ${heard.pings}, ${idle.p99.toFixed(0)} ms before`,
    );
    // Finding so, or closed where the answer was lost with what still came.
    expect(Object.keys(heard.ends).sort()).toEqual(expect.arrayContaining(["408"]));
    expect(Object.values(heard.ends).reduce((sum, count) => sum + count, 0)).toBe(SENDERS);
    expect(heard.longest).toBeLessThan(REQUEST + LOOK_OVER + 3000 + 10 * idle.p99);
    expect(heard.p99).toBeLessThan(200 + 4 * idle.p99);
    await expect.poll(() => handles().TCPSocketWrap ?? 0).toBeLessThanOrEqual(sockets + 16);
    const lines = service.log.map((line) => JSON.parse(line));
    expect(lines.filter(({ level, status = 0 }) => level >= 50 || status >= 500)).toEqual([]);
  },
  patience(60_000, 120_000),
);
