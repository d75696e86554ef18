import { expect, it } from "vitest";
import { inTime } from "../../src/platform/concurrency/in-time.js";

const never = new Promise<string>(() => {});
const LONG = 600_000;

it("work that ends in time gives its result or its error", async () => {
  expect(await inTime(Promise.resolve("done"), LONG, () => "late")).toBe("done");
  const failing = inTime(Promise.reject(new Error("failed")), LONG, () => "late");
  await expect(failing).rejects.toThrow("failed");
});

it("work that takes longer gives what `late` returns or throws", async () => {
  expect(await inTime(never, 1, () => "late")).toBe("late");
  const refused = inTime(never, 1, () => {
    throw new Error("not ready");
  });
  await expect(refused).rejects.toThrow("not ready");
});

it("an error of late work is dropped", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): unknown => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    let fail = (_: Error): void => {};
    const work = new Promise<string>((_, reject) => {
      fail = reject;
    });
    expect(await inTime(work, 1, () => "late")).toBe("late");
    fail(new Error("too late"));
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
