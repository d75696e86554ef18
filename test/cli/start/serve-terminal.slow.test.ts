import { join } from "node:path";
import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { freePort } from "../../support/network/free-port.js";
import { freshFolder } from "../../support/run/folders.js";
import { onTerminal } from "../../support/service/terminal.js";

/** Starts the service, asks it for something, and stops it once it has had time to print more. */
const USE = `
"$0" "$1" serve & pid=$!
until curl -sf -o /dev/null "$PING"; do kill -0 $pid || exit 9; sleep 0.3; done
curl -s -o /dev/null "$PING"
sleep 3
kill $pid
wait $pid`;

it("a first start on a terminal prints sentences, without a line of the log, and the password last", {
  timeout: 180_000,
}, async () => {
  const folder = freshFolder();
  const port = await freePort();
  const env = {
    HOME: process.env.HOME,
    DATA_DIR: join(folder, "var"),
    DATA_ROOTS: join(folder, "nothing"),
    BASEURL: "https://data.example.org",
    PORT: String(port),
    PING: `http://127.0.0.1:${port}/api/climate-nextgen/ping`,
  };
  const main = packagePath("dist", "src", "main.js");
  const command = ["/bin/sh", "-c", USE, process.execPath, main];
  const { shown, code } = await onTerminal(command, { env });
  expect(code, shown).toBe(0);
  const lines = shown.split(/\r?\n/).filter((line) => line !== "");
  expect(lines.filter((line) => line.startsWith("{"))).toEqual([]);
  expect(lines).toContain(
    `Note        ${join(folder, "nothing")}, a folder of DATA_ROOTS, is not there`,
  );
  expect(lines).toContainEqual(expect.stringMatching(/^Note +BASEURL .*\bBASE_URL\b/));
  expect(lines.filter((line) => line.includes("FILE_RIGHTS=service"))).toHaveLength(1);
  expect(lines.slice(-4)).toEqual([
    `Listening on http://127.0.0.1:${port}`,
    expect.stringMatching(/^A first user was made; its password is shown only this once/),
    expect.stringMatching(/^ +username demo, password \S{16}$/),
    "Stopping",
  ]);
});
