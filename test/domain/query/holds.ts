/** Whether a clause holds for a document, by the rules of Lucene's language: so much of it as src/query/ writes. */

export type Fields = Readonly<Record<string, string | number>>;

const TOKEN =
  /\s*(?:(OR\b)|([+-]?)(?:(\))|(\()|filter\(\{!frange ([^}]*) v='sub\((\w+),(\w+)\)'\}\)|(\w+|\*):(?:"((?:[^"\\]|\\.)*)"|\[(\S+) TO (\S+)\]|((?:\\.|[^\s()\\])+))))/suy;

const unescaped = (text: string): string => text.replace(/\\(.)/gsu, "$1");

const within = (value: number, from: string, to: string): boolean =>
  (from === "*" || value >= Number(from)) && (to === "*" || value <= Number(to));

/** A term without quotes as the rule for the whole of a value. */
function pattern(term: string): RegExp {
  const parts = term.match(/\\.|[^\\]/gsu) ?? [];
  const source = parts.map((part) => {
    if (part === "*") return ".*";
    return part === "?" ? "." : unescaped(part).replace(/[^\w]/gu, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, "su");
}

/** A range of differences, as `frange` has it: `l=`, `u=` and `incu=false`. */
function inRange(value: number, range: string): boolean {
  const { l, u, incu } = Object.fromEntries(range.split(" ").map((part) => part.split("="))) as {
    [key: string]: string | undefined;
  };
  if (l === undefined && u === undefined) throw new Error(`a range without ends: ${range}`);
  const below = u === undefined || value < Number(u) || (incu !== "false" && value === Number(u));
  return below && (l === undefined || value >= Number(l));
}

type Rule = (document: Fields) => boolean;

function single(match: RegExpExecArray, group: () => Rule): Rule {
  const [, , , , open, range, over = "", under = "", field = "", quoted, from, to, term = ""] =
    match;
  if (open !== undefined) return group();
  if (range !== undefined) {
    return (document) => inRange(Number(document[over]) - Number(document[under]), range);
  }
  if (field === "*") return () => true;
  const shape = pattern(term);
  const value = quoted === undefined ? undefined : unescaped(quoted);
  return ({ [field]: has }) => {
    if (has === undefined) return false;
    if (value !== undefined) return String(has) === value;
    if (from !== undefined && to !== undefined) return within(Number(has), from, to);
    return shape.test(String(has));
  };
}

/**
 * The rule that a clause states.
 *
 * @throws Error for what is not of this language
 */
export function ruleOf(clause: string): Rule {
  const text = clause.replace(/^\{!cache=false\}/, "");
  let at = 0;

  /** All that is required and nothing that is forbidden; where nothing is required, any of the rest. */
  const group = (isOutermost = false): Rule => {
    const rules: Record<string, Rule[]> = { "+": [], "-": [], "": [] };
    while (at < text.length) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(text);
      if (match === null) throw new Error(`not of this language: ${text.slice(at)}`);
      at = TOKEN.lastIndex;
      const [, or, sign = "", close] = match;
      if (close !== undefined) break;
      if (or === undefined) rules[sign]?.push(single(match, () => group()));
    }
    const { "+": required = [], "-": forbidden = [], "": any = [] } = rules;
    // Solr adds all documents to what only forbids, but not within brackets.
    if (required.length + any.length === 0 && !(isOutermost && forbidden.length > 0)) {
      throw new Error(`finds nothing at all: ${text}`);
    }
    return (document) =>
      required.every((rule) => rule(document)) &&
      !forbidden.some((rule) => rule(document)) &&
      (any.length === 0 || required.length > 0 || any.some((rule) => rule(document)));
  };
  return group(true);
}

export const holds = (clause: string, document: Fields): boolean => ruleOf(clause)(document);
