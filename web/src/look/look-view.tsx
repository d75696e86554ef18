/** The first look at a dataset. */
import { useEffect } from "preact/hooks";
import { literally } from "../../../src/domain/search/lucene.js";
import { fileName } from "../../../src/domain/text/file-name.js";
import { href, place, resultsAddress } from "../address/address.js";
import { useAnswer, useJson } from "../service/answer.js";
import { type RequestOptions, send } from "../service/request.js";
import { words } from "../words/look.js";
import { words as shellWords } from "../words/shell.js";
import type { OpenDataset } from "./data/types.js";
import { DatasetView } from "./dataset/dataset-view.js";
import { Opened } from "./dataset/opened.js";
import { type LookAddress, readLookAddress } from "./look-address.js";

export function LookView() {
  const address = readLookAddress(place.value.query);
  const { id, file, flavour = "native", dataset: wholeName, minusFile } = address;
  const title = useTitle(address);
  const datasetName = useDatasetName(id === undefined ? file : undefined, flavour);
  const name = file === undefined ? title : fileName(file);
  const origin = { file, flavour, dataset: datasetName };
  const view = (dataset: OpenDataset, isWhole = false, other?: OpenDataset) => (
    <DatasetView
      key={dataset.header.id}
      dataset={dataset}
      name={isWhole ? wholeName : name}
      origin={origin}
      other={other && { dataset: other, name: fileName(minusFile ?? "") }}
    />
  );
  const render = (dataset: OpenDataset, isWhole?: boolean) =>
    minusFile === undefined ? (
      view(dataset, isWhole)
    ) : (
      <Opened
        of={{ file: minusFile, flavour }}
        render={(other) => view(dataset, isWhole, other)}
        otherwise={view(dataset, isWhole)}
      />
    );
  const back = (
    <p class="look-back">
      {datasetName && (
        <>
          <a
            href={href("dataset", new URLSearchParams({ dataset_id: datasetName, flavour }))}
            title={datasetName}
          >
            {words.toDataset}
          </a>
          {" · "}
        </>
      )}
      <a href={resultsAddress()}>{words.toSearch}</a>
    </p>
  );
  return (
    <div class="look">
      <h1>
        <span class={title === undefined ? undefined : "look-kind"}>{words.title}</span> {title}
      </h1>
      {id === undefined && file === undefined ? (
        <p>
          {words.nothing} <a href={resultsAddress()}>{words.toSearch}</a>
        </p>
      ) : (
        <>
          {back}
          <Opened
            key={id === undefined ? "file" : "data"}
            of={id === undefined ? { file: file ?? "", flavour, dataset: wholeName } : { id }}
            render={render}
          />
        </>
      )}
    </div>
  );
}

const DOCUMENTS = "/databrowser/extended-search/{flavour}/{uniq_key}";

/** The name of the dataset of a file, by the index. */
function useDatasetName(file: string | undefined, flavour: string): string | undefined {
  const options: RequestOptions = {
    in: { flavour, uniq_key: "file" },
    query: [
      ["file", literally(file ?? "")],
      ["multi-version", "true"],
      ["fields", "file,dataset_id"],
      ["limit", "1"],
    ],
  };
  const { value } = useJson(DOCUMENTS, file ? options : undefined);
  const { dataset_id } = value?.documents[0] ?? {};
  return typeof dataset_id === "string" ? dataset_id : undefined;
}

/** Also names the browser's tab. @returns undefined as long as it is unknown */
function useTitle({ id, file, dataset }: LookAddress): string | undefined {
  const found = useAnswer(file === undefined ? id : undefined, async (signal) => ({
    id,
    title: await pageTitle(id ?? "", signal),
  })).value;
  const title = dataset ?? (file === undefined ? found?.id === id && found?.title : fileName(file));
  const name = title || undefined;
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} · ${words.title} · ${shellWords.page}`;
  }, [name]);
  return name;
}

/** The title of the service's page about a stream: only there an identifier has the name that the index gives it. */
async function pageTitle(id: string, signal: AbortSignal): Promise<string> {
  const answer = await send("get", "/data-portal/zarr/{store}", {
    in: { store: `${id}.zarr` },
    headers: { Accept: "text/html" },
    signal,
  });
  // Only this element: the policy of this page forbids the style that the other one has, even in a parsed document.
  const [title = ""] = /<title>[^<]*<\/title>/.exec(await answer.text()) ?? [];
  return new DOMParser().parseFromString(title, "text/html").title;
}
