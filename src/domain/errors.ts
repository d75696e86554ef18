import { DomainError } from "../platform/errors.js";

/** One reason why a request is refused, bound to the parameter that caused it. */
export interface ParameterIssue {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  readonly reason: string;
}

/** Of a large body that is wrong throughout, so many issues are told in the sentence, and so many one by one. */
const TOLD = 20;

export const MAX_ISSUES = 10_000;

/** What is wrong with a part of a request. */
export interface FoundIssues {
  readonly issues: readonly ParameterIssue[];
  /** How many there are beside these. */
  readonly unlisted: number;
}

/** All that is wrong with a request, of which so many are kept that whoever sent it can read them. */
export class Issues implements FoundIssues {
  readonly issues: ParameterIssue[] = [];
  #unlisted = 0;
  readonly #isTold: (name: string) => boolean;

  /** @param isTold what is told elsewhere, and not again here */
  constructor(isTold: (name: string) => boolean = () => false) {
    this.#isTold = isTold;
  }

  get unlisted(): number {
    return this.#unlisted;
  }

  get any(): boolean {
    return this.issues.length > 0;
  }

  add(...issues: readonly ParameterIssue[]): void {
    for (const issue of issues) {
      if (this.#isTold(issue.name)) continue;
      if (this.issues.length < MAX_ISSUES) this.issues.push(issue);
      else this.#unlisted += 1;
    }
  }

  /** What is told of them: of many entries, one after the other. */
  get error(): InvalidParameters {
    const entry = ({ name }: ParameterIssue): number =>
      Number(/^\w+\[(\d+)\]/.exec(name)?.[1] ?? -1);
    const ordered = [...this.issues].sort((a, b) => entry(a) - entry(b));
    return new InvalidParameters(ordered, this.unlisted);
  }

  /** Adds what others have found. */
  join(others: FoundIssues): void {
    this.add(...others.issues);
    this.#unlisted += others.unlisted;
  }
}

/** Parameters that are unknown or have values that are not valid. */
export class InvalidParameters extends DomainError {
  readonly kind = "invalid-parameters";
  /** @param unlisted how many there are beside these */
  constructor(
    readonly issues: readonly ParameterIssue[],
    readonly unlisted = 0,
  ) {
    const told = issues.slice(0, TOLD).map(({ name, reason }) => `${name}: ${reason}`);
    const rest = issues.length - told.length + unlisted;
    super(told.join("; ") + (rest > 0 ? `; and ${rest} more` : ""));
  }
}

/** The error for one parameter of a query. @param reason a predicate of it */
export const invalidParameter = (name: string, reason: string): InvalidParameters =>
  new InvalidParameters([{ name, in: "query", reason }]);

/** A value of a search that no entry has. */
export interface UnknownValue {
  /** The key that it was given for. */
  readonly name: string;
  readonly value: string;
  /** Values that there are and that are spelled much like it, the nearest first. */
  readonly near: readonly string[];
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_QUOTED));

/** Characters of a value in a sentence. */
const MAX_QUOTED = 200;

/** Nothing is found, for what is searched or because of values that no entry has. */
export abstract class NothingFound extends DomainError {
  constructor(readonly unknownValues: readonly UnknownValue[] = []) {
    const reasons = unknownValues.map(({ name, value, near }) => {
      const meant = near.length > 0 ? `; did you mean ${near.map(quoted).join(", ")}?` : ".";
      return ` No entry has the ${name} ${quoted(value)}${meant}`;
    });
    super(`Nothing is found for this search.${reasons.join("")}`);
  }
}

/** Nothing is found where a catalogue of nothing would be of no use. */
export class NoEntries extends NothingFound {
  readonly kind = "no-entries";
}

/** The same, for the one operation that answers it with 404 (specification, section 7). */
export class NoItems extends NothingFound {
  readonly kind = "no-items";
}

/** More is found than the caller wants to have, or than is worked out at once. */
export class TooManyResults extends DomainError {
  readonly kind = "too-many-results";
  /** @param things what is counted, where it is not the caller who bounds it */
  constructor(found: number | string, limit: number, things?: string) {
    super(
      things === undefined
        ? `${found} entries are found, but max-results is ${limit}.`
        : `There are ${found} ${things}, but no more than ${limit} are worked out at once; please search for less.`,
    );
  }
}

/** There is no flavour of this name that is the caller's, or for all. */
export class NoSuchFlavour extends DomainError {
  readonly kind = "no-such-flavour";
  constructor(name: string, near: readonly string[]) {
    const meant = near.length > 0 ? `; did you mean ${near.join(", ")}?` : ".";
    super(`You have no flavour ${JSON.stringify(name)}${meant}`);
  }
}

/** A name that something else has. */
export class NameTaken extends DomainError {
  readonly kind = "name-taken";
}
