/** How to use a dataset elsewhere: code that opens it, catalogues, and requests. */
import { literally } from "../../../src/domain/search/lucene.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { CopyButton } from "../parts/code/copy-button.js";
import { FileLink } from "../parts/file-link.js";
import { Code } from "../parts/scrolling.js";
import { canLook } from "../results/dataset-names.js";
import type { Dataset } from "../results/datasets.js";
import { StacItem } from "../results/stac-item.js";
import { codeRequest } from "../service/code-request.js";
import { addressOf, type RequestOptions } from "../service/request.js";
import { words } from "../words/dataset.js";
import { datasetPairs } from "./facts.js";

interface Props {
  readonly name: string;
  readonly flavour: string;
  readonly dataset: Dataset;
}

/** The place for everything that opens the whole dataset at once. */
export function OpenWhole({ name, flavour, dataset }: Props) {
  const load = addressOf("/databrowser/load/{flavour}", { in: { flavour } });
  const text = openLines(load, literally(name));
  return (
    <section class="panel" aria-labelledby="open-heading">
      <h2 id="open-heading">{words.open}</h2>
      {canLook(dataset) ? (
        <>
          <p class="quiet">{words.openNeeds}</p>
          <CopyButton text={text} name={words.copyOpen} />
          <Code text={text} />
        </>
      ) : (
        <p>{words.notStreamed}</p>
      )}
    </section>
  );
}

export function Catalogues({ name, flavour, dataset }: Props) {
  const query = datasetPairs(name);
  const listed: RequestOptions = { in: { flavour, uniq_key: "file" }, query };
  return (
    <section class="panel" aria-labelledby="catalogues-heading">
      <h2 id="catalogues-heading">{words.catalogues}</h2>
      <p>
        <FileLink
          file="catalogue.json"
          path="/databrowser/intake-catalogue/{flavour}/{uniq_key}"
          options={listed}
        >
          {words.intake}
        </FileLink>
      </p>
      {flavour !== "user" && <StacItem dataset={dataset} />}
      <CodeLines
        requests={[
          codeRequest(words.codeDataset, "/databrowser/datasets/{flavour}", {
            in: { flavour },
            query,
          }),
          codeRequest(words.codeFiles, "/databrowser/data-search/{flavour}/{uniq_key}", listed, {
            answer: "text",
          }),
        ]}
      />
    </section>
  );
}

/** JSON strings are valid in Python. */
const quoted = (text: string): string => JSON.stringify(text);

/**
 * A script that opens all files of a dataset as one, read chunk by chunk.
 *
 * @param address of the operation that gives the addresses of the zarr streams
 * @param pattern finds the dataset by its name
 */
function openLines(address: string, pattern: string): string {
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
