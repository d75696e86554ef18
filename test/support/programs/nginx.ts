/** A real nginx before the service. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../network/free-port.js";
import { freshFolder } from "../run/folders.js";
import { findProgram, NGINX } from "./debian.js";

export interface Nginx {
  readonly address: string;
  stop(): Promise<void>;
}

/** The program; undefined if there is none. */
export const findNginx = (): string | undefined => findProgram(NGINX)?.path;

/**
 * Starts it on a free port of the loopback, with its defaults but for what is given.
 *
 * @param location directives of the one location, which hands on to `target`
 */
export async function startNginx(program: string, target: string, location = ""): Promise<Nginx> {
  const folder = freshFolder();
  const port = await freePort();
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 256; }
     http {
       access_log off;
       ${temporary}
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; ${location} } }
     }\n`,
  );
  const nginx = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = async (): Promise<void> => {
    if (nginx.exitCode === null && nginx.signalCode === null) {
      nginx.kill("SIGTERM");
      await once(nginx, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(nginx, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: `http://127.0.0.1:${port}`, stop };
}

export async function listening(nginx: ChildProcess, port: number): Promise<void> {
  let said = "";
  nginx.stderr?.on("data", (piece) => {
    said += piece;
  });
  for (let tries = 0; tries < 200; tries += 1) {
    if (nginx.exitCode !== null) break;
    const open = await new Promise<boolean>((resolve) => {
      const probe = connect(port, "127.0.0.1", () => resolve(true));
      probe.on("error", () => resolve(false)).on("connect", () => probe.destroy());
    });
    if (open) return;
    await sleep(25);
  }
  throw new Error(`the proxy does not listen: ${said}`);
}
