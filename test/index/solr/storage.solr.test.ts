/** Whether what the service keeps can be written, also after the clock was wrong. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { Storage } from "../../../src/index/collections/storage-probe.js";
import { StorageUnavailable } from "../../../src/platform/errors.js";
import { freshFolder } from "../../support/run/folders.js";
import { testState } from "../../support/solr/started-solr.js";

it("The storage is tried again although its last success is a day ahead of the clock", async () => {
  const folder = join(freshFolder(), "data");
  const storage = new Storage(testState(), folder);
  const ahead = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 86_400_000);
  await storage.check();
  ahead.mockRestore();
  await rm(folder, { recursive: true });
  await writeFile(folder, "");
  const check = () => storage.check().catch((error: unknown) => error);
  // A success counts for two seconds.
  await expect.poll(check).toBeInstanceOf(StorageUnavailable);
});
