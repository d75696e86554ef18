/**
 * npm run audit: asks the package registry for known faults of what a release runs on. Status 0: none that is high or
 * critical; 1: some, which are told; 2: the registry could not be asked, which says nothing of the packages.
 */
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json", "--loglevel=silent"], {
  cwd: new URL("..", import.meta.url),
  encoding: "utf8",
  maxBuffer: 2 ** 26,
});

/** What npm said, where it is a report: `vulnerabilities` alone says that the registry has answered. */
function reportOf(text) {
  try {
    const { vulnerabilities, metadata } = JSON.parse(text);
    const isReport = typeof vulnerabilities === "object" && metadata?.dependencies?.prod > 0;
    return isReport ? Object.values(vulnerabilities) : undefined;
  } catch {
    return undefined;
  }
}

const found = reportOf(stdout);
if (found === undefined) {
  console.error(
    "The registry could not be asked: it is NOT known whether a dependency has known faults.",
  );
  process.exitCode = 2;
} else {
  const grave = found.filter(({ severity }) => severity === "high" || severity === "critical");
  for (const { name, severity, range } of found) console.error(`${severity}: ${name} ${range}`);
  console.error(
    `Known faults of production dependencies: ${found.length}, high or critical: ${grave.length}.`,
  );
  process.exitCode = grave.length > 0 ? 1 : 0;
}
