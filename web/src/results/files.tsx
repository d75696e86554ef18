/** The files of a dataset that the search finds, page by page. */
import { useState } from "preact/hooks";
import type { components } from "../../../generated/openapi.js";
import { STREAMED } from "../../../src/domain/vocabulary/data-formats.js";
import { href, search } from "../address/address.js";
import { fileItem } from "../cart/cart.js";
import { DownloadButton } from "../cart/file-download.js";
import { InCartButton } from "../cart/in-cart-button.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { ScrollingTable } from "../parts/scrolling.js";
import { writtenPeriod } from "../service/dates.js";
import { byteText } from "../service/numbers.js";
import { usePages } from "../service/pages.js";
import { getJson, type Pairs } from "../service/request.js";
import { currentUser } from "../service/session.js";
import { words } from "../words/results.js";
import { ofDataset } from "./dataset-search.js";
import type { Dataset } from "./datasets.js";
import { StacItem } from "./stac-item.js";

type Document = components["schemas"]["SearchedDocument"];

const PATH = "/databrowser/extended-search/{flavour}/{uniq_key}";
const PAGE = 50;
const FIELDS = "file,version,time,size,checksum,retracted,fs_type,format";

interface Found {
  readonly items: readonly Document[];
  readonly count: number;
  readonly after: string | null;
}

/** @param value `A to B` */
function timeText(value: unknown): string {
  if (typeof value !== "string") return "";
  return value === "* to *" ? words.constant : writtenPeriod(value);
}

/** Whether the search includes all versions: older files are then not in the default search. */
const isOfAll = (pairs: Pairs): boolean =>
  pairs.some(
    ([name, value]) => name.replace("_", "-") === "multi-version" && /^(?:t|1|y|on)/i.test(value),
  );

interface FileProps {
  readonly file: Document;
  readonly flavour: string;
  readonly isOfAll: boolean;
  readonly hasChecksum: boolean;
  /** Whether the service can read files of the dataset. */
  readonly isHere: boolean;
}

/** Whether a first look can open a file: on a disk, in a format that the service streams. */
const isStreamed = ({ fs_type, format }: Document): boolean =>
  (typeof fs_type !== "string" || fs_type.toLowerCase() === "posix") &&
  (typeof format !== "string" || STREAMED.has(format.toLowerCase()));

function FileRow({ file: document, flavour, isOfAll, hasChecksum, isHere }: FileProps) {
  const { file, version, time, size, checksum, retracted, fs_type } = document;
  const path = String(file);
  const bytes = typeof size === "number" ? size : undefined;
  const item = fileItem(flavour, path, isOfAll, { files: 1, bytes });
  const place = typeof fs_type === "string" && fs_type !== "posix" ? words.archive(fs_type) : "";
  return (
    <tr>
      <td>
        {retracted === true ? <s>{path}</s> : path}
        {retracted === true && <strong class="retracted">{words.retracted}</strong>}
        {place !== "" && <span class="far">{place}</span>}
        {hasChecksum && typeof checksum === "string" && (
          <span class="file-checksum quiet">{checksum}</span>
        )}
      </td>
      <td>{typeof version === "string" ? version : ""}</td>
      <td>{timeText(time)}</td>
      <td class="number">{typeof size === "number" ? byteText(size) : ""}</td>
      <td>
        <span class="row">
          <InCartButton item={item} />
          <DownloadButton search={item} name={path} kind="file" />
          {isHere && isStreamed(document) && (
            <a class="button" href={lookAddress(path, flavour)} aria-label={words.lookAt(path)}>
              {words.look}
            </a>
          )}
        </span>
      </td>
    </tr>
  );
}

interface Props {
  readonly flavour: string;
  readonly dataset: Dataset;
  /** The search that finds the files of datasets; by default that of the address. */
  readonly pairs?: Pairs;
  /** With checksums. */
  readonly isFull?: boolean;
}

export function Files({ flavour, dataset, pairs = search.value.pairs, isFull = false }: Props) {
  const [many, want] = useState(PAGE);
  const query = ofDataset(pairs, dataset.dataset_id);
  // Another search or user starts from the first page.
  const searchKey = JSON.stringify([flavour, query, currentUser.value?.name]);
  const { value, failure, busy, retry } = usePages<Found>(
    searchKey,
    many,
    async (before, signal) => {
      const page: Pairs = [
        ["fields", FIELDS],
        ["limit", String(PAGE)],
        ...(before?.after ? [["after", before.after] as const] : []),
      ];
      const options = { in: { flavour, uniq_key: "file" }, query: [...query, ...page], signal };
      const { documents, total_count: count, after } = await getJson(PATH, options);
      return { items: [...(before?.items ?? []), ...documents], count, after };
    },
  );
  if (failure) return <Failure failure={failure} retry={retry} />;
  if (value === undefined) return <Busy />;
  return (
    <>
      <ScrollingTable
        label={words.fileTable}
        columns={[
          words.file,
          words.version,
          words.period,
          { name: words.bytesOfFile, isNumber: true },
          { name: words.actions, isHidden: true },
        ]}
      >
        {value.items.map((file) => (
          <FileRow
            key={String(file.file)}
            file={file}
            flavour={flavour}
            isOfAll={isOfAll(pairs)}
            hasChecksum={isFull}
            isHere={dataset.example?.readable === true}
          />
        ))}
      </ScrollingTable>
      <p class="row">
        {words.filesShown(value.items.length, value.count)}
        {value.after !== null && (
          <button
            type="button"
            aria-disabled={busy}
            onClick={() => !busy && want(value.items.length + PAGE)}
          >
            {words.moreFiles}
          </button>
        )}
      </p>
      {!isFull && dataset.dataset_id !== null && flavour !== "user" && (
        <StacItem dataset={dataset} />
      )}
    </>
  );
}

/** The address of the first look at a file. */
export const lookAddress = (file: string, flavour: string): string =>
  href("look", new URLSearchParams({ look_file: file, flavour }));

/** The first look at all files of a dataset as one; at the example where they cannot be joined. */
export const datasetLookAddress = (dataset: string, file: string, flavour: string): string =>
  href("look", new URLSearchParams({ look_dataset: dataset, look_file: file, flavour }));
