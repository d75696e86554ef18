/** Runs in the worker before each test file. */
import { relative } from "node:path";
import { expect } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { waitForNeeds } from "./needs-folder.js";

await waitForNeeds(relative(packagePath(), expect.getState().testPath ?? ""));
