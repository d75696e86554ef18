/** Selects documents for deletion, and to see who registered the data of a path. */
import { pathToFileURL } from "node:url";
import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { Unreadable } from "../extent/period.js";
import { FACET_NAMES } from "../vocabulary/facets.js";
import { FLAVOURS } from "../vocabulary/flavours.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { anyOf, clause, exactly, exists, startsWith, uncached } from "./lucene.js";
import { periodClause } from "./period-clause.js";
import { regionClause } from "./region-clause.js";
import type { Search } from "./search.js";

type ToClause = (value: string) => string;

const CLAUSES = new Map<string, ToClause>([
  ...[...FACET_NAMES, "file", "uri", "version"].map(
    (field) => [field, (value: string) => clause(field, value)] as const,
  ),
  ["time", (value) => periodClause(value, "flexible")],
  ["bbox", (value) => regionClause(value, "flexible")],
]);

/**
 * A clause for each native key. Unlike in a search, values cannot be negated: a typing error must not delete everything else.
 *
 * @throws InvalidParameters with an issue for each invalid key and value
 */
export function deletionClauses(selection: Readonly<Record<string, string>>): string[] {
  const issues: ParameterIssue[] = [];
  const clauses = Object.entries(selection).flatMap(([name, value]) => {
    const toClause = CLAUSES.get(name);
    const refuse = (reason: string): [] => {
      issues.push({ name, in: "body", reason });
      return [];
    };
    if (toClause === undefined) {
      const naming = { flavour: FLAVOURS.user, translate: false };
      return refuse(unknownName(name, naming, [...CLAUSES.keys()], issues.length));
    }
    try {
      return [toClause(value)];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return refuse(error.message);
    }
  });
  if (issues.length > 0) throw new InvalidParameters(issues);
  return clauses;
}

/**
 * The clause for the owner, and those of `deletionClauses`.
 *
 * @param owner not a caller's text
 * @throws InvalidParameters with an issue for each invalid key and value
 */
export const selectionClauses = (
  owner: string,
  selection: Readonly<Record<string, string>>,
): string[] => [exactly("owner", owner), ...deletionClauses(selection)];

/** A path on this machine. */
export interface DataPath {
  /** Without symbolic links. */
  readonly real: string;
  readonly inode: string;
  readonly isFolder: boolean;
}

/**
 * Documents of users that name one of the paths, a folder above it, or something inside it; and those that had the same inode
 * when they were registered.
 *
 * Names below a folder count only if they existed when registered: users often register files before they exist.
 */
export function claimsSearch(...paths: readonly DataPath[]): Search {
  const leading = new Set(paths.flatMap(leadingTo));
  return { filters: [exists("user"), uncached(anyOf([...leading]))] };
}

function leadingTo({ real, inode, isFolder }: DataPath): string[] {
  const paths = [real];
  for (let end = real.lastIndexOf("/"); end > 0; end = real.lastIndexOf("/", end - 1)) {
    paths.push(real.slice(0, end));
  }
  const spelled = paths.flatMap((path) => [path, `file://${path}`, pathToFileURL(path).href]);
  const leading = [
    ...[...new Set(spelled)].map((text) => exactly("file", text)),
    ...[...new Set(spelled.slice(0, 3))].map((text) => exactly("uri", text)),
    exactly("inode", inode),
  ];
  if (isFolder) {
    const existed = anyOf([exists("inode"), `(*:* -${exists("owner")})`]);
    leading.push(`(+${startsWith("file", `${real}/`)} +${existed})`);
  }
  return leading;
}
