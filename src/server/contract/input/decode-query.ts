/**
 * Decodes query text into typed values, by each operation's table of parameters.
 *
 * Validators receive one or several strings for each key. This file decodes integers and booleans, accepts `-` and `_`
 * in parameter names, and collects filters for operations that take them: declared facets, any other key,
 * and the items of `filter`. Other spellings of clients are in query-forms.ts.
 */
import { z } from "@hono/zod-openapi";
import { type QueryText, queryTexts, routes } from "../../../../generated/routes.js";
import { TAKEN_BY } from "../../../../generated/words.js";
import { MAX_EXPLAINED, nearest } from "../../../domain/text/nearest-names.js";
import { truthOf } from "../../../domain/vocabulary/query-words.js";
import {
  FREE_FILTER,
  isTableName,
  NO_TABLE,
  plainKey,
  readTable,
  spread,
  Undecodable,
} from "./query-forms.js";

type QueryParameter = QueryText["parameters"][number];

interface IssueSink {
  addIssue(issue: { code: "custom"; message: string; path: string[]; input: unknown }): void;
}

const decoders: Record<string, (texts: readonly string[]) => unknown> = {
  array: (texts) => {
    const values = spread(texts);
    if (values.length === 0 || values.includes("")) throw new Undecodable("must not be empty");
    return values;
  },
  string: only,
  // Only if the contract allows an empty value.
  text: (texts) => (texts.length === 1 && texts[0] === "" ? "" : only(texts)),
  boolean: (texts) => {
    const truth = truthOf(only(texts));
    if (truth !== undefined) return truth;
    throw new Undecodable("must be a boolean: true/false, t/f, 1/0, yes/no or on/off");
  },
  integer: (texts) => {
    const text = only(texts);
    if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
    throw new Undecodable("must be an integer");
  },
};

function only(texts: readonly string[]): string {
  const [text, ...more] = texts;
  if (text === undefined || text === "") throw new Undecodable("must not be empty");
  if (more.length > 0) throw new Undecodable("must be given once only");
  return text;
}

const FREE_ITEM = /^([^=]+)=(.+)$/s;

const spelling = (name: string): string => name.replaceAll("-", "_");

type Routes = typeof routes;
type WithQuery = {
  [K in keyof Routes]: Routes[K]["request"] extends { query: z.ZodType } ? K : never;
}[keyof Routes];

/** The validator of an operation's query text: key -> text or texts. */
export function queryOf<K extends WithQuery>(id: K): Routes[K]["request"]["query"];
export function queryOf(id: keyof Routes): z.ZodType | undefined;
export function queryOf(id: keyof Routes): z.ZodType | undefined {
  const request: object = routes[id].request;
  const { query } = request as { readonly query?: z.ZodType<unknown, Record<string, unknown>> };
  const text = queryTexts[id];
  return query && text && z.unknown().transform(decodeQuery(text)).pipe(query);
}

/** Makes a function from key -> text or texts to parameter -> typed value. It reports each parameter that cannot be decoded. */
export function decodeQuery({ parameters, ignoresUnknown }: QueryText) {
  const declared = new Map(
    parameters.filter(({ kind }) => kind !== "filters").map((one) => [spelling(one.name), one]),
  );
  const filters = parameters.find(({ kind }) => kind === "filters");

  return (query: unknown, sink: IssueSink): Record<string, unknown> => {
    const report = (name: string, message: string, input: unknown): void =>
      sink.addIssue({ code: "custom", message, path: [name], input });
    const tryTo = (name: string, input: unknown, work: () => void): void => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof Undecodable)) throw error;
        report(name, error.message, input);
      }
    };
    const texts = new Map<QueryParameter, readonly string[]>();
    const others = new Map<string, readonly string[]>();
    let unknown = 0;
    const take = (key: string, values: readonly string[]): void => {
      const parameter = declared.get(spelling(key));
      if (ignoresUnknown && (!parameter || values.every((value) => value === ""))) return;
      if (parameter) texts.set(parameter, [...(texts.get(parameter) ?? []), ...values]);
      // Assigning `__proto__` sets an object's prototype instead of a member.
      else if (!filters || key === "__proto__") {
        report(key, unknownKey(key, parameters, unknown), values);
        unknown += 1;
      } else if (TAKEN.has(spelling(key))) report(key, takenElsewhere(key), values);
      else if (values.includes("")) report(key, "must not be empty", values);
      else others.set(key, [...(others.get(key) ?? []), ...values]);
    };
    const takeItem = (item: string): void => {
      const [, name = "", value = ""] = FREE_ITEM.exec(item) ?? [];
      if (name === "" || name === "__proto__") throw new Undecodable("must be name=value");
      if (declared.has(spelling(name))) {
        throw new Undecodable(`takes no ${name}, which is a parameter of its own`);
      }
      take(name, [value]);
    };
    for (const [written, value] of Object.entries(query as Record<string, string | string[]>)) {
      const values = typeof value === "string" ? [value] : value;
      const key = plainKey(written);
      if (!filters || !isTableName(key)) take(key, values);
      else if (values.includes("")) report(key, "must not be empty", values);
      else {
        for (const text of values) {
          tryTo(key, text, () => {
            const table = readTable(text);
            if (table) for (const [name, some] of table) take(name, some);
            else if (key === FREE_FILTER) spread([text]).forEach(takeItem);
            else throw new Undecodable(NO_TABLE);
          });
        }
      }
    }
    const decoded: Record<string, unknown> = {};
    for (const [{ name, kind }, values] of texts) {
      tryTo(name, values, () => {
        decoded[name] = (decoders[kind] ?? only)(values);
      });
    }
    if (filters) {
      const table: Record<string, unknown> = {};
      for (const [name, values] of others) {
        tryTo(name, values, () => {
          table[name] = decoders.array?.(values);
        });
      }
      decoded[filters.name] = table;
    }
    return decoded;
  };
}

/** By name with `_`, as no facet is called. */
const TAKEN = new Map([...TAKEN_BY].map(([name, operations]) => [spelling(name), operations]));

/** Why a parameter of other searches is refused, as a predicate. */
const takenElsewhere = (key: string): string =>
  `is not a parameter here; it is one of ${AND.format(TAKEN.get(spelling(key)) ?? [])}`;

const AND = new Intl.ListFormat("en", { type: "conjunction" });

/** @param before unknown keys that the same request has already */
function unknownKey(key: string, parameters: readonly QueryParameter[], before: number): string {
  if (before >= MAX_EXPLAINED) return "is not a parameter here";
  const names = nearest(
    key,
    parameters.map(({ name }) => name),
  );
  return names.length > 0
    ? `is not a parameter here; did you mean ${names.join(", ")}?`
    : "is not a parameter here; there is none";
}
