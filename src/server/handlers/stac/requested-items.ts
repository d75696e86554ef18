/** Reads a search for items, from a query or from a body. */
import { readJsonFilter } from "../../../domain/cql2/read-json.js";
import { readTextFilter } from "../../../domain/cql2/read-text.js";
import { invalidParameter } from "../../../domain/errors.js";
import { boxesOf, readGeometry } from "../../../domain/extent/geometry.js";
import { Unreadable } from "../../../domain/extent/period.js";
import type { ItemSearchInput } from "../../../domain/stac/item-search.js";
import { readQuery } from "../../../domain/stac/read-query.js";
import { isObject, type JsonObject } from "../../../domain/text/json-object.js";
import type { Request } from "../../contract/operation.js";
import type { ChosenParts } from "../../formats/stac-api/chosen-parts.js";

type Location = "query" | "body";

export interface ItemPaging {
  /** The part of the request with these parameters. */
  readonly location: Location;
  readonly limit: number;
  readonly token: string | undefined;
  /** Properties with their direction, the first one first. */
  readonly sortby: readonly { readonly property: string; readonly isDescending: boolean }[];
  readonly fields: ChosenParts | undefined;
}

type Query = Omit<Request<"stacSearch">["query"], "limit" | "token" | "sortby" | "fields">;
type PagingQuery = Pick<Request<"stacSearch">["query"], "limit" | "token" | "sortby" | "fields">;
type SearchBody = Omit<Request<"postStacSearch">["body"], "limit" | "token" | "sortby" | "fields">;
type Body = SearchBody & Pick<Request<"postStacAggregate">["body"], "filter_exp">;

export const MAX_LIMIT = 1000;
/** The default of the contract. */
export const USUAL_LIMIT = 10;
const MAX_IDS = 1000;
const MAX_SORT_KEYS = 10;

/** Does work on a part; text that cannot be read is an issue of it. */
export function reading<T>(name: string, location: Location, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unreadable) throw invalidParameter(name, error.message, location);
    throw error;
  }
}

/** The same for parts that may be left out. */
const readerOf =
  (location: Location) =>
  <T, V>(name: string, value: V | undefined, work: (value: V) => T): T | undefined =>
    value === undefined ? undefined : reading(name, location, () => work(value));

const listed = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable("is not JSON");
  }
}

function object(text: string): JsonObject {
  const value = json(text);
  if (!isObject(value)) throw new Unreadable("must be a JSON object");
  return value;
}

function numbers(text: string): number[] {
  const parts = text.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i.test(part))) {
    throw new Unreadable("must be four numbers, west,south,east,north, or six with heights");
  }
  return parts.map(Number);
}

function checked(input: ItemSearchInput, location: Location): ItemSearchInput {
  const { bbox, intersects, ids = [] } = input;
  if (bbox !== undefined && intersects !== undefined) {
    throw invalidParameter("intersects", "cannot be given together with bbox", location);
  }
  if (bbox !== undefined) reading("bbox", location, () => boxesOf(bbox));
  if (ids.length > MAX_IDS)
    throw invalidParameter("ids", `must have at most ${MAX_IDS} ids`, location);
  return input;
}

export function searchOfQuery(
  query: Query,
  more: Pick<ItemSearchInput, "collections" | "isStrict"> = {},
): ItemSearchInput {
  const { collections, ids, bbox, datetime, intersects, q, filter, query: conditions } = query;
  const language = query["filter-lang"];
  const read = readerOf("query");
  return checked(
    {
      collections: collections === undefined ? undefined : listed(collections),
      ids: ids === undefined ? undefined : listed(ids),
      bbox: read("bbox", bbox, numbers),
      datetime,
      intersects: read("intersects", intersects, (text) => readGeometry(json(text))),
      q: q === undefined ? undefined : listed(q),
      filter: read("filter", filter, (text) =>
        language === "cql2-json" ? readJsonFilter(json(text)) : readTextFilter(text),
      ),
      query: read("query", conditions, (text) => readQuery(object(text))),
      ...more,
    },
    "query",
  );
}

export function searchOfBody(
  body: Body,
  more: Pick<ItemSearchInput, "collections" | "isStrict"> = {},
): ItemSearchInput {
  const { collections, ids, bbox, datetime, intersects, q, filter, filter_exp, query } = body;
  if (filter !== undefined && filter_exp !== undefined) {
    const reason = "cannot be given together with filter, which it stands for";
    throw invalidParameter("filter_exp", reason, "body");
  }
  const read = readerOf("body");
  return checked(
    {
      collections,
      ids,
      bbox,
      datetime,
      intersects: read("intersects", intersects, readGeometry),
      // metagrid sends an empty list where no words are typed.
      q: q === undefined || q.length === 0 ? undefined : q.flatMap(listed),
      // Clients leave filter-lang out, or send text as they do by GET.
      filter: read(filter === undefined ? "filter_exp" : "filter", filter ?? filter_exp, (value) =>
        typeof value === "string" ? readTextFilter(value) : readJsonFilter(value),
      ),
      query: read("query", query, readQuery),
      ...more,
    },
    "body",
  );
}

/** A name with a sign; a plus in an address that is not encoded arrives as a blank. */
const signed = (text: string) => ({
  name: text.replace(/^[+-]/, ""),
  isNegative: text.startsWith("-"),
});

export function pagingOfQuery({ limit, token, sortby, fields }: PagingQuery): ItemPaging {
  const keys = listed(sortby ?? "").map(signed);
  if (keys.length > MAX_SORT_KEYS) {
    throw invalidParameter("sortby", `must have at most ${MAX_SORT_KEYS} properties`);
  }
  const parts = fields === undefined ? undefined : listed(fields).map(signed);
  const namesOf = (isNegative: boolean): string[] =>
    (parts ?? []).filter((part) => part.isNegative === isNegative).map(({ name }) => name);
  const [include, exclude] = [namesOf(false), namesOf(true)];
  return {
    location: "query",
    limit: Math.min(limit, MAX_LIMIT),
    token,
    sortby: keys.map(({ name, isNegative }) => ({ property: name, isDescending: isNegative })),
    fields: parts && { ...(include.length > 0 && { include }), exclude },
  };
}

export function pagingOfBody({
  limit = USUAL_LIMIT,
  token,
  sortby = [],
  fields,
}: Request<"postStacSearch">["body"]): ItemPaging {
  return {
    location: "body",
    limit: Math.min(limit, MAX_LIMIT),
    token,
    sortby: sortby.map(({ field, direction }) => ({
      property: field,
      isDescending: direction === "desc",
    })),
    fields,
  };
}
