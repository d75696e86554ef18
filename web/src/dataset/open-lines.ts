/** Python code that opens a dataset. */

/** JSON strings are valid in Python. */
const quoted = (text: string): string => JSON.stringify(text);

/**
 * A script that opens all files of a dataset as one, read chunk by chunk.
 *
 * @param address of the operation that gives the addresses of the zarr streams
 * @param files number of files
 */
export function openLines(address: string, pattern: string, files: number): string {
  return [
    "import os",
    "import requests",
    "import xarray as xr",
    "",
    `headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}`,
    "answer = requests.get(",
    `    ${quoted(address)},`,
    `    params={"dataset_id": ${quoted(pattern)}},`,
    `    headers={**headers, "Accept": "text/plain"},`,
    ")",
    "answer.raise_for_status()",
    `parts = [xr.open_zarr(url, storage_options={"headers": headers}) for url in answer.text.split()]`,
    files === 1
      ? "dataset = parts[0]"
      : `dataset = xr.combine_by_coords(parts, combine_attrs="drop_conflicts")`,
    "print(dataset)",
    "",
  ].join("\n");
}
