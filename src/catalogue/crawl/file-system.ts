/** The file system, asked in threads of its own with a limit of time for each sign of life. */
import { Worker } from "node:worker_threads";
import { UserError } from "../../platform/errors.js";
import { THREAD } from "./thread.js";

/** What stands in a folder. Hidden names, and files that are none of data, are left out. */
export type FolderEntry =
  | { readonly name: string; readonly kind: "folder" }
  /** A link to a folder, and where that is without links. */
  | { readonly name: string; readonly kind: "link"; readonly real: string }
  /** A file; `real` where a link leads to it. All is 0 where files were not to be measured. */
  | ({ readonly name: string; readonly kind: "file"; readonly real?: string } & Measure)
  /** Its bytes are not UTF-8; each stands as the character of its number. */
  | { readonly name: string; readonly kind: "no-text" }
  /** Named as data, but a pipe, a socket or a device. */
  | { readonly name: string; readonly kind: "no-file" }
  | {
      readonly name: string;
      readonly kind: "unreadable";
      readonly code: string;
      readonly isLink: boolean;
    };

export interface Measure {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly inode: string;
}

/** A part of a folder. */
export interface Portion {
  readonly entries: readonly FolderEntry[];
  /** Names that only zarr stores have; of a long folder all of them are in its first portion. */
  readonly markers: readonly string[];
  readonly done: boolean;
  /** Whether nothing but hidden names has been seen until here. */
  readonly isEmpty: boolean;
}

export type Look =
  | ({ readonly kind: "file" | "folder" | "other" } & Measure)
  | { readonly code: string };

/** The file system does not do what it is asked; `code` is its own word, such as EACCES. */
export class FileSystemError extends Error {
  override readonly name = "FileSystemError";
  constructor(readonly code: string) {
    super(code === SILENT ? "gets no answer from the file system" : `cannot be read (${code})`);
  }
}

/** So many places do not answer that going on would leave them all out. */
export class FileSystemSilent extends UserError {
  override readonly name = "FileSystemSilent";
}

const SILENT = "SILENT";
/** Entries of a folder in one portion. */
const PORTION = 5000;
/** Milliseconds without a sign of life. */
const PATIENCE = 60_000;
/** Threads that hang; each may do so for as long as its mount does. */
const MAX_HANGING = 8;

type Question = { readonly kind: string } & Readonly<Record<string, unknown>>;

interface Answer {
  readonly beat?: true;
  readonly answer?: unknown;
  readonly isEmpty?: boolean;
  readonly code?: string;
}

export interface FileSystemOptions {
  /** Milliseconds without a sign of life after which a call is given up. */
  readonly patience?: number;
  /** What the threads run. */
  readonly thread?: string;
}

export class FileSystem {
  readonly #patience: number;
  readonly #source: string;
  #hanging = 0;
  /** One thread walks and another looks at single files, so that neither waits for the other. */
  readonly #threads = new Map<"walk" | "look", Worker>();
  readonly #starting = new Set<Worker>();
  readonly #turns = { walk: Promise.resolve(), look: Promise.resolve() };

  constructor({ patience = PATIENCE, thread = THREAD }: FileSystemOptions = {}) {
    this.#patience = patience;
    this.#source = thread;
  }

  /**
   * What stands in a folder, in the order in which the file system has it. One folder at a time.
   *
   * @param measured whether size, time and inode of files are wanted
   * @throws FileSystemError, FileSystemSilent
   */
  async *list(path: string, measured = true): AsyncGenerator<Portion, void, undefined> {
    let isOpen = true;
    try {
      for (let kind = "list"; isOpen; kind = "more") {
        const question = { kind, path, most: PORTION, measured };
        const { answer, isEmpty = true } = await this.#ask("walk", question);
        const portion = answer as Omit<Portion, "isEmpty">;
        isOpen = !portion.done;
        yield { ...portion, isEmpty };
      }
    } catch (error) {
      isOpen = false;
      throw error;
    } finally {
      if (isOpen) await this.#ask("walk", { kind: "close" });
    }
  }

  /** Bytes of all files in a folder and the newest of their times. @throws FileSystemError */
  async measure(path: string): Promise<Measure> {
    return (await this.#ask("look", { kind: "measure", path })).answer as Measure;
  }

  /** What lies at paths. @param isLink whether a link is looked at itself */
  async look(paths: readonly string[], isLink = false): Promise<readonly Look[]> {
    return (await this.#ask("look", { kind: "look", paths, isLink })).answer as Look[];
  }

  /** A path without links. @throws FileSystemError */
  async real(path: string): Promise<string> {
    return (await this.#ask("look", { kind: "real", path })).answer as string;
  }

  async close(): Promise<void> {
    const threads = [...this.#threads.values()];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #ask(who: "walk" | "look", question: Question): Promise<Answer> {
    const asked = this.#turns[who].then(() => this.#askNow(who, question));
    this.#turns[who] = asked.then(
      () => {},
      () => {},
    );
    return asked;
  }

  #askNow(who: "walk" | "look", question: Question): Promise<Answer> {
    const thread = this.#thread(who);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        thread.off("online", wind);
        thread.off("message", hear);
        thread.off("error", fail);
      };
      const giveUp = (): void => {
        end();
        this.#threads.delete(who);
        this.#hanging += 1;
        // One that hangs in the system ends only when the system lets it.
        void thread.terminate();
        reject(new FileSystemError(SILENT));
      };
      let timer: NodeJS.Timeout | undefined;
      const wind = (): void => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, this.#patience);
      };
      // To start a thread is none of the file system's time.
      if (this.#starting.has(thread)) thread.once("online", wind);
      else wind();
      const hear = (answer: Answer): void => {
        if (answer.beat) {
          wind();
          return;
        }
        end();
        if (answer.code === undefined) resolve(answer);
        else reject(new FileSystemError(answer.code));
      };
      const fail = (error: Error): void => {
        end();
        this.#threads.delete(who);
        reject(error);
      };
      thread.on("message", hear);
      thread.on("error", fail);
      thread.postMessage(question);
    });
  }

  #thread(who: "walk" | "look"): Worker {
    if (this.#hanging >= MAX_HANGING) {
      throw new FileSystemSilent(
        `The file system does not answer in ${this.#hanging} places; what is not read yet is left for the next time.`,
      );
    }
    const known = this.#threads.get(who);
    if (known !== undefined) return known;
    const thread = new Worker(this.#source, { eval: true, execArgv: [] });
    this.#starting.add(thread);
    thread.once("online", () => {
      this.#starting.delete(thread);
      thread.unref();
    });
    this.#threads.set(who, thread);
    return thread;
  }
}
