/**
 * Compares two ways to send a decoded chunk from a worker process: the frames of src/platform/workers, and Node's own channel with
 * `serialization: "advanced"`. Both in turn, with the same bytes.
 *
 *     npx tsx bench/worker-channel.ts [ROUNDS]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startProcess } from "../src/platform/workers/start-worker.js";
import { WorkerPool } from "../src/platform/workers/worker-pool.js";
import { median, type Row, table } from "./report.js";

const SIZES = [20_000, 200_000, 1_440_000, 4 << 20, 16 << 20];

/** Sends a size, and gives the answer: that many bytes, or for 0 the processor time of the process. */
type Ask = (size: number) => Promise<unknown>;

function byFrames(): { readonly ask: Ask; end(): void } {
  const program = new URL("./chunk-program.js", import.meta.url);
  const pool = new WorkerPool<number, unknown>({ start: () => startProcess(program, {}), max: 1 });
  return { ask: (size) => pool.ask(size), end: () => pool.close() };
}

const PROGRAM = `
const chunks = new Map();
process.on("message", (size) => {
  const chunk = chunks.get(size) ?? new Uint8Array(size).fill(7);
  chunks.set(size, chunk);
  process.send({ answer: size === 0 ? process.cpuUsage() : chunk });
});`;

function byNode(): { readonly ask: Ask; end(): void } {
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const options = { stdio: [...stdio], serialization: "advanced" as const };
  const child = spawn(process.execPath, ["-e", PROGRAM], options);
  const ask: Ask = async (size) => {
    const answered = once(child, "message");
    child.send(size);
    const [message] = await answered;
    return (message as { answer: unknown }).answer;
  };
  return { ask, end: () => void child.kill() };
}

interface Cost {
  /** Milliseconds from the question to the answer, and of the processor in both processes. */
  readonly time: number;
  readonly "processor time": number;
}

const total = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

async function costOf(ask: Ask, size: number, count: number): Promise<Cost> {
  await ask(size);
  const before = total(process.cpuUsage()) + total((await ask(0)) as NodeJS.CpuUsage);
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const begin = performance.now();
    const chunk = await ask(size);
    times.push(performance.now() - begin);
    if (!(chunk instanceof Uint8Array) || chunk.length !== size) throw new Error("another chunk");
  }
  const after = total(process.cpuUsage()) + total((await ask(0)) as NodeJS.CpuUsage);
  return { time: median(times), "processor time": (after - before) / count };
}

async function measure(rounds: number): Promise<Row[]> {
  const [frames, node] = [byFrames(), byNode()];
  const rows: Row[] = [];
  for (const size of SIZES) {
    const count = size > 2e6 ? 15 : 75;
    const ours: Cost[] = [];
    const theirs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await costOf(frames.ask, size, count));
      theirs.push(await costOf(node.ask, size, count));
    }
    for (const part of ["time", "processor time"] as const) {
      const [our, their] = [ours, theirs].map((costs) => median(costs.map((cost) => cost[part])));
      rows.push({
        what: `${(size / 1e6).toFixed(2)} MB, ${part}`,
        ours: `${our?.toFixed(2)} ms`,
        solr: `${their?.toFixed(2)} ms`,
        ratio: ((our ?? 0) / (their ?? 0)).toFixed(2),
        target: "",
        met: undefined,
      });
    }
  }
  frames.end();
  node.end();
  return rows;
}

const rows = await measure(Number(process.argv[2] ?? 4));
process.stdout.write(`${table(rows, "Node's channel")}\n`);
