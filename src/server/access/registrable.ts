/** Checks which entries a user may register, and resolves their files to real paths. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { Issues } from "../../domain/errors.js";
import { MAX_DATE } from "../../domain/extent/durations.js";
import { solrDate, Unreadable } from "../../domain/extent/period.js";
import type { Owner } from "../../domain/user-data/owner.js";
import type { UserDocument } from "../../domain/user-data/read-user-data.js";
import { namedPath } from "../../domain/user-data/registration-rule.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import { mapInSlices } from "../../platform/concurrency/time-slices.js";
import { type FileProbe, leadsTo } from "../../platform/file-system/file-probe.js";
import type { ResolvedPath } from "../../platform/file-system/file-probe-program.js";
import type { AccessParts } from "./access-services.js";

const ANOTHERS = "lies in another user's folder";
const NOT_YOURS =
  "is neither in a folder of yours nor a file of yours, and no public data of this service";

interface NamedDocument {
  readonly document: UserDocument;
  readonly index: number;
  /** The named path with links unresolved; undefined if it is not on this machine. */
  readonly file: string | undefined;
  readonly uri: string | undefined;
}

/** An entry is stored as this document, is another user's, or is stored only if its file is already public. */
type Judgement = UserDocument | "another's" | "if-public";

export interface Registrable {
  readonly documents: readonly UserDocument[];
  /** The entries that the owner may not register, by index. */
  readonly issues: Issues;
}

type Refuse = (index: number, key: "file" | "uri", reason: string) => void;

/**
 * The documents with their files as real paths. A missing file, or one outside the data roots, keeps its name: searches find
 * the entry, but it grants no access.
 *
 * @param documents in the order of the entries; undefined for an entry to skip
 */
export async function registrable(
  documents: readonly (UserDocument | undefined)[],
  owner: Owner,
  parts: AccessParts,
  probe: FileProbe,
): Promise<Registrable> {
  const issues = new Issues();
  const refuse: Refuse = (index, key, reason) =>
    issues.add({ name: `user_metadata[${index}].${key}`, in: "body", reason });
  const read = await mapInSlices(documents, (document, index) =>
    document === undefined || issues.isFull ? undefined : named(document, index, refuse),
  );
  const entries = read.filter((entry) => entry !== undefined);
  const paths = entries.flatMap(({ file, uri }) => [file, uri].filter((one) => one !== undefined));
  const resolved = await probe.resolve([...paths, ...parts.dataRoots]);
  for (const { uri, file, index } of entries) {
    if (uri === undefined || leadsTo(resolved, uri) === leadsTo(resolved, file)) continue;
    refuse(index, "uri", "must lead to the same data as file");
  }
  const roots = parts.dataRoots.flatMap((root) => [root, leadsTo(resolved, root) ?? root]);
  const judged = await mapInSlices(entries, async (entry) => ({
    entry,
    judgement: await judge(entry, owner, resolved, roots, parts),
  }));
  const published = await parts.solr.publicFiles(
    judged.flatMap(({ entry: { file }, judgement }) =>
      judgement === "if-public"
        ? [file, leadsTo(resolved, file)].filter((one) => one !== undefined)
        : [],
    ),
  );
  const registered = judged.flatMap(({ entry, judgement }): UserDocument[] => {
    const { document, file, index } = entry;
    if (typeof judgement === "object") return [judgement];
    const names = judgement === "if-public" ? [file, leadsTo(resolved, file)] : [];
    const known = names.find((name) => name && published.has(name));
    // The name in the index, so that the entry counts as already registered.
    if (known !== undefined) return [withFile(document, known)];
    refuse(index, "file", judgement === "another's" ? ANOTHERS : NOT_YOURS);
    return [];
  });
  return { documents: registered, issues };
}

/** A document with the paths that it names; undefined if its file names none. */
function named(document: UserDocument, index: number, refuse: Refuse): NamedDocument | undefined {
  const pathOf = (key: "file" | "uri") => {
    try {
      return { path: namedPath(String(document[key] ?? "")) };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refuse(index, key, error.message);
      return undefined;
    }
  };
  const [file, uri] = [pathOf("file"), pathOf("uri")];
  if (file === undefined) return undefined;
  if (uri !== undefined) return { document, index, file: file.path, uri: uri.path };
  // The URI is refused already. The file is still checked, so that all issues are reported.
  const { uri: _, ...rest } = document;
  return { document: rest as UserDocument, index, file: file.path, uri: undefined };
}

async function judge(
  entry: NamedDocument,
  owner: Owner,
  resolved: ReadonlyMap<string, ResolvedPath>,
  roots: readonly string[],
  { registration }: AccessParts,
): Promise<Judgement> {
  const { document, file } = entry;
  const found = file === undefined ? undefined : resolved.get(file);
  if (file === undefined || found === undefined) return document;
  const isRead = [file, leadsTo(resolved, file) ?? file].some((path) =>
    roots.some((root) => isBelow(root, path)),
  );
  const there = "real" in found ? found : undefined;
  const path = there?.real ?? leadsTo(resolved, file) ?? file;
  const own = await registration.allows(owner, { path, uid: there?.uid });
  if (there !== undefined && own) {
    const placed = withFile(document, isRead ? there.real : file);
    // The inode identifies the file under its other names.
    return { ...placed, inode: there.inode, ...factsOnDisk(there) };
  }
  // Also a file that is not there yet: a crawl would find it later, and leave it to this user.
  if (isRead && !own) return "if-public";
  for (const path of new Set([file, leadsTo(resolved, file) ?? file])) {
    if (await registration.isReservedForOther(owner, path)) return "another's";
  }
  return withFile(document, file);
}

/** Size and time from the file system, which may report a date beyond JavaScript's. They replace those of the entry. */
function factsOnDisk({
  size,
  modified = Number.NaN,
}: Extract<ResolvedPath, { real: string }>): Readonly<Record<string, string>> {
  return {
    ...(size !== undefined && { size: String(size) }),
    ...(Math.abs(modified) <= MAX_DATE && { modified: solrDate(modified) }),
  };
}

/** A document with its file and the matching URI in canonical form. */
function withFile(document: UserDocument, file: string): UserDocument {
  const { uri } = document;
  if (uri === undefined || namedPath(String(uri)) === undefined) return { ...document, file };
  const isPath = isAbsolute(String(uri));
  return { ...document, file, uri: isPath ? file : pathToFileURL(file).href };
}
