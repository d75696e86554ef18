import { DomainError } from "../platform/errors.js";

/** Why a request is refused, with the parameter at fault. `reason` is a predicate of it. */
export interface ParameterIssue {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  readonly reason: string;
}

/** Issues quoted in the error's sentence; the others are only in the list. */
const MAX_QUOTED_ISSUES = 20;

/** Issues listed one by one. Bodies are not checked further after that many. */
export const MAX_ISSUES = 1000;

/** Issues of a part of a request. */
export interface FoundIssues {
  readonly issues: readonly ParameterIssue[];
  /** How many more are known. */
  readonly unlisted: number;
}

/** Collects the issues of a request, at most MAX_ISSUES. */
export class Issues implements FoundIssues {
  readonly issues: ParameterIssue[] = [];
  unlisted = 0;
  readonly #isReported: (name: string) => boolean;

  /** @param isReported whether issues of a name are already reported elsewhere; those are skipped */
  constructor(isReported: (name: string) => boolean = () => false) {
    this.#isReported = isReported;
  }

  /** Whether no further issue is listed, so that looking for more is useless. */
  get isFull(): boolean {
    return this.issues.length >= MAX_ISSUES;
  }

  get any(): boolean {
    return this.issues.length > 0;
  }

  add(...issues: readonly ParameterIssue[]): void {
    for (const issue of issues) {
      if (this.#isReported(issue.name)) continue;
      if (this.issues.length < MAX_ISSUES) this.issues.push(issue);
      else this.unlisted += 1;
    }
  }

  /** The error with all issues, ordered by the index of their entry. */
  get error(): InvalidParameters {
    const entry = ({ name }: ParameterIssue): number =>
      Number(/^\w+\[(\d+)\]/.exec(name)?.[1] ?? -1);
    const ordered = [...this.issues].sort((a, b) => entry(a) - entry(b));
    return new InvalidParameters(ordered, this.unlisted);
  }

  /** Adds the issues of another part. */
  join(others: FoundIssues): void {
    this.add(...others.issues);
    this.unlisted += others.unlisted;
  }
}

/** Parameters are unknown or have invalid values. */
export class InvalidParameters extends DomainError {
  readonly kind = "invalid-parameters";
  /** @param unlisted known number of issues that are not in `issues` */
  constructor(
    readonly issues: readonly ParameterIssue[],
    readonly unlisted = 0,
  ) {
    const quoted = issues
      .slice(0, MAX_QUOTED_ISSUES)
      .map(({ name, reason }) => `${name}: ${reason}`);
    const rest = issues.length - quoted.length + unlisted;
    const more = issues.length < MAX_ISSUES ? `${rest} more` : `at least ${rest} more`;
    super(quoted.join("; ") + (rest > 0 ? `; and ${more}` : ""));
  }
}

/** The error for one parameter. @param reason a predicate of it */
export const invalidParameter = (
  name: string,
  reason: string,
  location: ParameterIssue["in"] = "query",
): InvalidParameters => new InvalidParameters([{ name, in: location, reason }]);

/** A searched value that no entry has. */
export interface UnknownValue {
  /** The search key. */
  readonly name: string;
  readonly value: string;
  /** Existing values with similar spelling, the nearest first. */
  readonly near: readonly string[];
}

/** Characters of a value in a sentence. */
const MAX_QUOTED = 200;

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_QUOTED));

/** A search finds nothing, possibly because of values that no entry has. */
export abstract class NothingFound extends DomainError {
  constructor(readonly unknownValues: readonly UnknownValue[] = []) {
    const reasons = unknownValues.map(({ name, value, near }) => {
      const meant = near.length > 0 ? `; did you mean ${near.map(quoted).join(", ")}?` : ".";
      return ` No entry has the ${name} ${quoted(value)}${meant}`;
    });
    super(`No entry matches this search.${reasons.join("")}`);
  }
}

/** Nothing is found, and an empty catalogue would be useless. */
export class NoEntries extends NothingFound {
  readonly kind = "no-entries";
}

/** The same for the operation that answers with 404 (specification, section 7). */
export class NoItems extends NothingFound {
  readonly kind = "no-items";
}

/** More is found than the caller allows or the service computes at once. */
export class TooManyResults extends DomainError {
  readonly kind = "too-many-results";
  /** @param things what is counted, if the limit is not the caller's max-results */
  constructor(found: number | string, limit: number, things?: string) {
    super(
      things === undefined
        ? `The search finds ${found} entries, but max-results is ${limit}.`
        : `The search yields ${found} ${things}; at most ${limit} can be processed. Narrow the search.`,
    );
  }
}

/** No flavour of this name is built in, shared or the caller's own. */
export class NoSuchFlavour extends DomainError {
  readonly kind = "no-such-flavour";
  constructor(name: string, near: readonly string[]) {
    const meant = near.length > 0 ? `; did you mean ${near.join(", ")}?` : ".";
    super(`Flavour ${JSON.stringify(name)} does not exist for you${meant}`);
  }
}

/** The name is already in use. */
export class NameTaken extends DomainError {
  readonly kind = "name-taken";
}
