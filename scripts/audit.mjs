/**
 * npm run audit: asks the package registry for vulnerabilities of production dependencies. Exit status 0: none of high
 * or critical severity; 1: some, which are printed; 2: the registry did not answer, so nothing is known.
 */
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json", "--loglevel=silent"], {
  cwd: new URL("..", import.meta.url),
  encoding: "utf8",
  maxBuffer: 2 ** 26,
});

/** Parses npm's report. Only a report with `vulnerabilities` shows that the registry has answered. */
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
