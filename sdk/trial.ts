/** Tests one generator: generates, compiles and calls its client, and compares the results with plain HTTP. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../src/platform/package-root.js";
import { exampleCalls } from "./example-calls.js";
import { differences, type Report, type Truth } from "./expectations.js";
import type { Generator } from "./generators.js";
import { shell, WORK } from "./tools.js";

/** The service that clients call. */
export interface Target {
  /** Address without the prefix. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** The indexed document of a file, as stored in Solr; undefined if there is none. */
  stored(file: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** The input of a program that calls all operations. */
const CALLS = "calls.json";

/** The work folder of a generator, with `last.log` of its last command. */
export const workFolder = (name: string): string => join(WORK, "work", name);

/** Copies the program and the service's document, generates the client and compiles both. */
export async function prepare(generator: Generator, address: string): Promise<void> {
  const { name, document, shared = [] } = generator;
  const folder = workFolder(name);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(folder, { recursive: true });
  await cp(packagePath("sdk", "clients", name), folder, { recursive: true });
  for (const file of shared) await cp(packagePath("sdk", "clients", file), join(folder, file));
  const response = await fetch(`${address}/${document}`);
  if (!response.ok) throw new Error(`/${document} is ${response.status}`);
  await writeFile(join(folder, document), await response.text());
  if (generator.callsAll)
    await writeFile(join(folder, CALLS), JSON.stringify(await exampleCalls()));
  await shell(generator.generate, folder);
  if (generator.build !== undefined) await shell(generator.build, folder);
}

/**
 * Runs the program of a generator whose client is prepared.
 *
 * @returns the differences from plain HTTP, one line each; an empty list is a pass
 */
export async function call(generator: Generator, target: Target, truth: Truth): Promise<string[]> {
  const folder = workFolder(generator.name);
  // New names for each run, because registered entries stay.
  const project = `sdk-${generator.name}-${Date.now().toString(36)}`;
  const files = `/data/${project}`;
  const printed = await shell(generator.run, folder, {
    SDK_SERVER: `${target.address}/api/climate-nextgen`,
    SDK_USERNAME: target.username,
    SDK_PASSWORD: target.password,
    SDK_PROJECT: project,
    SDK_FILES: files,
  });
  const report = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as Report;
  return differences(report, truth, {
    project,
    kept: `${files}/kept.nc`,
    deleted: `${files}/deleted.nc`,
    archive: join(folder, "stac.zip"),
    stored: target.stored,
    callsAll: generator.callsAll === true,
  });
}
