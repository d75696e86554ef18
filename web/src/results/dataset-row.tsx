// biome-ignore-all lint/a11y/useFocusableInteractive: a static table needs no focusable rows and cells
// biome-ignore-all lint/a11y/useSemanticElements: some browsers drop table semantics when a table is laid out as a grid
/** One dataset: name, coverage, files and actions. */
import { useComputed } from "@preact/signals";
import { useId } from "preact/hooks";
import { search } from "../address/address.js";
import { addToCart, datasetItem, inCart, searchItem } from "../cart/cart.js";
import { announce } from "../parts/announce.js";
import { byteText } from "../service/numbers.js";
import { words } from "../words/results.js";
import { ofDataset } from "./dataset-search.js";
import { type Dataset, isShowingFiles, showFiles } from "./datasets.js";
import { Files, lookAddress } from "./files.js";
import { type Stretch, stretchText } from "./stretch.js";
import type { TimeAxis } from "./time-axis.js";
import { TimeBar } from "./time-bar.js";

/** Up to this many versions, the cart gets the versions shown; above it, the newest. */
const MAX_VERSIONS = 10;
/** Versions shown in a row. */
const MAX_VERSIONS_SHOWN = 3;

interface Props {
  readonly dataset: Dataset;
  readonly flavour: string;
  readonly axis: TimeAxis | undefined;
}

/** Lets a name wrap after its dots. */
const broken = (name: string) =>
  name
    .split(".")
    .flatMap((part, index) => (index === 0 ? [part] : [".", <wbr key={index} />, part]));

function Name({ dataset }: { readonly dataset: Dataset }) {
  const { dataset_id, retracted, files, versions, version_count, storage, formats } = dataset;
  const isRetracted = retracted === files;
  const name = dataset_id === null ? words.unnamed : broken(dataset_id);
  const listed = versions.slice(0, MAX_VERSIONS_SHOWN).map(({ version }) => version);
  const facts = [
    ...(version_count > 0 ? [words.versions(listed, version_count)] : []),
    formats.map(({ format }) => format).join(", "),
    ...storage
      .filter(({ fs_type }) => fs_type !== "posix")
      .map(({ fs_type }) => words.archive(fs_type)),
  ];
  return (
    <>
      <span class="dataset-name">{isRetracted ? <s>{name}</s> : name}</span>
      <span class="dataset-facts">
        {retracted > 0 && (
          <strong class="retracted">
            {isRetracted ? words.retracted : words.partlyRetracted(retracted, files)}
          </strong>
        )}
        {facts.filter((fact) => fact !== "").join(" · ")}
      </span>
    </>
  );
}

/** The entry for the cart: the versions shown, or, for files without a dataset, the search. */
function itemOf({ dataset_id, files, bytes, versions, version_count }: Dataset, flavour: string) {
  const measured = { files, bytes };
  if (dataset_id === null) {
    const pairs = ofDataset(search.value.pairs, null);
    return searchItem({ flavour, pairs }, { ...measured, title: words.unnamed });
  }
  const pinned = version_count <= MAX_VERSIONS ? versions.map(({ version }) => version) : [];
  return datasetItem(flavour, dataset_id, pinned, measured);
}

function AddToCart({ dataset, flavour, name }: Omit<Props, "axis"> & { readonly name: string }) {
  const item = itemOf(dataset, flavour);
  const isIn = useComputed(() => inCart(item)).value;
  const add = (): void => announce(addToCart(item) === "full" ? words.full : words.isAdded);
  return (
    <button
      type="button"
      aria-disabled={isIn}
      aria-label={isIn ? words.addedName(name) : words.addName(name)}
      onClick={add}
    >
      {isIn ? words.added : words.add}
    </button>
  );
}

export function DatasetRow({ dataset, flavour, axis }: Props) {
  const panel = useId();
  const isOpen = useComputed(() => isShowingFiles(dataset)).value;
  const { dataset_id, files, bytes, sized_files, example } = dataset;
  const name = dataset_id ?? words.unnamed;
  return (
    <>
      <div class="dataset" role="row">
        <div role="rowheader">
          <Name dataset={dataset} />
        </div>
        <div role="cell" class="dataset-time">
          {axis && <TimeBar axis={axis} dataset={dataset} />}
          {periodTexts(dataset).map((text) => (
            <span key={text}>{text}</span>
          ))}
        </div>
        <div role="cell" class="dataset-size">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            aria-label={words.filesOf(files, name)}
            onClick={() => showFiles(dataset, !isOpen)}
          >
            {words.files(files)} <span aria-hidden="true">{isOpen ? "▴" : "▾"}</span>
          </button>
          {sized_files > 0 && <span>{words.bytes(byteText(bytes), sized_files === files)}</span>}
        </div>
        <div role="cell" class="dataset-actions">
          {example && (
            <a
              class="button"
              href={lookAddress(example.file, flavour)}
              aria-label={words.lookAt(name)}
            >
              {words.look}
            </a>
          )}
          <AddToCart dataset={dataset} flavour={flavour} name={name} />
        </div>
      </div>
      {isOpen && (
        <div class="dataset-files" role="row" id={panel}>
          <div role="cell" aria-colspan={4}>
            <Files flavour={flavour} dataset={dataset} />
          </div>
        </div>
      )}
    </>
  );
}

/** Gaps and overlaps listed one by one. */
const MAX_LISTED = 4;

const textOf = (stretch: Stretch): string => stretchText(stretch, words.open, words.to);

/** The whole period first. */
function periodTexts(dataset: Dataset): string[] {
  const { files, dated_files, start, end, periods, period_count, gaps } = dataset;
  const { overlaps, overlap_count } = dataset;
  if (dated_files === 0) return [words.noPeriod];
  const isConstant = periods.length === 1 && start === null && end === null;
  const texts = [isConstant ? words.constant : textOf({ start, end })];
  if (period_count > 1) {
    const listed = gaps.slice(0, MAX_LISTED).map(textOf);
    texts.push(words.gaps(listed, period_count - 1 - listed.length));
  }
  if (overlap_count > 0) {
    const listed = overlaps.slice(0, MAX_LISTED).map(textOf);
    texts.push(words.overlaps(listed, overlap_count - listed.length));
  }
  if (dated_files < files) texts.push(words.undated(files - dated_files));
  return texts;
}
