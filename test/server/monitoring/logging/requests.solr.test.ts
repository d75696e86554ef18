/** One line of the log for each request, by which it is found again. */

import { describe, expect, it } from "vitest";
import { leaveEarly } from "../../../support/network/plain-http.js";
import { expectBelow } from "../../../support/run/bounds.js";
import { useService } from "../../../support/service/use-service.js";

interface Line {
  readonly msg: string;
  readonly id: string;
  readonly trace?: string;
  readonly operation?: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly isBroken?: boolean;
}

const service = useService();

const lineOf = (id: string): Promise<Line> =>
  expect
    .poll(() =>
      service.log
        .map((line) => JSON.parse(line) as Line)
        .find((line) => line.msg === "request" && line.id === id),
    )
    .toBeDefined()
    .then(
      () =>
        service.log.map((line) => JSON.parse(line) as Line).find((line) => line.id === id) as Line,
    );

describe("a request's line", () => {
  it("has the caller's own id, as the answer does, and the trace that it belongs to", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const headers = { "X-Request-Id": "job-17.3:a", traceparent };
    const answer = await service.get("/ping", { headers });
    expect(answer.headers.get("X-Request-Id")).toBe("job-17.3:a");
    const length = (await answer.text()).length;
    const line = await lineOf("job-17.3:a");
    expect(line).toMatchObject({ trace, operation: "ping", status: 200 });
    expect(line.bytes).toBeGreaterThan(length);
    expectBelow(line.milliseconds, 10_000);
  });

  it("has a generated id if the caller's could mean something in a log", async () => {
    for (const id of ["", "a b", '"}{', "x".repeat(129), "á"]) {
      const headers = { "X-Request-Id": Buffer.from(id).toString("latin1") };
      const answer = await service.get("/ping", { headers });
      expect(answer.headers.get("X-Request-Id")).toMatch(/^[\w-]{13,24}$/);
    }
    const many = await Promise.all(Array.from({ length: 50 }, () => service.get("/ping")));
    const ids = many.map(({ headers }) => headers.get("X-Request-Id"));
    expect(new Set(ids).size).toBe(50);
  });

  it("has no invalid trace", async () => {
    const broken = [
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
      `ff-${"a".repeat(32)}-00f067aa0ba902b7-01`,
      "00-xyz",
    ];
    for (const [index, traceparent] of broken.entries()) {
      await service.get("/ping", { headers: { "X-Request-Id": `broken-${index}`, traceparent } });
      expect(await lineOf(`broken-${index}`)).not.toHaveProperty("trace");
    }
  });

  it("exists for unknown, refused and wrong requests, without their query", async () => {
    const headers = { "X-Request-Id": "nothing-there" };
    const answer = await service.get("/no-such-place?secret=1", { headers });
    expect([answer.status, answer.headers.get("X-Request-Id")]).toEqual([404, "nothing-there"]);
    const line = await lineOf("nothing-there");
    expect(line).not.toHaveProperty("operation");
    expect(JSON.stringify(line)).not.toContain("secret");
  });

  it("reports an answer that its client did not wait for", async () => {
    await leaveEarly(service.address, "/docs/swagger-ui-bundle.js", "gone");
    const broken = () =>
      service.log
        .map((line) => JSON.parse(line) as Line)
        .find(({ id, isBroken }) => /^gone/.test(id) && isBroken === true);
    await expect.poll(() => broken()?.status).toBe(200);
  });
});
