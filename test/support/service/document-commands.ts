/** Runs the commands of a document as they are written, against a service with the sample catalogue. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll } from "vitest";
import { pythonOf } from "../programs/python.js";
import { freshFolder } from "../run/folders.js";
import { loadSample } from "./sample.js";
import { emptyIndex, type TestService } from "./service.js";
import { useService } from "./use-service.js";

/** The address at which the commands expect the service. */
const ADDRESS = "http://127.0.0.1:7777";
const run = promisify(execFile);

export interface DocumentCommands {
  readonly service: TestService;
  /** The folder that the commands run in. */
  readonly folder: () => string;
  /** The output of a block of a language. */
  readonly outcome: (language: string, text: string) => Promise<string>;
}

/** @param variables of the environment, by the address of the service */
export function useCommands(
  variables: (address: string) => Record<string, string>,
  python?: Parameters<typeof pythonOf>[0],
): DocumentCommands {
  let folder = "";
  const service = useService();
  beforeAll(async () => {
    await emptyIndex(service.solr);
    await loadSample(service.solr);
    folder = freshFolder();
    await writeFile(join(folder, ".curlrc"), "fail\nsilent\nshow-error\n");
  });
  const outcome = async (language: string, text: string): Promise<string> => {
    const PATH = [dirname(pythonOf(python)), process.env.PATH].join(delimiter);
    const env = { PATH, HOME: folder, ...variables(service.address) };
    const here = text.replaceAll(ADDRESS, service.address);
    const [command, ...words] =
      language === "sh" ? (["bash", "-eco", "pipefail"] as const) : (["python3", "-c"] as const);
    const options = { cwd: folder, env, maxBuffer: 64 << 20 };
    return (await run(command, [...words, here], options)).stdout;
  };
  return { service, folder: () => folder, outcome };
}
