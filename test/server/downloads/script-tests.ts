/** What the download script does, in shells with their programs for transfers. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex, startService, type TestService } from "../../support/service/service.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { listening } from "../../support/solr/wire.js";
import {
  ODD_NAMES,
  put,
  runScript,
  type Shell,
  type StoredFile,
  saved,
  shells,
  storeFiles,
} from "./scene.js";

/** The pairs of shell and program that `npm test` has; `npm run test:slow` has all others. */
export const isQuick = ({ name }: Shell): boolean =>
  ["/bin/dash with curl", "/bin/bash with wget"].includes(name);

export async function testScript(isChosen: (shell: Shell) => boolean): Promise<void> {
  const tops = freshFolder();
  const found = (await shells(tops)).filter(isChosen);
  const [first] = found;
  if (first === undefined) throw new Error("there is no shell");

  let service: TestService;
  let token: string;
  let stored: StoredFile[];
  const data = join(tops, "data");

  /** A script of the service, saved. */
  async function script(query: string, path = "databrowser/download/native/file"): Promise<string> {
    const response = await service.get(`/${path}?${query}`, bearer(token));
    expect(response.status).toBe(200);
    const saved = join(await mkdtemp(join(tops, "script-")), "download.sh");
    await writeFile(saved, await response.text());
    return saved;
  }

  beforeAll(async () => {
    service = await startService({ dataRoots: [data], publicData: "product=open" });
    token = (await signIn(service, (await addUser(service.dataDir)).name)).access_token;
    const odd = ODD_NAMES.map((name, index) => ({
      name,
      content: randomBytes(1000 + index),
      bare: index % 5 === 0,
    }));
    const all = await storeFiles(data, [...odd, { name: "empty.nc", content: Buffer.alloc(0) }]);
    stored = all.stored;
    const open = await storeFiles(join(data, "open"), [
      { name: "open.nc", content: randomBytes(300_000) },
      { name: "other.nc", content: randomBytes(10), bare: true },
    ]);
    const newer = await storeFiles(join(data, "newer"), [
      { name: "open.nc", content: randomBytes(3000) },
    ]);
    const product = { product: ["open"], experiment: ["x"] };
    await fillIndex(service.solr, [
      ...all.documents.map((one) => ({ ...one, product: ["odd"] })),
      ...open.documents.map((one) => ({ ...one, ...product, version: "20200101" })),
      ...newer.documents.map((one) => ({ ...one, product: ["newer"] })),
      { file: join(data, "x.zarr"), format: "zarr", product: ["left-out"] },
      { file: "https://example.org/far.nc", product: ["left-out"] },
    ]);
  });
  afterAll(() => service.close());

  let to: string;
  beforeEach(async () => {
    to = await mkdtemp(join(tops, "to-"));
  });

  const contents = (files: readonly StoredFile[]): Map<string, Buffer> =>
    new Map(files.map(({ file, content }) => [file.slice(data.length + 1), content]));

  describe("the script", () => {
    it.each(
      found.filter(({ name }) => !name.includes("its wget")).map((one) => [one.name, one] as const),
    )("downloads files of any names, verified, and nothing twice: %s", async (_, shell) => {
      const odd = await script("product=odd&layout=flat");
      const ran = await runScript({ shell, script: odd, to, token });
      expect(ran.output).toContain(`${stored.length} of ${stored.length} files are there`);
      expect(ran.status, ran.output).toBe(0);
      expect(ran.output).toContain("no program computes it: 5");
      expect(await saved(to)).toEqual(contents(stored));
      const again = await runScript({ shell, script: odd, to, token });
      expect(again.status, again.output).toBe(0);
      expect(again.output).toContain("; 0 bytes were fetched");
    });

    it.each(found.map((one) => [one.name, one] as const))(
      "continues a partial file of the same content, and never appends to another one: %s",
      async (_, shell) => {
        const open = await script("product=open");
        const file = join(data, "open", "open.nc");
        const content = await readFile(file);
        const state = join(to, ".climate-nextgen-download", datasetId(file));
        const head = await service.get(`/data-portal/files/${datasetId(file)}/open.nc`, {
          method: "HEAD",
        });
        const lines = [...head.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
        await put(`${state}.part`, content.subarray(0, 200_000));
        await put(`${state}.head`, `HTTP/1.1 200 OK\r\n${lines}\r\n`);
        const ran = await runScript({ shell, script: open, to });
        expect(ran.status, ran.output).toBe(0);
        expect([...(await saved(to)).values()]).toContainEqual(content);
        const ranges = service.log.filter(
          (line) => line.includes("open.nc") || line.includes("206"),
        );
        expect(ranges.at(-1) ?? "", "no part was asked for").toContain("206");
        const other = await mkdtemp(join(tops, "to-"));
        const wrong = join(other, ".climate-nextgen-download", datasetId(file));
        await put(`${wrong}.part`, randomBytes(200_000));
        await put(
          `${wrong}.head`,
          'HTTP/1.1 200 OK\r\nContent-Length: 250000\r\nETag: "other"\r\n\r\n',
        );
        const anew = await runScript({ shell, script: open, to: other });
        expect(anew.status, anew.output).toBe(0);
        expect([...(await saved(other)).values()]).toContainEqual(content);
      },
    );

    it.each(
      found.filter(({ name }) => !name.includes("its wget")).map((one) => [one.name, one] as const),
    )("keeps a partial file when a proxy breaks off the connection: %s", async (_, shell) => {
      const file = join(data, "open", "open.nc");
      const content = await readFile(file);
      const ranges: unknown[] = [];
      const server = createServer(({ headers }, response) => {
        ranges.push(headers.range);
        if (ranges.length === 1) {
          response.socket?.end("HTTP/1.1 200 Connection established\r\n\r\n");
        } else if (headers.range === undefined) response.writeHead(404).end();
        else {
          const range = {
            "Content-Range": "bytes 200000-299999/300000",
            "Content-Length": 100_000,
          };
          response.writeHead(206, { ...range, ETag: '"a"' }).end(content.subarray(200_000));
        }
      });
      const { origin } = await listening(server);
      const path = await script("product=open&layout=flat&file=*open.nc");
      const text = await readFile(path, "utf8");
      await writeFile(path, text.replace(/^SERVICE=.*$/m, `SERVICE='${origin}'`));
      const state = join(to, ".climate-nextgen-download", datasetId(file));
      await put(`${state}.part`, content.subarray(0, 200_000));
      await put(`${state}.head`, 'HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nETag: "a"\r\n\r\n');
      const ran = await runScript({ shell, script: path, to });
      server.close();
      expect(ran.status, ran.output).toBe(0);
      expect(ranges).toEqual(["bytes=200000-", "bytes=200000-"]);
      expect((await saved(to)).get("open.nc")?.equals(content)).toBe(true);
    });

    const run = (
      text: string,
      options: readonly string[] = [],
      as: Partial<{ token: string }> = { token },
    ) => runScript({ shell: first as Shell, script: text, to, options, ...as });

    /** The first shell, with another program of a name. */
    async function withProgram(name: string, text: string): Promise<Shell> {
      const folder = await mkdtemp(join(tops, "bin-"));
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      return { ...(first as Shell), path: `${folder}:${first?.path}` };
    }

    const lock = () => join(to, ".climate-nextgen-download", "lock");

    it("refuses a folder that another machine downloads into, and uses it once that has ended", async () => {
      const text = await script("product=open");
      await put(join(lock(), "pid"), "1 elsewhere\n");
      let beats = 0;
      const other = setInterval(() => writeFileSync(join(lock(), "..", "beat"), `${beats++}`), 50);
      const busy = await run(text, [], {}).finally(() => clearInterval(other));
      expect(busy.status, busy.output).toBe(2);
      expect(busy.output).toContain(
        "process 1 of the machine elsewhere downloads into this folder",
      );
      const shell = await withProgram("sleep", `exec /bin/sleep 0.01`);
      const ran = await runScript({ shell, script: text, to });
      expect(ran.status, ran.output).toBe(0);
    });

    it("uses a folder whose last process had its own number, as in a container", async () => {
      const note = 'echo "$$ $(uname -n)" > "$0/lock/pid"; echo "$$" > "$0/run/1/1"; exec "$@"';
      await put(join(lock(), "pid"), "");
      await put(join(lock(), "..", "run", "1", "1"), "");
      const state = join(lock(), "..");
      const command = ["/bin/sh", "-c", note, state, ...(first as Shell).command];
      const shell = { ...(first as Shell), command };
      const text = await script("product=open");
      const ran = await runScript({ shell, script: text, to });
      expect(ran.status, ran.output).toBe(0);
      await put(join(lock(), "pid"), "");
      await put(join(state, "run", "1", "1"), "");
      const beats = await beating();
      const busy = await runScript({ shell: { ...beats, command }, script: text, to });
      expect(busy.status, busy.output).toBe(2);
    });

    /** The first shell, whose holder of the lock writes a beat in each second that the script waits. */
    async function beating(): Promise<Shell> {
      const beat = join(lock(), "..", "beat");
      await put(beat, "");
      return withProgram("sleep", `echo 1 >> '${beat}'; exec /bin/sleep 0.01`);
    }

    it("refuses a folder that another container with the name of its machine downloads into", async () => {
      const text = await script("product=open");
      await put(join(lock(), "pid"), `99999999 ${hostname()}\n`);
      const busy = await runScript({ shell: await beating(), script: text, to });
      expect(busy.status, busy.output).toBe(2);
      expect(busy.output).toContain("process 99999999 downloads into this folder");
      const shell = await withProgram("sleep", "exec /bin/sleep 0.01");
      const ran = await runScript({ shell, script: text, to });
      expect(ran.status, ran.output).toBe(0);
    });

    it("uses a folder whose lock names no process, unless the lock names one a second later", async () => {
      const text = await script("product=open");
      await put(join(lock(), "pid"), "");
      const note = `echo '${process.pid} ${hostname()}' > '${lock()}/pid'`;
      const busy = await runScript({ shell: await withProgram("sleep", note), script: text, to });
      expect(busy.status, busy.output).toBe(2);
      expect(busy.output).toContain(`process ${process.pid} downloads into this folder`);
      await put(join(lock(), "pid"), "");
      const ran = await run(text, [], {});
      expect(ran.status, ran.output).toBe(0);
      expect(ran.output).not.toContain("Another machine");
    });

    it("uses a folder whose lock is removed while it looks", async () => {
      const text = await script("product=open");
      await put(join(lock(), "pid"), "");
      const shell = await withProgram(
        "mkdir",
        `/bin/mkdir "$@" || { status=$?; /bin/rm -rf '${lock()}'; exit "$status"; }`,
      );
      const ran = await runScript({ shell, script: text, to });
      expect(ran.status, ran.output).toBe(0);
    });

    it("leaves the lock of another download that has taken its folder", async () => {
      const text = await script("product=open");
      const taken = `echo '1 elsewhere' > '${lock()}/pid'; exec /usr/bin/curl "$@"`;
      const shell = await withProgram("curl", taken);
      expect((await runScript({ shell, script: text, to })).status).toBe(0);
      expect(await readFile(join(lock(), "pid"), "utf8")).toBe("1 elsewhere\n");
    });

    it("saves files below the parts of their dataset's name and its version", async () => {
      await run(await script("product=open"), [], {});
      expect([...(await saved(to)).keys()].sort()).toEqual([
        "CMIP6/open/x/mean/gn/2d/v20200101/open.nc",
        "CMIP6/open/x/mean/gn/2d/v20200101/other.nc",
      ]);
    });

    it("leaves a file that exists and differs, unless it is to replace it", async () => {
      const text = await script("product=open&layout=flat");
      await put(join(to, "open.nc"), "mine");
      const ran = await run(text, [], {});
      expect(ran.status).toBe(1);
      expect(ran.output).toContain("open.nc exists already and is another file");
      expect((await saved(to)).get("open.nc")?.toString()).toBe("mine");
      expect((await run(text, ["-f"], {})).status).toBe(0);
      expect((await saved(to)).get("open.nc")?.length).toBe(300_000);
    });

    it("replaces a file by another one of its name, and this one by the first again", async () => {
      const [older, newer] = ["product=open&layout=flat", "product=newer&layout=flat"];
      for (const [query, size] of [
        [older, 300_000],
        [newer, 3000],
        [older, 300_000],
      ] as const) {
        const ran = await run(await script(query), ["-f"]);
        expect(ran.status, ran.output).toBe(0);
        expect((await saved(to)).get("open.nc")?.length).toBe(size);
      }
    });

    it("counts a file as there only once it has its name", async () => {
      const text = await script("product=open&layout=flat");
      for (const name of ["open.nc", "other.nc"]) await put(join(to, name), "mine");
      const shell = await withProgram("mv", "exit 1");
      const broken = await runScript({ shell, script: text, to, options: ["-f"] });
      expect(broken.status).toBe(1);
      expect(broken.output).toContain("open.nc cannot be written");
      const ran = await run(text, [], {});
      expect(ran.status, ran.output).toBe(1);
      expect(ran.output).toContain("open.nc exists already and is another file");
      expect((await saved(to)).get("other.nc")?.length).toBe(10);
      expect((await run(text, ["-f"], {})).status).toBe(0);
      expect((await saved(to)).get("open.nc")?.length).toBe(300_000);
    });

    it("reports a file that differs from the checksum of the index, and saves none", async () => {
      const text = await script("product=open&layout=flat");
      const lines = await readFile(text, "utf8");
      const wrong = lines.replace(/^300000 sha256:./m, "300000 sha256:z");
      expect(wrong).not.toBe(lines);
      await writeFile(text, wrong);
      const ran = await run(text, [], {});
      expect(ran.status).toBe(1);
      expect(ran.output).toContain("open.nc has another checksum than in the index");
      expect([...(await saved(to)).keys()]).toEqual(["other.nc"]);
    });

    it("counts no file as verified whose checksum cannot be computed", async () => {
      const text = await script("product=open&layout=flat&file=*open.nc");
      const shell = await withProgram("sha256sum", "exit 1");
      const ran = await runScript({ shell, script: text, to });
      expect(ran.status, ran.output).toBe(1);
      expect(ran.output).toContain("open.nc has a checksum that cannot be computed");
      expect(await saved(to)).toEqual(new Map());
      expect((await run(text, [], {})).output).toContain("1 of 1 files are there");
      const uncounted = await withProgram("wc", '[ "$1" = -l ] && exec /usr/bin/wc -l');
      for (const [broken, options, reason] of [
        [shell, ["-c"], "exists already and has a checksum that cannot be computed; -f replaces"],
        [shell, ["-c", "-f"], "has a checksum that cannot be computed"],
        [uncounted, ["-c"], "exists already and cannot be read; -f replaces it"],
      ] as const) {
        const again = await runScript({ shell: broken, script: text, to, options });
        expect(again.status, again.output).toBe(1);
        expect(again.output).toContain(`open.nc ${reason}`);
      }
      expect((await saved(to)).get("open.nc")?.length).toBe(300_000);
    });

    it("replaces a file that cannot be read, if it is to", async () => {
      const text = await script("product=open&layout=flat&file=*open.nc");
      await put(join(to, "open.nc"), "mine");
      const first = '[ -e "$0.used" ] && exec /usr/bin/wc "$@"; : > "$0.used"; exit 1';
      const shell = await withProgram("wc", first);
      const ran = await runScript({ shell, script: text, to, options: ["-f"] });
      expect(ran.status, ran.output).toBe(0);
      expect((await saved(to)).get("open.nc")?.length).toBe(300_000);
    });

    it("needs a valid token for data that are not public, from the environment or a private file", async () => {
      const text = await script("product=odd&layout=flat");
      for (const as of [{}, { token: "forged" }]) {
        const ran = await run(text, [], as);
        expect(ran.status).toBe(1);
        expect(ran.output).toContain("needs a valid token");
      }
      const file = join(to, "..", "token");
      await writeFile(file, `${token}\n`);
      await chmod(file, 0o644);
      const open = await run(text, ["-t", file], {});
      expect(open.status).toBe(2);
      expect(open.output).toContain("chmod 600");
      await chmod(file, 0o600);
      expect((await run(text, ["-t", file], {})).status).toBe(0);
      expect(await readFile(text, "utf8")).not.toContain(token);
    });

    it("lists missing files, and writes nothing", async () => {
      const text = await script("product=open&layout=flat");
      const before = await run(text, ["-n"], {});
      expect(before.status).toBe(0);
      expect(before.output).toContain("300000 open.nc");
      expect(before.output).toContain("2 of 2 files are missing, 300000 bytes.");
      expect(await readdir(to)).toEqual([]);
      await put(join(to, "open.nc"), await readFile(join(data, "open", "open.nc")));
      await put(join(to, "other.nc"), "of another length");
      for (const options of [["-n"], ["-n", "-c"]]) {
        const ran = await run(text, options, {});
        expect(ran.output).toContain("- other.nc\n1 of 2 files are missing, 0 bytes.");
      }
      expect((await readdir(to)).sort()).toEqual(["open.nc", "other.nc"]);
    });

    it("verifies existing files again, and counts their bytes", async () => {
      const text = await script("product=open&layout=flat");
      await run(text, [], {});
      await writeFile(join(to, "open.nc"), randomBytes(300_000));
      expect((await run(text, [], {})).status).toBe(0);
      const again = await run(text, ["-c"], {});
      expect(again.status).toBe(1);
      expect(again.output).toContain("open.nc exists already and is another file");
      await writeFile(join(to, "open.nc"), await readFile(join(data, "open", "open.nc")));
      await rm(join(to, "other.nc"));
      const whole = await run(text, ["-c", "-j", "1"], {});
      expect(whole.output).toMatch(/^2 of 2 files, 300010 bytes: /m);
      expect(whole.output).toContain("2 of 2 files are there; 10 bytes were fetched.");
    });

    it("fetches a file once if its length differs from that of the index", async () => {
      const text = await script("product=open&layout=flat&file=*open.nc");
      const lines = await readFile(text, "utf8");
      await writeFile(text, lines.replace(/^300000 sha256/m, "299999 sha256"));
      const before = service.log.length;
      const ran = await run(text, [], {});
      expect(ran.status).toBe(1);
      expect(ran.output).toContain("open.nc has 300000 bytes, but 299999 in the index");
      const sent = service.log.slice(before).filter((line) => line.includes('"readFile"'));
      expect(sent).toHaveLength(1);
    });

    it("reports what no script can download, and fails if there is nothing to download", async () => {
      const ran = await run(await script("product=left-out"));
      expect(ran.status).toBe(1);
      expect(ran.output).toContain("Zarr stores, which are read as streams, are left out: 1");
      expect(ran.output).toContain("Data that are not on the service's machine are left out: 1");
      expect(ran.output).toContain("The search found no files.");
      expect((await run(await script("product=nothing-of-this-name"))).status).toBe(1);
    });

    it("does nothing if it is truncated anywhere", async () => {
      const text = await readFile(await script("product=open&layout=flat"), "utf8");
      const ends = [
        text.length - 2,
        text.length - 10,
        text.length - 80,
        text.indexOf("300000 ") + 20,
      ];
      for (const end of [...ends, 12_000, 5000, 500]) {
        const cut = join(to, "cut.sh");
        await writeFile(cut, text.slice(0, end));
        await runScript({ shell: first as Shell, script: cut, to: join(to, "cut") });
        expect([...(await saved(to)).keys()], `cut at ${end}`).toEqual(["cut.sh"]);
      }
    });
  });
}
