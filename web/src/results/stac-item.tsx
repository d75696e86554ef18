/** A dataset in the STAC API: its item, and Python code that gets it. */
import { CopyButton } from "../parts/code/copy-button.js";
import { Code } from "../parts/scrolling.js";
import { addressOf } from "../service/request.js";
import { words } from "../words/results.js";
import { datasetFilter, pystacLines } from "./pystac-lines.js";

export function StacItem({ name }: { readonly name: string }) {
  const filter = datasetFilter(name);
  const text = pystacLines(addressOf("/stac"), filter);
  return (
    <>
      <p>
        <a href={addressOf("/stac/search", { query: [["filter", filter]] })}>{words.stacItem}</a>
      </p>
      <details class="code-lines">
        <summary>{words.stacCode}</summary>
        <CopyButton text={text} />
        <Code text={text} />
      </details>
    </>
  );
}
