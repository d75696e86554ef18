// biome-ignore-all lint/a11y/useFocusableInteractive: a static table needs no focusable rows and cells
// biome-ignore-all lint/a11y/useSemanticElements: some browsers drop table semantics when a table is laid out as a grid
/** One dataset: what it is, coverage, files and actions. */
import { useComputed } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import { href, search } from "../address/address.js";
import { addToCart, datasetItem, inCart, searchItem } from "../cart/cart.js";
import { DownloadButton } from "../cart/file-download.js";
import { announce } from "../parts/announce.js";
import { ShortFailure } from "../parts/failure.js";
import { Icon } from "../parts/icon.js";
import type { FirstNames } from "../service/facet-names.js";
import { byteText } from "../service/numbers.js";
import { words } from "../words/results.js";
import { canLook, farStorage, namesOf } from "./dataset-names.js";
import { ofDataset } from "./dataset-search.js";
import { type Dataset, isShowingFiles, showFiles } from "./datasets.js";
import { datasetLookAddress, Files, lookAddress } from "./files.js";
import { periodTexts } from "./period-texts.js";
import type { TimeAxis } from "./time-axis.js";
import { TimeBar } from "./time-bar.js";

/** Up to this many versions, the cart gets the versions shown; above it, or if files have none, the newest. */
const MAX_VERSIONS = 10;
/** Versions shown in a row. */
const MAX_VERSIONS_SHOWN = 3;

interface Props {
  readonly dataset: Dataset;
  readonly flavour: string;
  readonly first: FirstNames;
  readonly axis: TimeAxis | undefined;
}

/** The address of a dataset's own page. */
const datasetAddress = (name: string, flavour: string): string =>
  href("dataset", new URLSearchParams({ dataset_id: name, flavour }));

const versionText = ({ versions, version_count }: Dataset): string =>
  words.versions(
    versions.slice(0, MAX_VERSIONS_SHOWN).map(({ version }) => version),
    version_count,
  );

/** How much was withdrawn, if anything. */
export const Retracted = ({ retracted, files }: Pick<Dataset, "retracted" | "files">) =>
  retracted === 0 ? null : (
    <strong class="retracted">
      {retracted === files ? words.retracted : words.partlyRetracted(retracted, files)}
    </strong>
  );

/** Marks of what is unusual: withdrawn, or on tape. */
export function Marks({ dataset }: { readonly dataset: Dataset }) {
  return (
    <>
      <Retracted {...dataset} />
      {farStorage(dataset).map((type) => (
        <span key={type} class="far">
          {words.archive(type)}
        </span>
      ))}
    </>
  );
}

function Title({ dataset, flavour, first }: Omit<Props, "axis">) {
  const { dataset_id: id, retracted, files } = dataset;
  const { variable, variableName } = namesOf(dataset, first);
  if (id === null) return <span class="dataset-title">{words.unnamed}</span>;
  const isRetracted = retracted === files;
  const said = variableName === "" ? variable : variableName;
  const facts = [id, versionText(dataset)].filter((one) => one !== "").join(" · ");
  const name = isRetracted ? <s>{facts}</s> : facts;
  return (
    <>
      <a class="dataset-link" href={datasetAddress(id, flavour)}>
        {said !== "" && (
          <span class="dataset-title">
            {said} {variableName !== "" && <code>{variable}</code>}
          </span>
        )}
        <span class={said === "" ? "dataset-name dataset-title" : "dataset-name"} title={id}>
          {name}
        </span>
      </a>
      <span class="dataset-marks">
        <Marks dataset={dataset} />
      </span>
    </>
  );
}

/** The entry for the cart: the versions shown, or, for files without a dataset, the search. */
function itemOf({ dataset_id, files, bytes, versions, version_count }: Dataset, flavour: string) {
  const { pairs } = search.value;
  const measured = { files, bytes };
  if (dataset_id === null) {
    const others = ofDataset(pairs, null);
    return searchItem({ flavour, pairs: others }, { ...measured, title: words.unnamed });
  }
  // A pinned entry would lack files without a version, which are always found.
  const versioned = versions.reduce((sum, version) => sum + version.files, 0);
  const isPinned = version_count <= MAX_VERSIONS && versioned === files;
  const pinned = isPinned ? versions.map(({ version }) => version) : [];
  // A search with constraints may find a part of the dataset: the cart counts the whole.
  return datasetItem(flavour, dataset_id, pinned, pairs.length === 0 ? measured : undefined);
}

export function AddToCart({
  dataset,
  flavour,
  name,
  isWritten = false,
}: Pick<Props, "dataset" | "flavour"> & {
  readonly name: string;
  /** With words beside the icon. */
  readonly isWritten?: boolean;
}) {
  const item = itemOf(dataset, flavour);
  const isIn = useComputed(() => inCart(item)).value;
  const [isFull, setFull] = useState(false);
  const add = (): void => {
    const isRefused = addToCart(item) === "full";
    setFull(isRefused);
    if (!isRefused) announce(words.isAdded);
  };
  const said = isIn ? words.added : words.add;
  return (
    <>
      <button
        type="button"
        class={isIn ? "is-in" : undefined}
        aria-disabled={isIn}
        aria-label={isIn ? words.addedName(name) : words.addName(name)}
        title={said}
        onClick={add}
      >
        <Icon of={isIn ? "check" : "cart"} /> {isWritten && said}
      </button>
      <ShortFailure text={isFull ? words.full : undefined} />
    </>
  );
}

/** Model and experiment, frequency and member. */
function Origin({ dataset, first }: Pick<Props, "dataset" | "first">) {
  const { model, experiment, member, frequency } = namesOf(dataset, first);
  const line = (...parts: readonly string[]): string =>
    parts.filter((part) => part !== "").join(" · ");
  return (
    <>
      <span>{line(model, experiment)}</span>
      <span class="quiet">{line(frequency, member)}</span>
    </>
  );
}

export function DatasetRow({ dataset, flavour, first, axis }: Props) {
  const panel = useId();
  const isOpen = useComputed(() => isShowingFiles(dataset)).value;
  const { dataset_id, files, bytes, sized_files, example } = dataset;
  const name = dataset_id ?? words.unnamed;
  const pairs = ofDataset(search.value.pairs, dataset_id);
  const [period, ...more] = periodTexts(dataset);
  const size = sized_files > 0 && words.bytes(byteText(bytes), sized_files === files);
  return (
    <>
      <div class="dataset" role="row">
        <div role="rowheader">
          <Title dataset={dataset} flavour={flavour} first={first} />
        </div>
        <div role="cell" class="dataset-origin">
          <Origin dataset={dataset} first={first} />
        </div>
        <div role="cell" class="dataset-time">
          {axis && <TimeBar axis={axis} dataset={dataset} />}
          <span title={[period, ...more].join(", ")}>
            {period}
            {more.length > 0 && <em>{` · ${more.join(" · ")}`}</em>}
          </span>
        </div>
        <div role="cell" class="dataset-size">
          <button
            type="button"
            class="plain"
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            aria-label={words.filesOf(files, name)}
            onClick={() => showFiles(dataset, !isOpen)}
          >
            {words.files(files)} <Icon of={isOpen ? "fewer" : "more"} />
          </button>
          {size && <span class="quiet">{size}</span>}
        </div>
        <div role="cell" class="dataset-actions">
          {example && canLook(dataset) && (
            <a
              class="button"
              href={
                dataset_id !== null && files > 1
                  ? datasetLookAddress(dataset_id, example.file, flavour)
                  : lookAddress(example.file, flavour)
              }
              aria-label={words.lookAt(name)}
              title={words.look}
            >
              <Icon of="globe" />
            </a>
          )}
          <DownloadButton search={{ flavour, pairs }} name={name} kind="script" icon="download" />
          <AddToCart dataset={dataset} flavour={flavour} name={name} />
        </div>
      </div>
      {isOpen && (
        <div class="dataset-files" role="row" id={panel}>
          <div role="cell" aria-colspan={5}>
            <Files flavour={flavour} dataset={dataset} />
          </div>
        </div>
      )}
    </>
  );
}
