/** Runs in the worker before each test file. */
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { removeFolders } from "./folders.js";
import { waitForNeeds } from "./needs-folder.js";

await waitForNeeds(relative(packagePath(), expect.getState().testPath ?? ""));

// This hook is registered first and so runs last, when no test uses a folder.
afterAll(removeFolders);
