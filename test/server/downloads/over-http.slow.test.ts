/** xarray opens files over HTTP by ranges, with h5netcdf over fsspec, and gets what is in the files. */

import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { usePerson, useService } from "../../support/service/use-service.js";

const SCRIPT = `
import sys, fsspec, requests, xarray
api, token, root = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
query = {"catalogue-type": "intake", "location": "https", "format": "nc", "dataset": "sample"}
rows = requests.get(f"{api}/databrowser/load/native", query, headers=headers).json()["catalog_dict"]
local = requests.get(f"{api}/databrowser/data-search/native/file", {"format": "nc", "dataset": "sample"}).text.split("\\n")[:-1]
assert len(rows) == len(local)
count = 0
for row, path in zip(rows, local):
    with open(path, "rb") as file:
        # h5netcdf reads HDF5 only.
        if file.read(4) != b"\\x89HDF":
            continue
    with fsspec.open(row["file"], client_kwargs={"headers": headers}, block_size=4096) as file:
        with xarray.open_dataset(file, engine="h5netcdf") as far, xarray.open_dataset(path, engine="h5netcdf") as near:
            xarray.testing.assert_identical(far.load(), near.load())
    count += 1
print(count)
`;

const service = useService({ documents: "sample" });
const ada = usePerson(service);

it("programs read 20 files by ranges as they are on the disk", async () => {
  const api = `${service.address}/api/climate-nextgen`;
  const before = service.log.length;
  const count = Number(await runPython(["-c", SCRIPT, api, ada.token, packagePath("data")]));
  expect(count).toBeGreaterThanOrEqual(20);
  const reads = service.log.slice(before).filter((line) => line.includes('"operation":"readFile"'));
  expect(reads.filter((line) => line.includes('"status":206')).length).toBeGreaterThan(count);
}, 300_000);
