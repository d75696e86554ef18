/** Python code that finds a dataset in the STAC API. */

/** The filter that finds a dataset, in CQL2 text. */
export const datasetFilter = (name: string): string =>
  `dataset_id = '${name.replaceAll("'", "''")}'`;

/** @returns a script for pystac-client that prints the item's id and assets */
export function pystacLines(address: string, filter: string): string {
  // JSON strings are valid in Python.
  return [
    "from pystac_client import Client",
    "",
    `catalog = Client.open(${JSON.stringify(address)})`,
    "search = catalog.search(",
    `    filter=${JSON.stringify(filter)},`,
    `    filter_lang="cql2-text",`,
    ")",
    "for item in search.items():",
    "    print(item.id, list(item.assets))",
    "",
  ].join("\n");
}
