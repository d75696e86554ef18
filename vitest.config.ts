import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // One Solr serves all files; each file has collections of its own where it writes.
    fileParallelism: false,
    // Bounds of time are missed now and then where somebody else uses the machine; a rule that is broken fails twice.
    retry: process.env.CI === "true" ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    reporters: ["default", "./test/support/closing-line.ts"],
  },
});
