/** Opens joined stores: reads what planning needs of all files at once, and keeps plans. */
import { basename } from "node:path";
import { serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { eachOf } from "../../../platform/concurrency/each-of.js";
import { inTime } from "../../../platform/concurrency/in-time.js";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import { sha256 } from "../../../platform/sha256.js";
import { isLasting, TooLarge } from "../../netcdf/errors.js";
import type { RenderedCache } from "../body/rendered-cache.js";
import type { FileDataset } from "../dataset/file-dataset.js";
import { JoinOutdated, JoinPreparing, JoinRefused, ReadingBusy } from "../errors.js";
import type { InspectedFile } from "../open/file-identity-cache.js";
import type { ReadingClient } from "../worker/client.js";
import type { JoinAccess } from "./data-chunks.js";
import type { FileFacts, VariableForm } from "./file-facts.js";
import { JoinedDataset } from "./joined-dataset.js";
import type { FixedValues } from "./plan/fixed-variables.js";
import { planJoin } from "./plan/plan-join.js";
import type { JoinPlan, KnownFile } from "./plan/planned.js";
import { type JoinFile, type Recipe, recipeDigest } from "./recipe.js";

/** Reads files. */
export interface JoinReading {
  facts(file: InspectedFile, client?: ReadingClient): Promise<FileFacts>;
  dataset(file: InspectedFile, client?: ReadingClient): Promise<FileDataset>;
  readonly rendered: RenderedCache;
  /** Files read at once. */
  readonly together: number;
}

/** The file of a recipe, after the checks of access for one reader. @throws errors of access; ReadingError */
export type Admit = (file: JoinFile) => Promise<InspectedFile>;

/** Whether a reader has just been admitted to all files of a join. */
export interface Admitted {
  readonly isKnown: boolean;
  note(): void;
  /** Called before the files are admitted one by one. */
  prepare(files: readonly JoinFile[]): Promise<void>;
}

/** Plans that are kept, and the bytes that they may take. */
const MAX_PLANS = 500;
const MAX_BYTES = 256 << 20;
/** Bytes counted for a file of a plan. */
const FILE_BYTES = 6000;
/** Bytes of what is read of files until their plan is made: of one plan, and of all of them together. */
const MAX_READ = 256 << 20;
/** Plans of fewer bytes are made whatever the others take. */
const SMALL_READ = 8 << 20;
/** Milliseconds that a caller waits for a plan before it is answered "try again". */
const TIMEOUT_MS = 20_000;

export class Joins {
  readonly #plans = new LRUCache<
    string,
    { readonly dataset: JoinedDataset; readonly bytes: number }
  >({
    max: MAX_PLANS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  readonly #refusals = new LRUCache<string, JoinRefused>({ max: MAX_PLANS });
  readonly #digests = new WeakMap<Recipe, string>();
  readonly #planning = new SingleFlight<JoinedDataset>();
  /** The files and bytes that are read so far for each plan that is being made. */
  readonly #progress = new Map<string, { files: number; bytes: number }>();
  readonly #reading: JoinReading;
  readonly #timeoutMs: number;

  constructor(reading: JoinReading, timeoutMs = TIMEOUT_MS) {
    this.#reading = reading;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The store of a recipe, for one reader.
   *
   * @throws JoinRefused, JoinOutdated; JoinPreparing if it takes long; ReadingError; errors of access
   */
  async open(
    recipe: Recipe,
    admit: Admit,
    client?: ReadingClient,
    admitted?: Admitted,
  ): Promise<JoinedDataset> {
    const digest = this.#digestOf(recipe);
    const known = this.#plans.get(digest);
    const access = new RecipeAccess(recipe, admit, this.#reading, admitted);
    if (known !== undefined) return known.dataset.for(access);
    const refusal = this.#refusals.get(digest);
    // A caller who may not read all files learns nothing about them.
    const made = access.files().then((files) => {
      if (refusal !== undefined) throw refusal;
      return this.#planning.join(() => this.#plan(recipe, digest, files, access, client), digest);
    });
    // It goes on if this caller leaves.
    made.catch(() => {});
    const joined = await inTime(made, this.#timeoutMs, () => {
      const done = this.#plans.get(digest)?.dataset;
      if (done !== undefined) return done;
      const read = this.#progress.get(digest)?.files ?? 0;
      throw new JoinPreparing(
        `The join of ${recipe.files.length} files is being prepared: ${read} of them are read.`,
      );
    });
    return joined.for(access);
  }

  /** Computed once for a recipe: it may have thousands of files. */
  #digestOf(recipe: Recipe): string {
    const digest = this.#digests.get(recipe) ?? recipeDigest(recipe);
    this.#digests.set(recipe, digest);
    return digest;
  }

  async #plan(
    recipe: Recipe,
    digest: string,
    inspected: readonly InspectedFile[],
    access: JoinAccess,
    client: ReadingClient | undefined,
  ): Promise<JoinedDataset> {
    try {
      const files = await this.#readAll(recipe, digest, inspected, client);
      const plan = await planJoin(recipe, files, (file, name) =>
        this.#fixed(inspected[file.index], name, client),
      );
      const dataset = new JoinedDataset(plan, digest, this.#reading.rendered, access);
      this.#plans.set(digest, { dataset, bytes: bytesOf(plan) });
      return dataset;
    } catch (error) {
      if (error instanceof JoinRefused) this.#refusals.set(digest, error);
      throw error;
    } finally {
      this.#progress.delete(digest);
    }
  }

  /** Reads the header and the joining axis of every file, a bounded number of files at a time. */
  async #readAll(
    recipe: Recipe,
    digest: string,
    inspected: readonly InspectedFile[],
    client: ReadingClient | undefined,
  ): Promise<KnownFile[]> {
    const files: KnownFile[] = [];
    const shared = new SharedForms();
    const read = { files: 0, bytes: 0 };
    this.#progress.set(digest, read);
    await eachOf(recipe.files, this.#reading.together, async (place, index) => {
      const file = inspected[index];
      if (file === undefined)
        throw new JoinOutdated(`${basename(place.file)} is not there any more.`);
      const facts = await this.#reading.facts(file, client).catch((error: unknown) => {
        throw isLasting(error)
          ? new JoinRefused(`${basename(place.file)} cannot be read: ${error.message}`)
          : error;
      });
      files[index] = { index, name: basename(place.file), place, facts: shared.of(facts) };
      read.files += 1;
      read.bytes += bytesRead(facts);
      this.#requireRoom(read.bytes);
    });
    return files;
  }

  /** @throws TooLarge, ReadingBusy */
  #requireRoom(bytes: number): void {
    if (bytes > MAX_READ) {
      throw new TooLarge(
        "The files have more times and attributes than are held in memory: join fewer files.",
      );
    }
    const all = [...this.#progress.values()].reduce((sum, one) => sum + one.bytes, 0);
    if (bytes > SMALL_READ && all > MAX_READ)
      throw new ReadingBusy("Too many joins are being prepared at the moment.");
  }

  async #fixed(
    file: InspectedFile | undefined,
    name: string,
    client: ReadingClient | undefined,
  ): Promise<FixedValues> {
    const dataset = file && (await this.#reading.dataset(file, client));
    const plan = dataset?.plan(name);
    if (dataset === undefined || plan === undefined)
      throw new JoinRefused(`A file has no ${name}.`);
    const { variable } = plan;
    const box = { start: variable.shape.map(() => 0), shape: variable.shape };
    const isEmpty = variable.shape.includes(0) || variable.type.kind === "text";
    return {
      variable,
      bytes: async () => (isEmpty ? new Uint8Array() : dataset.box(plan, box, undefined, client)),
    };
  }
}

/** Approximate bytes of what a file does not share with others. */
function bytesRead({ held, attributes }: FileFacts): number {
  const values = [...held.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return attributes.reduce((sum, { value }) => {
    if (value.kind === "text") return sum + value.value.length;
    return value.values.reduce<number>((all, one) => all + String(one).length, sum);
  }, values);
}

const bytesOf = ({ groups, arrays }: JoinPlan): number => {
  let bytes = 10_000;
  for (const { runs } of groups) bytes += runs.length * FILE_BYTES;
  for (const { origin } of arrays.values())
    if (origin.kind === "held") bytes += origin.bytes.length;
  return bytes;
};

/** Files checked at once. */
const CHECKED_TOGETHER = 16;

/** Admits the files of a recipe, each at most once. */
class RecipeAccess implements JoinAccess {
  readonly #recipe: Recipe;
  readonly #admit: Admit;
  readonly #reading: JoinReading;
  readonly #admittedAll: Admitted | undefined;
  #files: Promise<readonly InspectedFile[]> | undefined;
  /** The file of the last chunk: references are made of one chunk after the other. */
  #last: { readonly index: number; readonly dataset: Promise<FileDataset> } | undefined;

  constructor(recipe: Recipe, admit: Admit, reading: JoinReading, admitted?: Admitted) {
    this.#admittedAll = admitted;
    this.#recipe = recipe;
    this.#admit = admit;
    this.#reading = reading;
  }

  open(index: number, client?: ReadingClient): Promise<FileDataset> {
    if (this.#last?.index !== index) this.#last = { index, dataset: this.#open(index, client) };
    return this.#last.dataset;
  }

  async #open(index: number, client: ReadingClient | undefined): Promise<FileDataset> {
    const file = this.#recipe.files[index];
    if (file === undefined) throw new JoinOutdated("The join has no such file.");
    return this.#reading.dataset(await this.#admitted(file), client);
  }

  async all(): Promise<void> {
    if (this.#admittedAll?.isKnown !== true) await this.files();
  }

  files(): Promise<readonly InspectedFile[]> {
    this.#files ??= this.#admitAll();
    return this.#files;
  }

  async #admitAll(): Promise<readonly InspectedFile[]> {
    const files: InspectedFile[] = [];
    await this.#admittedAll?.prepare(this.#recipe.files);
    await eachOf(this.#recipe.files, CHECKED_TOGETHER, async (file, index) => {
      files[index] = await this.#admitted(file);
    });
    this.#admittedAll?.note();
    return files;
  }

  async #admitted(file: JoinFile): Promise<InspectedFile> {
    const found = await this.#admit(file);
    const { size, modified, inode } = found.identity;
    const { identity } = file;
    if (size === identity.size && modified === identity.modified && inode === identity.inode)
      return found;
    throw new JoinOutdated(
      `${basename(file.file)} has changed since these files were joined: ask for a new address of the join.`,
    );
  }
}

/** Lets files share the forms of their variables, which mostly do not differ. */
class SharedForms {
  readonly #forms = new Map<string, VariableForm>();
  readonly #lists = new Map<string, readonly VariableForm[]>();

  of(facts: FileFacts): FileFacts {
    const keys: string[] = [];
    const forms = facts.forms.map((form) => {
      const key = sha256(serialize(form));
      keys.push(key);
      const known = this.#forms.get(key) ?? form;
      this.#forms.set(key, known);
      return known;
    });
    const list = this.#lists.get(keys.join()) ?? forms;
    this.#lists.set(keys.join(), list);
    return { ...facts, forms: list };
  }
}
