/** The unit of systemd: how much it takes away, and that the service does all that it does with what is left. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import type { Token } from "../../generated/schemas.js";
import { jarsVersion } from "../../src/index/embedded/artifacts.js";
import { packagePath } from "../../src/platform/package-root.js";
import { build } from "../cli/command.js";
import { freePort } from "../support/network/free-port.js";
import { freshFolder } from "../support/run/folders.js";

const UNIT = packagePath("deploy", "climate-nextgen.service");
const text = readFileSync(UNIT, "utf8");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasSystemd) console.warn("systemd-analyze is not here: the unit is not tried.");

/** The values of a setting, in their order. */
const valuesOf = (name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value ?? "");

const analyze = (...words: string[]): string =>
  execFileSync("systemd-analyze", words, { encoding: "utf8", stdio: "pipe" });

describe.skipIf(!hasSystemd)("the unit", () => {
  it("is exposed by 2.0 or less in systemd's own measure", () => {
    const said = analyze("security", "--offline=true", "--no-pager", UNIT);
    const [, exposure = ""] = /Overall exposure level for .*: ([\d.]+)/.exec(said) ?? [];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThanOrEqual(2.0);
  });

  it("is valid for systemd", async () => {
    const folder = freshFolder();
    // The paths of the program are put in, as whoever installs it does.
    const unit = join(folder, "climate-nextgen.service");
    const start = `ExecStart=${process.execPath} ${packagePath("dist/src/main.js")} serve`;
    await writeFile(unit, text.replace(/^ExecStart=.*$/m, start));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
      encoding: "utf8",
    });
    expect(`${status} ${stderr}`).toBe("0 ");
  });
});

/** Whether what systemd does at a start can be done by hand here. */
const canConfine =
  hasSystemd &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0 &&
  spawnSync("python3", ["-c", 'import ctypes; ctypes.CDLL("libseccomp.so.2")']).status === 0;
if (!canConfine) console.warn("Nothing can be confined here as systemd does: the unit is not run.");

/** The system calls that are left. */
function allowedCalls(): string[] {
  const group = (name: string): string[] =>
    analyze("syscall-filter", "--no-pager", name)
      .split("\n")
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#"))
      .flatMap((line) => (line.startsWith("@") ? group(line) : line));
  const expanded = (words: string[]) =>
    words.flatMap((word) => (word.startsWith("@") ? group(word) : word));
  const allowed = new Set(group("@default"));
  for (const value of valuesOf("SystemCallFilter")) {
    const names = expanded(value.replace("~", "").split(" "));
    for (const name of names) value.startsWith("~") ? allowed.delete(name) : allowed.add(name);
  }
  return [...allowed];
}

const FAMILIES: Record<string, number> = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10 };
/** Of those that DynamicUser= takes; the machine knows no such user. */
const UID = 61_234;

describe.skipIf(!canConfine)("the service under the unit's restrictions", () => {
  let running: ChildProcess;
  let output = "";
  let address = "";

  beforeAll(async () => {
    build();
    const folder = freshFolder();
    const [state, cache] = [join(folder, "state"), join(folder, "cache")];
    await chmod(folder, 0o755);
    for (const one of [state, join(cache, "climate-nextgen")])
      await mkdir(one, { recursive: true });
    const jars = `solr-${jarsVersion().slice(0, 12)}`;
    // Copied, as those of this clone belong to somebody else.
    const target = join(cache, "climate-nextgen", jars);
    execFileSync("cp", ["-a", packagePath("solr", "target"), target]);
    execFileSync("chown", ["-R", "-h", `${UID}:${UID}`, state, cache]);
    const port = await freePort();
    const given = valuesOf("Environment").flatMap((value) => value.split(" "));
    const families = valuesOf("RestrictAddressFamilies").flatMap((value) => value.split(" "));
    const setting = JSON.stringify({
      allowed: allowedCalls(),
      families: families.map((name) => FAMILIES[name]),
    });
    const [start = ""] = valuesOf("ExecStart");
    const [, ...words] = start.split(" ");
    // Files of this clone where the unit has those of the package; all else read-only, no homes, a /tmp of its own.
    const script = `
      set -e
      mount --make-rprivate /
      mount -t tmpfs tmpfs /opt && mkdir -p /opt/climate-nextgen/node_modules/climate-nextgen /opt/node
      mount --bind ${packagePath()} /opt/climate-nextgen/node_modules/climate-nextgen
      mount --bind ${join(process.execPath, "..")} /opt/node
      mount --bind ${packagePath("test", "deploy")} /mnt
      mkdir -p /var/lib/climate-nextgen /var/cache/climate-nextgen
      mount -t tmpfs tmpfs /var/lib && mkdir /var/lib/climate-nextgen && mount --bind ${state} /var/lib/climate-nextgen
      mount -t tmpfs tmpfs /var/cache && mkdir /var/cache/climate-nextgen && mount --bind ${cache} /var/cache/climate-nextgen
      mount -t tmpfs tmpfs /var/log && mkdir /var/log/climate-nextgen
      mount -t tmpfs -o uid=${UID},mode=0700 tmpfs /var/log/climate-nextgen
      mount -t tmpfs tmpfs /root && mount -t tmpfs tmpfs /home
      for one in / /opt /var/lib /var/cache /var/log /root /home; do mount -o remount,bind,ro "$one"; done
      mount -o remount,bind,ro /opt/climate-nextgen/node_modules/climate-nextgen
      mount -t proc -o hidepid=invisible proc /proc
      mount -t tmpfs -o mode=1777 tmpfs /tmp
      cd /var/lib/climate-nextgen
      exec setpriv --reuid=${UID} --regid=${UID} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all "$@"`;
    const command = ["/usr/bin/python3", "/mnt/confined.py", setting, "/opt/node/node", ...words];
    running = spawn(
      "unshare",
      ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", ...command],
      {
        env: {
          PATH: "/usr/local/bin:/usr/bin:/bin",
          PORT: String(port),
          SOLR_HEAP: "256m",
          ...Object.fromEntries(given.map((one) => one.split(/=(.*)/s).slice(0, 2))),
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [running.stdout, running.stderr]) {
      stream?.on("data", (piece) => {
        output += piece;
      });
    }
    const told = () => /^Listening on (\S+)$/m.exec(output)?.[1];
    for (let tries = 0; tries < 1200 && told() === undefined; tries += 1) {
      if (running.exitCode !== null) break;
      await sleep(100);
    }
    address = told() ?? "";
    expect(address, output).not.toBe("");
  }, 300_000);
  afterAll(async () => {
    if (running !== undefined && running.exitCode === null) {
      running.kill("SIGKILL");
      await once(running, "exit");
    }
  });

  const get = async (path: string, init?: RequestInit): Promise<string> => {
    const response = await fetch(path.startsWith("http") ? path : address + PREFIX + path, init);
    const body = await response.text();
    expect(response.status, `${path}: ${body}\n${output}`).toBe(200);
    return body;
  };

  it("is ready, searches, signs in, reads data and registers some", async () => {
    await get("/ready");
    const query = "source_id=MPI-ESM1-2-LR&variable_id=tas&dataset=sample";
    expect(await get(`/databrowser/data-search/cmip6/file?${query}`)).toContain(".nc\n");
    const password = /username demo, password (\S+)/.exec(output)?.[1] ?? "";
    const form = new URLSearchParams({ username: "demo", password });
    const token = JSON.parse(await get("/auth/v2/token", { method: "POST", body: form })) as Token;
    const headers = { authorization: `Bearer ${token.access_token}` };
    const [stream = ""] = (await get(`/databrowser/load/cmip6?${query}`, { headers })).split("\n");
    expect(await get(`${stream}/.zmetadata`, { headers })).toContain("tas/.zarray");
    await get(`${stream}/tas/0.0.0`, { headers });
    const body = JSON.stringify({
      user_metadata: [
        { file: "/elsewhere/a.nc", variable: "tas", time: "fx", time_frequency: "fx" },
      ],
    });
    const type = { "Content-Type": "application/json" };
    const registered = await fetch(`${address}${PREFIX}/databrowser/userdata`, {
      method: "POST",
      body,
      headers: { ...headers, ...type },
    });
    expect([200, 201, 202], await registered.text()).toContain(registered.status);
  });

  it("can write nowhere but into its state, and sees no homes and no other processes", () => {
    // As the service is: in its namespaces, as its user.
    const [pid = ""] = execFileSync("pgrep", ["-u", String(UID), "-f", "main.js serve"], {
      encoding: "utf8",
    }).split("\n");
    const inside = (command: string) =>
      spawnSync(
        "nsenter",
        [
          "-t",
          pid,
          "-m",
          "-p",
          "setpriv",
          `--reuid=${UID}`,
          `--regid=${UID}`,
          "--clear-groups",
          "sh",
          "-c",
          command,
        ],
        { encoding: "utf8" },
      );
    for (const folder of [
      "/",
      "/etc",
      "/usr/bin",
      "/opt",
      "/home",
      "/opt/climate-nextgen/node_modules/climate-nextgen",
      "/var/lib",
    ]) {
      expect(inside(`touch ${folder}/x`).status, folder).not.toBe(0);
    }
    expect(inside("touch /var/lib/climate-nextgen/x && rm /var/lib/climate-nextgen/x").status).toBe(
      0,
    );
    expect(inside("ls /home /root | grep -c .").stdout.trim()).toBe("2");
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
  });

  it("ends in order by SIGTERM, with its Solr and its readers", async () => {
    const pids = () =>
      spawnSync("pgrep", ["-u", String(UID)], { encoding: "utf8" })
        .stdout.trim()
        .split("\n")
        .filter(Boolean);
    const [pid] = execFileSync("pgrep", ["-u", String(UID), "-f", "main.js serve"], {
      encoding: "utf8",
    }).split("\n");
    expect(pids().length).toBeGreaterThan(2);
    process.kill(Number(pid), "SIGTERM");
    await once(running, "exit");
    expect(running.exitCode).toBe(0);
    expect(output).toContain("Stopping");
    expect(pids()).toEqual([]);
  });
});
