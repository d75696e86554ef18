/** A program on a terminal (pty(7)), by Python's module of that name. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Types each answer once its question is there; gives what the terminal showed. */
const TYPIST = `
import json, os, pty, sys
out, answers, *command = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    if out: os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT, 0o600), 1)
    os.execv(command[0], command)
shown = b""
for answer in json.loads(answers):
    before = len(shown)
    while b": " not in shown[before:]:
        shown += os.read(fd, 1000)
    os.write(fd, answer.encode())
try:
    while True:
        piece = os.read(fd, 1000)
        if not piece: break
        shown += piece
except OSError:
    pass
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export interface TerminalOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What is typed, each when a question has come that ends with a colon. */
  readonly answers?: readonly string[];
  /** A file that its standard output goes to instead. */
  readonly out?: string;
}

/** Runs it to its end; gives what the terminal showed, and the exit status. */
export async function onTerminal(
  command: readonly string[],
  { env, cwd, answers = [], out = "" }: TerminalOptions,
): Promise<{ readonly shown: string; readonly code: number }> {
  const words = ["-c", TYPIST, out, JSON.stringify(answers), ...command];
  const child = spawn("python3", words, { cwd, env: { PATH: process.env.PATH, ...env } });
  let shown = "";
  child.stdout.on("data", (piece) => {
    shown += piece;
  });
  const [code] = await once(child, "close");
  return { shown, code };
}
