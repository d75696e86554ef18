/** The program that inspects paths, for which inspecting a path below `stuck` never ends. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import "../../../src/platform/file-system/file-probe-program.js";

for (const name of ["statSync", "lstatSync"] as const) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (path: unknown, ...others: unknown[]) => {
      if (String(path).includes("/stuck/")) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
      return original(path, ...others);
    },
  });
}
syncBuiltinESMExports();
