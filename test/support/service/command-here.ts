/** The command line within this process: main.ts runs anew for each command, but what it imports is loaded already. */
import { Readable, Writable } from "node:stream";
import { OutputClosed } from "../../../src/platform/output.js";

export interface CommandInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Goes to standard input. */
  readonly input?: string | Uint8Array;
}

export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Commands change what belongs to the whole process, so that one runs after the other. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

/** Runs a command to its end. It sees no terminal, and no setting but those of `env`. */
export function runHere(args: readonly string[], given: CommandInput): Promise<CommandOutcome> {
  const run = last.then(() => runNow(args, given));
  last = run.catch(() => {});
  return run;
}

/** What is written, as text. */
class Output extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.#pieces.push(Buffer.from(piece));
    done();
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

const EVENTS = ["SIGINT", "SIGTERM", "SIGHUP", "exit"] as const;

async function runNow(
  args: readonly string[],
  { env, cwd, input = "" }: CommandInput,
): Promise<CommandOutcome> {
  const [stdout, stderr] = [new Output(), new Output()];
  const undo = [
    replace("argv", [process.execPath, "climate-nextgen", ...args]),
    replace("stdin", Readable.from(input.length > 0 ? [Buffer.from(input)] : [])),
    replace("stdout", stdout),
    replace("stderr", stderr),
    replace("exit", (code?: number) => {
      process.exitCode = code ?? process.exitCode ?? 0;
      // The one error about which main.ts says nothing.
      throw new OutputClosed();
    }),
    replaceEnvironment(env),
    replaceFolder(cwd),
    keepListeners(),
  ];
  // Not configurable in Node, so it is not among the others.
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    count += 1;
    // Another address each time, so that it is evaluated again.
    await import(/* @vite-ignore */ `../../../src/main.ts?run=${count}`);
    const status = Number(process.exitCode ?? 0);
    return { status, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.exitCode = exitCode;
    for (const back of undo.reverse()) back();
  }
}

/** Replaces a property of `process`. @returns what puts it back */
function replace(name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name);
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(process, name);
    else Object.defineProperty(process, name, before);
  };
}

/** The variables themselves change, as Node reads some of them from the process: the home folder for one. */
function replaceEnvironment(env: CommandInput["env"]): () => void {
  const before = { ...process.env };
  const set = (all: CommandInput["env"]): void => {
    for (const name of Object.keys(process.env))
      if (all[name] === undefined) delete process.env[name];
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) process.env[name] = value;
  };
  set(env);
  return () => set(before);
}

function replaceFolder(folder: string): () => void {
  const before = process.cwd();
  process.chdir(folder);
  return () => process.chdir(before);
}

/** @returns what removes the listeners that a command leaves on the process */
function keepListeners(): () => void {
  const before = EVENTS.map((event) => process.listeners(event as "exit"));
  return () => {
    for (const [index, event] of EVENTS.entries()) {
      for (const listener of process.listeners(event as "exit")) {
        if (!before[index]?.includes(listener)) process.removeListener(event, listener);
      }
    }
  };
}
