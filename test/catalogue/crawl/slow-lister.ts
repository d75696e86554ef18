/** The program that lists folders, for which reading each entry takes 300 ms. */
import fs from "node:fs";
import "../../../src/catalogue/crawl/tree/list-program.js";

const { readSync } = fs.Dir.prototype;
fs.Dir.prototype.readSync = function (this: fs.Dir) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  return readSync.call(this);
};
