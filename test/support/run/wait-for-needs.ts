/** Runs in the worker before each test file. */
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { removeFolders } from "./folders.js";
import { waitForNeeds } from "./needs-folder.js";

await waitForNeeds(relative(packagePath(), expect.getState().testPath ?? ""));

// The first hook of the file, and so the last of those that end it: what still uses a folder has ended.
afterAll(removeFolders);
