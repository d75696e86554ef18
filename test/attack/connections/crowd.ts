/** Many clients in a process of their own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";

export interface Pings {
  readonly pings: number;
  /** Milliseconds. */
  readonly p99: number;
}

export interface Crowd {
  tell<T>(kind: string, what?: object): Promise<T>;
  pingFor(milliseconds: number): Promise<Pings>;
  end(): void;
}

/** @param address of the service */
export function startCrowd(address: string): Crowd {
  const script = packagePath("test", "attack", "connections", "crowd.mjs");
  const child = fork(script, [JSON.stringify({ address, prefix: PREFIX })], { execArgv: [] });
  const tell = async <T>(kind: string, what = {}): Promise<T> => {
    child.send({ kind, ...what });
    const [answer] = await once(child, "message");
    return answer as T;
  };
  return {
    tell,
    pingFor: async (milliseconds) => {
      await tell("pings");
      await sleep(milliseconds);
      return tell("pings");
    },
    end: () => child.disconnect(),
  };
}

/** Things of this process that wait for something, by their kind. */
export function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
