/** Files with any names behind a service, and shells that run the download script. */
import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { BUSYBOX, findProgram, ZSH } from "../../support/programs/debian.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex, type TestDocument, type TestService } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

export const execute = promisify(execFile);

export interface StoredFile {
  readonly file: string;
  readonly content: Buffer;
}

export const sha256 = (content: Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** Names that shells, printf, aria2, sha256sum or terminals could take for something else. */
export const ODD_NAMES = [
  "plain.nc",
  "with space.nc",
  " spaces around .nc",
  "-rf",
  "--help",
  "'single' \"double\".nc",
  "$(touch broken)`touch broken`.nc",
  "a;touch broken&.nc",
  "line\nbreak\n",
  "tab\tand\rreturn.nc",
  "back\\slash\\n\\0101.nc",
  "percent%20%n%s.nc",
  "*?[a-z].nc",
  "~root",
  "#hash",
  "ä 日本 💥.nc",
  "\u001b[31mred.nc",
  "END-OF-LIST",
  "x=y.nc",
  "-",
  "breaks\v\u0085\u2028of Python.nc",
  `${"long".repeat(60)}.nc`,
];

/** Writes files, and gives their documents: with checksum and size unless `bare` says otherwise. */
export async function storeFiles(
  folder: string,
  files: readonly { readonly name: string; readonly content: Buffer; readonly bare?: boolean }[],
): Promise<{ readonly stored: StoredFile[]; readonly documents: TestDocument[] }> {
  const stored: StoredFile[] = [];
  const documents: TestDocument[] = [];
  await mkdir(folder, { recursive: true });
  for (const { name, content, bare } of files) {
    const file = join(folder, name);
    await writeFile(file, content);
    stored.push({ file, content });
    const facts = { size: content.length, checksum: `sha256:${sha256(content)}` };
    documents.push({ file, project: ["CMIP6"], ...(bare ? {} : facts) });
  }
  return { stored, documents };
}

/** A shell, and the program that it finds for transfers. */
export interface Shell {
  readonly name: string;
  readonly command: readonly string[];
  readonly path: string;
}

const TOOLS = [
  "awk",
  "cat",
  "wc",
  "head",
  "tail",
  "rm",
  "mv",
  "mkdir",
  "mkfifo",
  "sleep",
  "date",
  "ls",
  "grep",
  "sha256sum",
  "kill",
  "sh",
  "uname",
];

async function folderOfTools(folder: string, tools: readonly string[]): Promise<string> {
  const bin = await mkdtemp(join(folder, "bin-"));
  for (const tool of tools) {
    const found = ["/usr/bin", "/bin"].map((place) => join(place, tool)).find(existsSync);
    if (found !== undefined) await symlink(found, join(bin, tool));
  }
  return bin;
}

/** The shells of this machine, each with one program for transfers. */
export async function shells(folder: string): Promise<Shell[]> {
  const found: Shell[] = [];
  for (const program of ["curl", "wget"].filter((name) => existsSync(join("/usr/bin", name)))) {
    const path = await folderOfTools(folder, [...TOOLS, program]);
    for (const shell of ["dash", "bash"].map((name) => join("/bin", name)).filter(existsSync)) {
      found.push({ name: `${shell} with ${program}`, command: [shell], path });
    }
    const zsh = findProgram(ZSH)?.path;
    if (zsh !== undefined && program === "curl") {
      found.push({ name: "zsh with curl", command: [zsh], path });
    }
  }
  const busybox = findProgram(BUSYBOX)?.path;
  if (busybox !== undefined) {
    const bin = await mkdtemp(join(folder, "busybox-"));
    for (const tool of TOOLS) await symlink(busybox, join(bin, tool));
    await symlink("/usr/bin/curl", join(bin, "curl"));
    found.push({ name: "busybox with curl", command: [busybox, "sh"], path: bin });
    const own = await mkdtemp(join(folder, "busybox-"));
    for (const tool of [...TOOLS, "wget"]) await symlink(busybox, join(own, tool));
    found.push({ name: "busybox with its wget", command: [busybox, "sh"], path: own });
  }
  return found;
}

export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

export interface RunOptions {
  readonly shell: Shell;
  readonly script: string;
  readonly to: string;
  readonly token?: string;
  readonly options?: readonly string[];
}

/** Starts the script as the leader of a process group. */
export function start({ shell, script, to, token, options = [] }: RunOptions) {
  const command = [...shell.command, script, "-d", to, ...options];
  return startGroup(command, { PATH: shell.path, ...tokenIn(token) });
}

export const tokenIn = (token: string | undefined) =>
  token === undefined ? {} : { CLIMATE_NEXTGEN_TOKEN: token };

/** Starts a program as the leader of a process group. */
export function startGroup([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = new Promise<Ran>((resolve) => {
    child.on("close", (status) => resolve({ status, output }));
  });
  return { child, ended };
}

export const runScript = (options: RunOptions): Promise<Ran> => start(options).ended;

/** The name that the command gives a file: a list of XML has no control characters, and no blanks at the ends of a name. */
export const listedName = (name: string): string =>
  name.replace(/(?!\u0085)\p{Cc}|^ +| +$/gu, encodeURIComponent);

/** The files below a folder that are no state of the script, with their contents. */
export async function saved(folder: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const way = relative(folder, path);
    if (!entry.isFile() || way.startsWith(".climate-nextgen-download")) continue;
    found.set(way, await readFile(path));
  }
  return found;
}

/** Writes a file below folders that are made. */
export async function put(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

export interface OddDownloads {
  /** A folder for what the tests write. */
  readonly tops: string;
  /** The folder of the files. */
  readonly data: string;
  readonly service: TestService;
  /** The files with odd names, after the first hook. */
  readonly stored: readonly StoredFile[];
  /** A download as text. */
  readonly get: (query: string, init?: RequestInit) => Promise<string>;
}

/** Public files with odd names, and two whose names differ by case alone, of the product "same". */
export async function useOddDownloads(): Promise<OddDownloads> {
  const tops = freshFolder();
  const data = join(tops, "data");
  const stored: StoredFile[] = [];
  const service = useService({ dataRoots: [data], publicData: "project=cmip6" });
  beforeAll(async () => {
    const all = await storeFiles(
      data,
      ODD_NAMES.map((name, index) => ({ name, content: randomBytes(500 + index) })),
    );
    stored.push(...all.stored);
    const same = await storeFiles(join(data, "x"), [
      { name: "plain.nc", content: randomBytes(77), bare: true },
      { name: "PLAIN.nc", content: randomBytes(78) },
    ]);
    await fillIndex(service.solr, [
      ...all.documents,
      ...same.documents.map((one) => ({ ...one, product: ["same"] })),
    ]);
  });
  const get = async (query: string, init?: RequestInit): Promise<string> => {
    const response = await service.get(`/databrowser/download/native/file?${query}`, init);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  };
  return { tops, data, service, stored, get };
}
