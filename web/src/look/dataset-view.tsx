/** An open dataset: its drawn variable, and its header. */
import { useMemo, useState } from "preact/hooks";
import { change, place } from "../address/address.js";
import { Busy } from "../parts/busy.js";
import { useAnswer } from "../service/answer.js";
import { words } from "../words/look.js";
import type { OpenDataset, Variable } from "./data/types.js";
import { Elsewhere } from "./elsewhere.js";
import { HeaderTree } from "./header/header-tree.js";
import { put, readLookAddress } from "./look-address.js";
import { LookFailure } from "./look-failure.js";
import { VariableChoice } from "./picture/controls.js";
import { type Slice, Slices } from "./picture/picture.js";
import { SliceView } from "./picture/slice-view.js";
import { useDelayedParameter } from "./use-delayed-parameter.js";
import { allVariables, datasetName, drawable, firstOf } from "./variables.js";

export function DatasetView({ dataset }: { readonly dataset: OpenDataset }) {
  const { header } = dataset;
  const { show } = readLookAddress(place.value.query);
  const [index = "", setIndex] = useDelayedParameter("index");
  const variables = useMemo(() => drawable(header), [header]);
  const slices = useMemo(() => new Slices(dataset), [dataset]);
  const [isClose, setClose] = useState(false);
  const variable =
    show === undefined ? firstOf(variables) : variables.find(({ path }) => path === show);
  const key =
    variable === undefined ? undefined : JSON.stringify([header.id, variable.path, index, isClose]);
  const { value, failure, busy, retry } = useAnswer(key, (signal) =>
    slices.read(variable as Variable, index.split(","), isClose, signal),
  );
  const choose = (chosen: Variable): void => {
    const former = value?.indexes ?? {};
    change((query) =>
      put(query, {
        show: chosen.path,
        // Sliders keep their place if the other variable has the same dimension.
        index: chosen.dimensions.map((name) => former[name] ?? 0).join(","),
        range: undefined,
      }),
    );
  };
  const slice: Slice | undefined = value?.variable.path === variable?.path ? value : undefined;
  return (
    <>
      <p class="quiet look-name">{datasetName(header)}</p>
      <div class="look-parts">
        <div class="look-main">
          {variables.length > 0 && (
            <VariableChoice variables={variables} chosen={variable} choose={choose} />
          )}
          {variable === undefined && <p role="status">{missing(header, show, variables.length)}</p>}
          {failure && <LookFailure failure={failure} retry={retry} />}
          {slice === undefined && busy && variable !== undefined && (
            <Busy of={words.reading(variable.path)} />
          )}
          {slice && (
            <SliceView
              key={slice.variable.path}
              dataset={dataset}
              slice={slice}
              busy={busy}
              index={index}
              setIndex={setIndex}
              setClose={setClose}
            />
          )}
        </div>
        <aside class="look-side">
          <section class="panel" aria-labelledby="header-heading">
            <h2 id="header-heading">{words.header}</h2>
            <HeaderTree
              dataset={header}
              drawable={variables}
              shown={variable?.path}
              show={choose}
            />
          </section>
          <Elsewhere id={header.id} />
        </aside>
      </div>
    </>
  );
}

/** Why nothing is drawn. */
function missing(header: OpenDataset["header"], show: string | undefined, count: number): string {
  if (count === 0) return words.noVariables;
  const known = allVariables(header).some(({ path }) => path === show);
  return known ? words.noPicture : words.noSuchVariable(show ?? "");
}
