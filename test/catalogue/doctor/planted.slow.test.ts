/** Faults that are planted in trees of files: exactly these are told, in whatever combination. */
import { link, mkdir, rename, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FINDING_KINDS } from "../../../src/catalogue/doctor/kinds.js";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { run, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { testEndpoint } from "../../support/service/service.js";
import {
  clear,
  type Document,
  emptyFile,
  makeTree,
  type Planted,
  post,
  statOf,
  type Tree,
  YEARS,
  yearFile,
  yearSpan,
} from "./trees.js";

let http: SolrHttp;
let root: string;
const random = chance(SEED);
const pick = (count: number): number => Math.floor(random() * count);

beforeAll(() => {
  http = new SolrHttp(testEndpoint(), 20_000);
});
beforeEach(async () => {
  await clear(http);
  root = freshFolder();
});

interface Finding {
  readonly findings: readonly (Planted & { detail: string; others?: string[] })[];
  readonly summary: {
    readonly files: number;
    readonly datasets: number;
    readonly headers: number;
    readonly found: Record<string, number>;
    readonly unknown: Record<string, number>;
  };
  readonly status: number | null;
}

async function examine(...options: string[]): Promise<Finding> {
  const ended = await run(["doctor", "--json", ...options], { settings: testSolrSettings() });
  const lines = ended.stdout.split("\n").slice(0, -1);
  const parsed = lines.map((line) => JSON.parse(line));
  const summary = parsed.pop()?.summary;
  if (summary === undefined) throw new Error(`${ended.stdout}\n${ended.stderr}`);
  return { findings: parsed, summary, status: ended.status };
}

const sorted = (planted: readonly Planted[]): string[] =>
  planted.map(({ kind, file }) => `${kind} ${file}`).sort();

type Plant = (tree: Tree, year: number) => Promise<string | undefined>;
const at = (tree: Tree, year: number): Document => tree.documents[year] as Document;
const refresh = async (document: Document): Promise<void> => {
  Object.assign(document, await statOf(document.file));
};

/** A fault of one file, which is reported by its path. */
const ofFile = (
  kind: string,
  change: (document: Document, tree: Tree, year: number) => unknown,
): readonly [kind: string, Plant] => [
  kind,
  async (tree, year) => {
    await change(at(tree, year), tree, year);
    return at(tree, year).file;
  },
];

/** Each changes a file or its document, and gives the path by which it is told; in a data set, not more than one. */
const FAULTS: Readonly<Record<string, readonly [kind: string, Plant]>> = {
  missing: ofFile("missing", ({ file }) => rm(file)),
  link: ofFile("missing", async ({ file }) => {
    await rm(file);
    await symlink(join(root, "nowhere"), file);
  }),
  loop: ofFile("unreadable", async ({ file }) => {
    await rm(file);
    await symlink(basename(file), file);
  }),
  folder: ofFile("unreadable", async ({ file }) => {
    await rm(file);
    await mkdir(file);
  }),
  halved: ofFile("damaged", async (document) => {
    await truncate(document.file, 60);
    await refresh(document);
  }),
  grown: ofFile("changed", (document) => {
    document.size = Number(document.size) - 4;
  }),
  touched: ofFile("changed", async ({ file }) => {
    const moment = new Date(Date.now() - 1000 * (1 + pick(10_000)));
    await utimes(file, moment, moment);
  }),
  replaced: ofFile("changed", async (document, { calendar }, year) => {
    await writeFile(`${document.file}.new`, yearFile(calendar, 1990 + year));
    const { inode } = document;
    await rename(`${document.file}.new`, document.file);
    await refresh(document);
    document.inode = inode;
  }),
  records: ofFile("empty", async (document, { calendar }) => {
    await writeFile(document.file, emptyFile(calendar));
    await refresh(document);
  }),
  calendar: ofFile("calendar", async (document, tree, year) => {
    const other = tree.calendar === "noleap" ? "360_day" : "noleap";
    await writeFile(document.file, yearFile(other, 1990 + year));
    Object.assign(document, yearSpan(other, 1990 + year));
    await refresh(document);
  }),
  version: ofFile("version", async (document, { calendar }, year) => {
    await writeFile(document.file, yearFile(calendar, 1990 + year, { version_id: "v20210202" }));
    await refresh(document);
  }),
  overlap: [
    "overlap",
    async (tree, year) => {
      const document = at(tree, year);
      const file = `${document.file.slice(0, -3)}_again.nc`;
      await writeFile(file, yearFile(tree.calendar, 1990 + year));
      tree.documents.push({
        ...document,
        file,
        tracking_id: `${file}`,
        checksum: `sha256:${file}`,
        ...(await statOf(file)),
      });
      return file;
    },
  ],
  gap: [
    "gap",
    async (tree, year) => {
      if (year === 0 || year === YEARS - 1) return undefined;
      const next = at(tree, year + 1).file;
      tree.documents.splice(year, 1);
      return next;
    },
  ],
  "lost year": [
    "shorter",
    async (tree, year) => {
      const older = await olderVersion(tree);
      tree.documents.splice(year < YEARS / 2 ? 0 : YEARS - 1, 1);
      const { file } = at(tree, 0);
      tree.documents.push(...older);
      return file;
    },
  ],
  "lost variable": [
    "shorter",
    async (tree, year) => {
      const other = join(dirname(dirname(at(tree, 0).file)), "v3", "pr.nc");
      await mkdir(dirname(other), { recursive: true });
      await writeFile(other, yearFile(tree.calendar, 1990 + year));
      const { file } = at(tree, 0);
      tree.documents.push({
        ...at(tree, year),
        file: other,
        version: "v3",
        variable: "pr",
        tracking_id: other,
        checksum: `sha256:${other}`,
        ...(await statOf(other)),
      });
      return file;
    },
  ],
  tracking_id: [
    "tracking_id",
    async (tree, year) => {
      const other = at(tree, (year + 1) % YEARS);
      at(tree, year).tracking_id = other.tracking_id;
      return [at(tree, year).file, other.file].sort()[0];
    },
  ],
  checksum: [
    "checksum",
    async (tree, year) => {
      const other = at(tree, (year + 1) % YEARS);
      at(tree, year).checksum = other.checksum;
      return [at(tree, year).file, other.file].sort()[0];
    },
  ],
};

const CALENDARS = ["standard", "proleptic_gregorian", "noleap", "360_day", "all_leap", "julian"];

/** An older version of all files of a tree. */
async function olderVersion(tree: Tree): Promise<Document[]> {
  const versions: Document[] = [];
  for (const document of tree.documents) {
    const file = document.file.replace("v20200101", "v20190101");
    await mkdir(dirname(file), { recursive: true });
    await link(document.file, file);
    versions.push({ ...document, file, version: "v20190101", ...(await statOf(file)) });
  }
  return versions;
}

/** What looks like a fault and is none. */
async function decoys(tree: Tree): Promise<Document[]> {
  const folder = dirname((tree.documents[0] as Document).file);
  const archived = tree.documents.map((document) => ({
    ...document,
    file: `/archive-that-is-not-here${document.file}`,
    fs_type: "hsm",
  }));
  const others: Document[] = [];
  for (const document of tree.documents) {
    const member = join(folder, `r2_${basename(document.file)}`);
    await link(document.file, member);
    others.push({
      ...document,
      file: member,
      ensemble: "r2i1p1f1",
      tracking_id: `${member}`,
      checksum: `sha256:${member}`,
      ...(await statOf(member)),
    });
  }
  return [...archived, ...(await olderVersion(tree)), ...others];
}

describe("planted faults", () => {
  it.each(
    attempts(
      [1, 2],
      Array.from({ length: 25 }, (_, i) => i),
    ),
  )("are reported, and nothing else is (%#)", async () => {
    const planted: Planted[] = [];
    const documents: Document[] = [];
    const names = Object.keys(FAULTS);
    // Each of them once, and some twice; data sets in which nothing is wrong between them.
    const chosen = [...names, ...names.filter(() => random() < 0.3)];
    for (const [i, name] of chosen.entries()) {
      const calendar = CALENDARS[pick(CALENDARS.length)] ?? "";
      const tree = await makeTree(root, `${i}-${name}`, calendar);
      const [kind, plant] = FAULTS[name] as readonly [string, Plant];
      let file: string | undefined;
      while (file === undefined) file = await plant(tree, pick(YEARS));
      planted.push({ kind, file });
      documents.push(...tree.documents);
      if (random() < 0.3) {
        const well = await makeTree(root, `${i}-well`, calendar);
        documents.push(...well.documents, ...(await decoys(well)));
      }
    }
    await post(http, documents);
    const told = await examine("--headers", root, "/archive-that-is-not-here");
    expect(sorted(told.findings), `SEED=${SEED}`).toEqual(sorted(planted));
    expect(told.status).toBe(1);
    expect(told.summary.files).toBe(documents.length);
    expect(told.summary.unknown.presence ?? 0).toBe(
      documents.filter(({ fs_type }) => fs_type === "hsm").length,
    );
    const counts: Record<string, number> = {};
    for (const { kind } of planted) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(told.summary.found).toEqual(counts);
  });

  it("are of every kind but those of whole file systems and of paths that follow a standard", () => {
    const kinds = new Set(Object.values(FAULTS).map(([kind]) => kind));
    expect(FINDING_KINDS.filter((kind) => !kinds.has(kind))).toEqual([
      "elsewhere",
      "silent",
      "facet",
    ]);
  });

  it("are none in sound data, whatever else is there; the exit status is 0", async () => {
    const documents: Document[] = [];
    for (const calendar of CALENDARS) {
      const tree = await makeTree(root, calendar, calendar);
      documents.push(...tree.documents, ...(await decoys(tree)));
    }
    await post(http, documents);
    const told = await examine("--headers");
    expect(told.findings).toEqual([]);
    expect(told.status).toBe(0);
    const quick = await examine();
    expect(quick.findings).toEqual([]);
    expect(quick.summary.headers).toBe(0);
    // Only of what ends on 30 December it is not known whether the 31st is missing.
    expect(quick.summary.unknown.calendar).toBeGreaterThan(0);
    expect(told.summary.headers).toBeGreaterThan(0);
  });
});
