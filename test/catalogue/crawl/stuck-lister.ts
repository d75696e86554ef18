/** The program that lists folders, for which opening a folder named `stuck` never ends. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import "../../../src/catalogue/crawl/tree/list-program.js";

const { opendirSync } = fs;
fs.opendirSync = (path, options) => {
  if (String(path).endsWith("/stuck")) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  return opendirSync(path, options);
};
syncBuiltinESMExports();
