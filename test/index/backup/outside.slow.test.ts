/** `backup` and `restore` of one Solr that somebody else runs. */
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import {
  backupLinks,
  type EmbeddedSolr,
  startEmbeddedSolr,
} from "../../../src/index/embedded/embedded.js";
import { SolrState } from "../../../src/index/state/solr-state-store.js";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { type Ended, run } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { contentsOf } from "../../support/solr/backup-scene.js";

const PATIENCE = { timeout: 180_000 };

let solr: EmbeddedSolr;
const folder = freshFolder();
let dataDir: string;

beforeAll(async () => {
  dataDir = join(folder, "of-solr");
  const javaOptions = await archiveOptions();
  solr = await startEmbeddedSolr({ dataDir, heap: "256m", report: () => {}, javaOptions });
}, PATIENCE.timeout);
afterAll(() => solr?.stop());

/** Runs a command with the Solr as an outside one. */
function command(...args: string[]): Promise<Ended> {
  const { urls, user = "", password = "" } = solr.endpoint;
  const settings = { SOLR_URL: urls[0].href, SOLR_USER: user, SOLR_PASSWORD: password };
  return run(args, { settings: { ...settings, DATA_DIR: join(folder, "var") } });
}

describe("a backup of one Solr", () => {
  it("is refused with the remedy if Solr may not write", PATIENCE, async () => {
    const elsewhere = join(folder, "elsewhere");
    const refused = await command("backup", elsewhere);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/start Solr with -Dsolr\.allowPaths=\S+elsewhere/);
    expect(existsSync(join(elsewhere, "backup.json"))).toBe(false);
    const broken = await command("restore", elsewhere);
    expect(broken.stderr).toMatch(/holds no complete backup/);
  });

  it("restores every document with every field, and replaces others", PATIENCE, async () => {
    const allowed = backupLinks(dataDir);
    await mkdir(allowed, { recursive: true });
    const loaded = await command("index", packagePath("data", "catalogue.jsonl"));
    expect(loaded.status, loaded.stderr).toBe(0);
    const state = new SolrState(new SolrHttp(solr.endpoint, 10_000));
    const entry = { kind: "test", value: { a: 1 }, expires: Date.now() + 3_600_000 };
    await state.overwrite("test:1", entry);
    const made = await command("backup", join(allowed, "one"));
    expect(made.status, made.stderr).toBe(0);
    expect(made.stderr).toMatch(/STATE_KEY/);
    const before = await contentsOf(solr.endpoint);
    expect(before.files.length).toBeGreaterThan(300);
    expect(before.state.join()).toContain('"test:1"');

    const more = join(folder, "more.jsonl");
    await writeFile(more, '{"file":"/later.nc"}\n');
    expect((await command("index", more)).status).toBe(0);
    await state.overwrite("test:2", entry);
    const refused = await command("restore", join(allowed, "one"));
    expect(refused.stderr).toMatch(/has documents in files already.*--replace/);
    const restored = await command("restore", join(allowed, "one"), "--replace");
    expect(restored.status, restored.stderr).toBe(0);
    expect(await contentsOf(solr.endpoint)).toEqual(before);
    // Nor does a real-time get know what came later.
    expect(await state.read("test:2")).toBeUndefined();
    expect(await state.read("test:1")).toMatchObject({ value: { a: 1 } });
    await chmod(allowed, 0o700);
  });
});
