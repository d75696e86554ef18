/** Writes lines as a process of its own: `writer.ts FOLDER NAME COUNT`; on a disk that is full until FOLDER/room goes. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DayFiles } from "../../../src/server/audit/day-files.js";
import { lineOf } from "../../../src/server/audit/line.js";

const [, , folder = "", name = "", count = "0"] = process.argv;
const problems: string[] = [];
const files = new DayFiles({
  folder,
  kind: "audit",
  days: 3,
  lost: (lost) => lineOf({ event: "lost", lost }),
  report: (problem) => problems.push(problem),
});
for (let i = 0; i < Number(count); i += 1) {
  files.write(lineOf({ name, i, pad: "x".repeat(i % 300) }));
  // As a service does, in many turns.
  if (i % 50 === 49) await sleep(1);
}
await files.flush();
const room = join(folder, "room");
if (existsSync(room)) {
  const { failures, lost } = files;
  await rm(room);
  await files.flush();
  process.stdout.write(JSON.stringify({ failures, lost, problems }));
}
await files.close();
