/**
 * Converts documents into the entries of a self-contained static STAC catalogue.
 *
 * The collection comes last, when its extent and summaries are known. Its links to the items are in a spool, not in
 * memory.
 */
import type { DocumentBatches } from "../../../index/export/export.js";
import {
  type CatalogueSource,
  type Column,
  catalogueName,
  columns,
  operationAddress,
  searchInWords,
  valuesOf,
} from "../catalogue.js";
import { Spool } from "../streams/spool.js";
import type { ZipEntry } from "../streams/zip.js";
import { Extent } from "./extent.js";
import { ITEM_FIELDS, item, STAC_VERSION } from "./item.js";

const COLLECTION = "collection";

/** Maximum of values of a facet in the summaries; a facet with more is omitted. */
const MAX_SUMMARY = 1000;

export function stacFields(source: CatalogueSource): string[] {
  const facets = columns(source).map(({ field }) => field);
  return [...new Set([...ITEM_FIELDS, source.key, ...facets])];
}

class Summaries {
  readonly #values = new Map<string, Set<string>>();
  readonly #columns: readonly Column[];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    for (const { name } of columns) this.#values.set(name, new Set());
  }

  add(document: Readonly<Record<string, unknown>>): void {
    for (const { field, name } of this.#columns) {
      const known = this.#values.get(name);
      if (!known || known.size > MAX_SUMMARY) continue;
      for (const value of valuesOf(document, field)) known.add(value);
    }
  }

  json(): object {
    const named = [...this.#values].filter(([, { size }]) => size > 0 && size <= MAX_SUMMARY);
    return Object.fromEntries(named.map(([name, values]) => [name, [...values].sort()]));
  }
}

function catalog(source: CatalogueSource): object {
  return {
    type: "Catalog",
    stac_version: STAC_VERSION,
    id: catalogueName(source),
    title: `climate-nextgen: ${source.flavour.name}`,
    description: `${searchInWords(source)}.`,
    links: [
      { rel: "root", href: "./catalog.json", type: "application/json" },
      { rel: "child", href: `./${COLLECTION}/collection.json`, type: "application/json" },
    ],
  };
}

function collectionHead(source: CatalogueSource, extent: Extent, summaries: Summaries): object {
  const values = source.filters.map(([, value]) => value);
  return {
    type: "Collection",
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id: catalogueName(source),
    title: `climate-nextgen: ${source.flavour.name}`,
    description: `${searchInWords(source)}.`,
    license: "other",
    keywords: [...new Set([source.flavour.name, ...values])],
    extent: {
      spatial: { bbox: [extent.bbox()] },
      temporal: { interval: [extent.interval()] },
    },
    summaries: summaries.json(),
    ...(source.searches === undefined && {
      assets: {
        intake: {
          href: operationAddress(source, "createIntakeCatalogue"),
          title: "intake-esm catalogue of this search",
          type: "application/json",
          roles: ["metadata"],
        },
      },
    }),
  };
}

const UPWARDS = [
  { rel: "root", href: "../catalog.json", type: "application/json" },
  { rel: "parent", href: "../catalog.json", type: "application/json" },
];

function collectionLinks(source: CatalogueSource): object[] {
  // No address finds the contents of a cart.
  if (source.searches !== undefined) return UPWARDS;
  return [
    ...UPWARDS,
    {
      rel: "via",
      href: operationAddress(source, "searchMetadata"),
      type: "application/json",
      title: "The search that made this catalogue, as counts of facet values",
    },
    {
      rel: "via",
      href: operationAddress(source, "searchData"),
      type: "text/plain",
      title: "The search that made this catalogue, as a list",
    },
  ];
}

async function* collection(
  head: object,
  links: readonly object[],
  items: Spool,
): AsyncGenerator<Uint8Array, void, undefined> {
  const text = JSON.stringify(links);
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"links":${text.slice(0, -1)}`);
  yield* items.read();
  yield Buffer.from("]}\n");
}

/** The catalogue's entries, with their paths in the archive. */
export async function* stacArchive(
  batches: DocumentBatches,
  source: CatalogueSource,
): AsyncGenerator<readonly ZipEntry[], void, undefined> {
  const facets = columns(source);
  const extent = new Extent();
  const summaries = new Summaries(facets);
  const links = new Spool();
  const id = catalogueName(source);
  try {
    yield [{ name: "catalog.json", data: JSON.stringify(catalog(source)) }];
    for await (const documents of batches) {
      let added = "";
      const entries = documents.map((document): ZipEntry => {
        const { id: itemId, json, box, interval } = item(document, facets, source, id);
        extent.add(box, interval);
        summaries.add(document);
        const link = { rel: "item", href: `./items/${itemId}.json`, type: "application/geo+json" };
        added += `,\n${JSON.stringify(link)}`;
        return { name: `${COLLECTION}/items/${itemId}.json`, data: JSON.stringify(json) };
      });
      await links.write(Buffer.from(added));
      yield entries;
    }
    const head = collectionHead(source, extent, summaries);
    const data = collection(head, collectionLinks(source), links);
    yield [{ name: `${COLLECTION}/collection.json`, data }];
  } finally {
    await links.close();
  }
}
