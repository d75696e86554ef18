/** Has the lock of the kept tokens of a folder until standard input ends; says so in a line. */
import { once } from "node:events";
import { TokenCache } from "../../../src/cli/client/token-cache.js";

await new TokenCache(process.argv[2]).alone(async () => {
  process.stdout.write("held\n");
  process.stdin.resume();
  await once(process.stdin, "end");
});
