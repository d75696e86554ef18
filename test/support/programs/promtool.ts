/** Prometheus' own tool for rules and expositions. */
import { type FoundProgram, findProgram } from "./debian.js";

export const findPromtool = (): Promise<FoundProgram | undefined> =>
  findProgram({ path: "bin/promtool", packages: ["prometheus"] });
