/** Python code that opens a dataset. */

/** JSON strings are valid in Python. */
const quoted = (text: string): string => JSON.stringify(text);

/**
 * A script that opens all files of a dataset as one, read chunk by chunk.
 *
 * @param address of the operation that gives the addresses of the zarr streams
 * @param pattern finds the dataset by its name
 */
export function openLines(address: string, pattern: string): string {
  return [
    "import os",
    "import requests",
    "import xarray as xr",
    "",
    `headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}`,
    "answer = requests.get(",
    `    ${quoted(address)},`,
    `    params={"dataset_id": ${quoted(pattern)}, "join": "dataset"},`,
    `    headers={**headers, "Accept": "text/plain"},`,
    ")",
    "answer.raise_for_status()",
    `dataset = xr.open_zarr(answer.text.strip(), storage_options={"headers": headers})`,
    "print(dataset)",
    "",
  ].join("\n");
}
