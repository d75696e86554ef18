/** Preloaded into a program: whoever looks at what is called `stuck` waits in the kernel, as where a file system does not answer. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { stat, open } = fs.promises;
const pipe = process.env.STUCK_PIPE;
fs.promises.stat = (path, ...options) =>
  // Opening a named pipe waits until somebody writes to it.
  String(path).includes("/stuck") ? open(pipe, "r") : stat(path, ...options);
syncBuiltinESMExports();
