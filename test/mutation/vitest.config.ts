/** The tests that `npm run mutate` asks of a room: those that tell within seconds. */
import { defineConfig } from "vitest/config";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  query: ["test/query/*.test.ts"],
  userdata: ["test/userdata/{read,owners,places}.test.ts"],
  auth: ["test/auth/{administrators,keys}.test.ts"],
};

export default defineConfig({
  test: {
    include: [...(TESTS[process.env.ROOM ?? ""] ?? [])],
    testTimeout: 30_000,
    hookTimeout: 180_000,
  },
});
