/** The tests of one room, as `npm run mutate` runs them. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [`test/${process.env.ROOM}/**/*.test.ts`],
    testTimeout: 30_000,
    hookTimeout: 180_000,
  },
});
