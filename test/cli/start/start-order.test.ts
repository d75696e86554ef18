/** What `npm start` and `npm test` find first, before anything is installed. */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";

/** Makes Node tell another version of itself. */
const older = (version: string): string => {
  const code = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
    Object.defineProperty(process, "version", { value: "v${version}" });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
};

it.each(["start.mjs", "setup.mjs"])(
  "%s reports a Node that is too old before any other obstacle",
  async (script) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const PORT = String((server.address() as AddressInfo).port);
      const args = ["--import", older("18.20.0"), packagePath("scripts", script)];
      const told = await new Promise<readonly [unknown, string]>((resolve) => {
        execFile(process.execPath, args, { env: { ...process.env, PORT } }, (error, _, stderr) =>
          resolve([error?.code, stderr]),
        );
      });
      expect(told).toEqual([1, "Node 20.15 or newer is needed, but this is v18.20.0.\n"]);
    } finally {
      server.close();
    }
  },
);
