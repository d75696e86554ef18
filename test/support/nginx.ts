/** A real nginx before the service: the machine's, or Debian's package unpacked into a folder of this clone. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packagePath } from "../../src/package-root.js";

export interface Nginx {
  readonly address: string;
  stop(): Promise<void>;
}

const CACHE = packagePath("node_modules", ".cache", "nginx");

/**
 * The program; undefined where there is none to be had, which a test must not pass over in CI.
 *
 * Nothing is installed: the package is fetched and unpacked, for which nobody has to be root.
 */
export async function findNginx(): Promise<string | undefined> {
  const places = ["/usr/sbin/nginx", "/usr/bin/nginx", join(CACHE, "usr", "sbin", "nginx")];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  try {
    await mkdir(CACHE, { recursive: true });
    execFileSync("apt-get", ["download", "nginx"], { cwd: CACHE, stdio: "pipe", timeout: 60_000 });
    const [archive = ""] = readdirSync(CACHE).filter((name) => name.endsWith(".deb"));
    execFileSync("dpkg", ["-x", archive, "."], { cwd: CACHE, stdio: "pipe" });
    return places.find((place) => existsSync(place));
  } catch (error) {
    if (process.env.CI === "true") throw new Error("nginx cannot be had", { cause: error });
    console.warn("nginx cannot be had: what is said of it is not tried.");
    return undefined;
  }
}

/**
 * Starts it on a free port of the loopback, with its defaults but for what is given.
 *
 * @param location directives of the one location, which hands on to `target`
 */
export async function startNginx(program: string, target: string, location = ""): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "climate-nginx-"));
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

async function listening(nginx: ChildProcess, port: number): Promise<void> {
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
  throw new Error(`nginx does not listen: ${said}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
