/** An open dataset: its drawn variable, and its header. */
import { useMemo, useState } from "preact/hooks";
import { change, place } from "../../address/address.js";
import { Busy } from "../../parts/busy.js";
import { useAnswer } from "../../service/answer.js";
import { words } from "../../words/look.js";
import { UnreadableData } from "../data/failures.js";
import type { OpenDataset, Variable } from "../data/types.js";
import { Elsewhere } from "../elsewhere.js";
import { HeaderTree } from "../header/header-tree.js";
import { put, readLookAddress } from "../look-address.js";
import { LookFailure } from "../look-failure.js";
import type { Origin } from "../picture/compare.js";
import { VariableChoice } from "../picture/controls.js";
import { inUnits, type Minus, type Slice, Slices } from "../picture/picture.js";
import { SliceView } from "../picture/slice/slice-view.js";
import { conversionOf } from "../picture/units.js";
import { useDelayedParameter } from "../use-delayed-parameter.js";
import { allVariables, datasetName, drawable, firstOf } from "../variables.js";

interface Props {
  readonly dataset: OpenDataset;
  /** Name of the file; undefined if the address of the page does not contain it. */
  readonly name: string | undefined;
  readonly origin: Origin;
  /** Other data, whose values are subtracted. */
  readonly other?: { readonly dataset: OpenDataset; readonly name: string } | undefined;
}

export function DatasetView({ dataset, name, origin, other }: Props) {
  const { header } = dataset;
  const { show, units, isMean, minus } = readLookAddress(place.value.query);
  const [index = "", setIndex] = useDelayedParameter("index");
  const variables = useMemo(() => drawable(header), [header]);
  const slices = useMemo(() => new Slices(dataset), [dataset]);
  const others = useMemo(() => other && new Slices(other.dataset), [other?.dataset]);
  const [isClose, setClose] = useState(false);
  const variable =
    show === undefined ? firstOf(variables) : variables.find(({ path }) => path === show);
  const asked = [
    header.id,
    variable?.path,
    index,
    isClose,
    isMean,
    minus,
    other?.dataset.header.id,
  ];
  const key = variable === undefined ? undefined : JSON.stringify(asked);
  const { value, failure, busy, retry } = useAnswer(key, (signal) => {
    const subtract: Minus | undefined =
      others !== undefined
        ? { kind: "data", of: others, name: other?.name ?? "" }
        : minus === "mean"
          ? { kind: "mean" }
          : minus === undefined
            ? undefined
            : { kind: "time", index: minus };
    const wanted = { index: index.split(","), isClose, isMean, minus: subtract };
    return slices.read(variable as Variable, wanted, signal);
  });
  const choose = (chosen: Variable): void => {
    const former = value?.indexes ?? {};
    change((query) =>
      put(query, {
        show: chosen.path,
        // Sliders keep their place if the other variable has the same dimension.
        index: chosen.dimensions.map((name) => former[name] ?? 0).join(","),
        range: undefined,
        units: undefined,
        mean: undefined,
        minus: undefined,
        minus_file: undefined,
      }),
    );
  };
  const known: Slice | undefined = value?.variable.path === variable?.path ? value : undefined;
  const conversion = variable && conversionOf(variable);
  const isConverted = conversion !== undefined && conversion.key === units;
  const slice = useMemo(
    () => known && inUnits(known, isConverted ? conversion : undefined),
    [known, isConverted],
  );
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
          {failure instanceof UnreadableData && (isMean || minus !== undefined || other) && (
            <button type="button" onClick={stopSubtracting}>
              {words.stopSubtracting}
            </button>
          )}
          {slice === undefined && busy && variable !== undefined && (
            <Busy of={words.reading(variable.path)} />
          )}
          {slice && (
            <SliceView
              key={slice.variable.path}
              dataset={dataset}
              name={name ?? datasetName(header)}
              origin={origin}
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
            <HeaderTree dataset={header} shown={variable?.path} show={choose} />
          </section>
          <Elsewhere id={header.id} />
        </aside>
      </div>
    </>
  );
}

const stopSubtracting = (): void =>
  change((query) => put(query, { mean: undefined, minus: undefined, minus_file: undefined }));

/** Why nothing is drawn. */
function missing(header: OpenDataset["header"], show: string | undefined, count: number): string {
  if (count === 0) return words.noVariables;
  const known = allVariables(header).some(({ path }) => path === show);
  return known ? words.noPicture : words.noSuchVariable(show ?? "");
}
