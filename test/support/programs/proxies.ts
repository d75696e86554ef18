/** nginx, Apache and Caddy before the service, with the configuration that is shipped: only names, ports and paths are put in. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";
import type { Certificate } from "../network/certificates.js";
import { freePort } from "../network/free-port.js";
import { freshFolder } from "../run/folders.js";
import { type DebianProgram, type FoundProgram, findProgram, NGINX } from "./debian.js";
import { listening } from "./nginx.js";

export interface ProxyPlace {
  /** Ports of the proxy: for TLS, and the one that only leads there. */
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: Certificate;
  /** Hosts and ports of two instances. */
  readonly instances: readonly [string, string];
}

export interface RunningProxy {
  /** What it wrote of requests and of itself. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Where the program's own files go, and what it is told beside the shipped file. */
interface Setting {
  readonly folder: string;
  readonly shipped: string;
  readonly program: FoundProgram;
  readonly place: ProxyPlace;
}

interface Kind {
  readonly program: DebianProgram;
  /** Below deploy/. */
  readonly file: string;
  /** Writes what includes the shipped file; gives the arguments of the program. */
  arguments(setting: Setting): Promise<string[]>;
}

/** The modules that a2enmod is told, and those that Debian has enabled from the start or with them. */
const modulesOf = (shipped: string): string[] => [
  ...(/a2enmod (.+)/.exec(shipped)?.[1] ?? "").split(" "),
  "mpm_event",
  "authz_core",
  "alias",
  "mime",
  "setenvif",
  "socache_shmcb",
  "reqtimeout",
];

export const PROXIES: Readonly<Record<"nginx" | "Apache" | "Caddy", Kind>> = {
  nginx: {
    program: NGINX,
    file: "nginx.conf",
    arguments: async ({ folder, shipped }) => {
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
      const around = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
        events { worker_connections 256; }
        http { access_log ${folder}/access.log; ${temporary} include ${shipped}; }\n`;
      await writeFile(join(folder, "main.conf"), around);
      return ["-p", folder, "-c", join(folder, "main.conf")];
    },
  },
  Apache: {
    program: { path: "sbin/apache2", package: "apache2-bin" },
    file: "apache.conf",
    arguments: async ({ folder, shipped, program, place }) => {
      const modules = modulesOf(await readFile(shipped, "utf8")).map(
        (name) =>
          `LoadModule ${name}_module ${program.root}/usr/lib/apache2/modules/mod_${name}.so`,
      );
      await writeFile(join(folder, "mime.types"), "");
      const around = `ServerRoot ${folder}\nServerName localhost\n${modules.join("\n")}
        PidFile ${folder}/pid\nDefaultRuntimeDir ${folder}\nMutex fcntl\nTypesConfig ${folder}/mime.types
        ErrorLog ${folder}/error.log\nCustomLog ${folder}/access.log "%h %r %>s"
        ${process.getuid?.() === 0 ? "User nobody\nGroup nogroup" : ""}
        Listen 127.0.0.1:${place.port}\nListen 127.0.0.1:${place.plainPort}\nInclude ${shipped}\n`;
      await writeFile(join(folder, "main.conf"), around);
      return ["-d", folder, "-f", join(folder, "main.conf"), "-D", "FOREGROUND"];
    },
  },
  Caddy: {
    program: { path: "bin/caddy", package: "caddy" },
    file: "Caddyfile",
    arguments: async ({ folder, shipped, place }) => {
      const around = `{\n admin off\n http_port ${place.plainPort}\n https_port ${place.port}
        storage file_system ${folder}/storage\n log {\n output file ${folder}/error.log\n }\n skip_install_trust\n}
        import ${shipped}\n`;
      await writeFile(join(folder, "main.conf"), around);
      return ["run", "--adapter", "caddyfile", "--config", join(folder, "main.conf")];
    },
  },
};

export type ProxyName = keyof typeof PROXIES;

/** The programs of those that are here. */
export function findProxies(): Map<ProxyName, FoundProgram> {
  const found = new Map<ProxyName, FoundProgram>();
  for (const [name, { program }] of Object.entries(PROXIES)) {
    const one = findProgram(program);
    if (one !== undefined) found.set(name as ProxyName, one);
  }
  return found;
}

/** The shipped file with what belongs to a place put in. */
function putIn(text: string, { port, plainPort, certificate, instances }: ProxyPlace): string {
  const values: [string, string][] = [
    ["/etc/ssl/certs/data.example.org.pem", certificate.certificate],
    ["/etc/ssl/private/data.example.org.key", certificate.key],
    ["127.0.0.1:7777", instances[0]],
    ["127.0.0.1:7778", instances[1]],
    ["listen 443 ", `listen 127.0.0.1:${port} `],
    ["listen 80;", `listen 127.0.0.1:${plainPort};`],
    ["*:443>", `127.0.0.1:${port}>`],
    ["*:80>", `127.0.0.1:${plainPort}>`],
    ["data.example.org", "localhost"],
  ];
  return values.reduce((all, [name, value]) => all.replaceAll(name, value), text);
}

/** Starts it at its place. */
export async function startProxy(
  name: ProxyName,
  program: FoundProgram,
  place: ProxyPlace,
): Promise<RunningProxy> {
  const kind = PROXIES[name];
  const folder = freshFolder();
  // Apache's workers are somebody else where its start is root's.
  await chmod(folder, 0o777);
  await mkdir(join(folder, "storage"));
  const shipped = join(folder, kind.file);
  await writeFile(shipped, putIn(await readFile(packagePath("deploy", kind.file), "utf8"), place));
  const words = await kind.arguments({ folder, shipped, program, place });
  const env = { ...program.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const proxy = spawn(program.path, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  const log = async (): Promise<string> => {
    const texts = ["access.log", "error.log"].map((file) =>
      readFile(join(folder, file), "utf8").catch(() => ""),
    );
    return (await Promise.all(texts)).join("\n");
  };
  const stop = async (): Promise<void> => {
    if (proxy.exitCode === null && proxy.signalCode === null) {
      proxy.kill("SIGTERM");
      await once(proxy, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(proxy, place.port);
  } catch (error) {
    const said = await log();
    await stop();
    throw new Error(`${name}: ${said}`, { cause: error });
  }
  return { log, stop };
}

/** Ports for a proxy. */
export const proxyPorts = async (): Promise<Pick<ProxyPlace, "port" | "plainPort">> => ({
  port: await freePort(),
  plainPort: await freePort(),
});
