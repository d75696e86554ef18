/** What is booked, who waits for it, and who is refused. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Budget } from "../../src/platform/concurrency/budget.js";

class Refused extends Error {}
class TooLarge extends Error {}

const budgetOf = (total: number) =>
  new Budget(total, { refused: () => new Refused(), tooLarge: () => new TooLarge() });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a budget", () => {
  it("books what fits, and frees it once", () => {
    const budget = budgetOf(10);
    const lease = budget.tryTake(6);
    expect(lease?.amount).toBe(6);
    expect(budget.tryTake(5)).toBeUndefined();
    expect(() => budget.takeNow(5)).toThrow(Refused);
    budget.takeNow(4);
    expect(budget).toMatchObject({ used: 10, booked: 10 });
    lease?.release();
    lease?.release();
    expect(budget.used).toBe(4);
  });

  it("refuses more than it has, and what is not freed in time", async () => {
    const budget = budgetOf(10);
    await expect(budget.take(11, 1000)).rejects.toThrow(TooLarge);
    const lease = await budget.take(10, 1000);
    const late = expect(budget.take(1, 1000)).rejects.toThrow(Refused);
    vi.advanceTimersByTime(1000);
    await late;
    lease.release();
    expect(budget.used).toBe(0);
  });

  it("serves bookings in their order, so that a large one is not overtaken for ever", async () => {
    const budget = budgetOf(10);
    const lease = await budget.take(6, 1000);
    const order: string[] = [];
    const wait = async (name: string, amount: number) => {
      const taken = await budget.take(amount, 1000);
      order.push(name);
      return taken;
    };
    const large = wait("large", 8);
    const small = wait("small", 1);
    expect(budget.tryTake(1)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10);
    expect(order).toEqual([]);
    lease.release();
    await large;
    await small;
    expect(order).toEqual(["large", "small"]);
    expect(budget.booked).toBe(9);
  });

  it("serves the next booking when the one before it is cancelled", async () => {
    const budget = budgetOf(10);
    await budget.take(6, 1000);
    const large = expect(budget.take(8, 100)).rejects.toThrow(Refused);
    const small = budget.take(1, 1000);
    await vi.advanceTimersByTimeAsync(100);
    await large;
    expect((await small).amount).toBe(1);
  });

  it("counts what its holders note, and makes them free it when a booking does not fit", async () => {
    const budget = budgetOf(10);
    budget.note("cache", 9);
    expect(budget).toMatchObject({ used: 9, booked: 0 });
    let calls = 0;
    budget.onShort(() => {
      calls += 1;
      if (calls === 3) budget.note("cache", 0);
    });
    expect(budget.tryTake(5)).toBeUndefined();
    const waiting = budget.take(5, 1000);
    expect(calls).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    expect((await waiting).amount).toBe(5);
    // Nobody waits, and nobody is asked again.
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
  });
});
