/** Templates of folders and file names, such as `{variable}_{model}[_{time}]`. */

/** A part of a template: literal text, or a value. */
export type Part = { readonly literal: string } | { readonly field: string };

/** The name of a value that is ignored. */
export const IGNORED = "_";

/** An invalid template; the message is a predicate of it. */
export class BadTemplate extends Error {}

const MAX_TEMPLATE = 1000;
/** Forms that the optional parts of one template may give. */
const MAX_FORMS = 64;

/** All forms of a template, the longest first: `[...]` is optional and can be nested. */
export function formsOf(template: string): readonly (readonly Part[])[] {
  if (template.length > MAX_TEMPLATE) {
    throw new BadTemplate(`has more than ${MAX_TEMPLATE} characters`);
  }
  const tokens = template.match(/\{[^{}[\]]*\}|[^{}[\]]+|[{}[\]]/g) ?? [];
  const { forms, next } = read(tokens, 0, false);
  if (next < tokens.length) throw new BadTemplate(`has a ${tokens[next]} too many`);
  return forms.map(joined);
}

function read(
  tokens: readonly string[],
  from: number,
  isOptional: boolean,
): { readonly forms: Part[][]; readonly next: number } {
  let forms: Part[][] = [[]];
  let at = from;
  for (; at < tokens.length; at++) {
    const token = tokens[at] as string;
    if (token === "]") break;
    if (token === "[") {
      const inner = read(tokens, at + 1, true);
      at = inner.next;
      forms = forms.flatMap((form) => [...inner.forms.map((one) => [...form, ...one]), form]);
      if (forms.length > MAX_FORMS) throw new BadTemplate("has too many optional parts");
      continue;
    }
    if (token === "{" || token === "}") throw new BadTemplate(`has a ${token} without the other`);
    const part = token.startsWith("{") ? { field: token.slice(1, -1).trim() } : { literal: token };
    for (const form of forms) form.push(part);
  }
  if (isOptional && at === tokens.length) throw new BadTemplate("has a [ without its ]");
  return { forms, next: at };
}

/** Joins adjacent literals, because a value ends where the next literal begins. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last !== undefined && "literal" in last && "literal" in part) {
      whole[whole.length - 1] = { literal: last.literal + part.literal };
    } else whole.push(part);
  }
  return whole;
}

/** Splits a form at `/` into one template per folder. */
export function foldersOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const folders: Part[][] = [[]];
  for (const part of parts) {
    if ("field" in part) folders.at(-1)?.push(part);
    else {
      for (const [i, text] of part.literal.split("/").entries()) {
        if (i > 0) folders.push([]);
        if (text !== "") folders.at(-1)?.push({ literal: text });
      }
    }
  }
  return folders.filter((folder) => folder.length > 0);
}

/** Constraints on values. */
export interface Admission {
  admits(field: string, value: string): boolean;
  /** A value known from elsewhere: it may contain the separator. */
  known(field: string): string | undefined;
}

/** The values found, or where the text does not fit. */
type Match =
  | { readonly values: ReadonlyMap<string, string> }
  /** `expected` is undefined if the text should have ended; `found` is the rest of the text. */
  | { readonly expected: Part | undefined; readonly found: string };

/** Characters of a folder's or a file's name: more than file systems allow. */
const MAX_NAME = 1024;

/**
 * Fits a text to parts. A value ends before the next literal, and contains neither that nor the literal before it,
 * unless it is known. Failed attempts are recorded, so the time is bounded by parts x length x length.
 */
export function match(parts: readonly Part[], text: string, admission: Admission): Match {
  if (text.length > MAX_NAME) return { expected: parts[0], found: `${text.slice(0, 40)}...` };
  const failed = new Set<number>();
  const values = new Map<string, string>();
  let farthest = { part: 0, at: 0 };
  const fits = (part: number, at: number): boolean => {
    const key = part * (MAX_NAME + 1) + at;
    if (failed.has(key)) return false;
    if (part > farthest.part) farthest = { part, at };
    const here = parts[part];
    const found =
      here === undefined
        ? at === text.length
        : "literal" in here
          ? text.startsWith(here.literal, at) && fits(part + 1, at + here.literal.length)
          : ends(here.field, part, at).some((end) => take(here.field, part, at, end));
    if (!found) failed.add(key);
    return found;
  };
  const take = (field: string, part: number, at: number, end: number): boolean => {
    const value = text.slice(at, end);
    if (!admission.admits(field, value) || !fits(part + 1, end)) return false;
    values.set(field, value);
    return true;
  };
  /** The positions where a value that begins at `at` may end. */
  const ends = (field: string, part: number, at: number): number[] => {
    const known = admission.known(field);
    const knownEnd = known !== undefined && text.startsWith(known, at) ? [at + known.length] : [];
    const before = literalOf(parts[part - 1]);
    const after = literalOf(parts[part + 1]);
    const hasNext = part + 1 < parts.length;
    if (hasNext && after === undefined) return [...knownEnd, ...each(at + 1, text.length)];
    const end = after === undefined ? text.length : text.indexOf(after, at + 1);
    if (end <= at) return knownEnd;
    const isWhole = before === undefined || !text.slice(at, end).includes(before);
    return isWhole ? [...knownEnd, end] : knownEnd;
  };
  if (!fits(0, 0)) return { expected: parts[farthest.part], found: text.slice(farthest.at) };
  const inOrder = parts.flatMap((part): [string, string][] => {
    const value = "field" in part && part.field !== IGNORED ? values.get(part.field) : undefined;
    return "field" in part && value !== undefined ? [[part.field, value]] : [];
  });
  return { values: new Map(inOrder) };
}

const literalOf = (part: Part | undefined): string | undefined =>
  part !== undefined && "literal" in part ? part.literal : undefined;

const each = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
