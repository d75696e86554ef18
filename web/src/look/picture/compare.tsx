/** Chooses the view of the variable: one time or the mean over time, as it is or as a difference. */
import { useId, useState } from "preact/hooks";
import { literally } from "../../../../src/domain/search/lucene.js";
import { Busy } from "../../parts/busy.js";
import { Failure } from "../../parts/failure.js";
import { Select } from "../../parts/select.js";
import { canLook, namesOf } from "../../results/dataset-names.js";
import type { Dataset } from "../../results/datasets.js";
import { searchedText } from "../../search/value-text.js";
import { useAnswer } from "../../service/answer.js";
import { type FacetNames, useFacetNames } from "../../service/facet-names.js";
import { getJson, type Pairs } from "../../service/request.js";
import { words } from "../../words/look.js";
import { canAverage, timeAxisOf } from "../data/average.js";
import type { LookAddress } from "../look-address.js";
import { otherAxes } from "../variables.js";
import { axisLabel, type Slice } from "./picture.js";

/** The file or dataset that is drawn, for links to it; a part that is not known is undefined. */
export interface Origin {
  readonly file: string | undefined;
  readonly flavour: string;
  readonly dataset: string | undefined;
}

interface Props {
  readonly slice: Slice;
  readonly origin: Origin;
  readonly address: Pick<LookAddress, "isMean" | "minus" | "minusFile">;
  readonly set: (values: Record<string, string | undefined>) => void;
}

/** Colours that show the sign. */
const SIGNED = "RdBu_r";

export function Compare({ slice, origin, address, set }: Props) {
  const { variable, axes, geometry } = slice;
  const [show, minus, time] = [useId(), useId(), useId()];
  const [isChoosing, setChoosing] = useState(false);
  const others = otherAxes(axes, geometry);
  const axis = timeAxisOf(others);
  const indexed = others.map(({ name }) => name);
  const canMean = axis !== undefined && canAverage(variable, axis.name, indexed);
  const canOther = origin.dataset !== undefined;
  if (axis === undefined && !canOther) return null;
  const { isMean, minus: subtracted, minusFile } = address;
  const kind =
    minusFile !== undefined || isChoosing
      ? "data"
      : typeof subtracted === "number"
        ? "time"
        : (subtracted ?? "");
  const choose = (chosen: string): void => {
    setChoosing(chosen === "data");
    if (chosen === "data") return;
    set({
      minus_file: undefined,
      minus: chosen === "time" ? "0" : chosen === "mean" ? "mean" : undefined,
      colours: chosen === "" ? undefined : SIGNED,
      range: undefined,
    });
  };
  return (
    <fieldset class="compare">
      <legend>{words.compare}</legend>
      <div class="row">
        {axis && (
          <>
            <label for={show}>{words.show}</label>
            <select
              id={show}
              value={isMean ? "mean" : ""}
              onChange={({ currentTarget }) =>
                set({ mean: currentTarget.value === "mean" ? "time" : undefined, range: undefined })
              }
            >
              <option value="">{words.oneTime}</option>
              <option value="mean" disabled={!canMean}>
                {canMean ? words.timeMean(axis.length) : words.noMean}
              </option>
            </select>
          </>
        )}
        <div class="row">
          <label for={minus}>{words.minus}</label>
          <Select
            id={minus}
            value={kind}
            options={[
              ["", words.minusNothing],
              ...(axis ? [["time", words.minusTime] as const] : []),
              ...(axis && canMean ? [["mean", words.meanOf] as const] : []),
              ...(canOther ? [["data", words.minusData] as const] : []),
            ]}
            choose={choose}
          />
        </div>
        {kind === "time" && axis && (
          <>
            <label for={time} class="visually-hidden">
              {words.minusTime}
            </label>
            <Select
              id={time}
              value={subtracted}
              options={axis.labels.slice(0, MAX_TIMES).map((_, i) => [i, axisLabel(axis, i)])}
              choose={(index) => set({ minus: index })}
            />
          </>
        )}
        {kind === "data" && (
          <OtherData
            origin={origin}
            chosen={minusFile}
            choose={(file) => {
              setChoosing(false);
              set({ minus_file: file, minus: undefined, colours: SIGNED, range: undefined });
            }}
          />
        )}
      </div>
    </fieldset>
  );
}

/** Times in the list. */
const MAX_TIMES = 5000;
/** Datasets in the list. */
const MAX_DATASETS = 200;
const PATH = "/databrowser/datasets/{flavour}";

/** Datasets with the same variable and frequency, whose grids may be the same. */
function OtherData({
  origin,
  chosen,
  choose,
}: {
  readonly origin: Origin;
  readonly chosen: string | undefined;
  readonly choose: (file: string) => void;
}) {
  const id = useId();
  const { facets } = useFacetNames();
  const { dataset = "", flavour, file } = origin;
  const key = facets && JSON.stringify([flavour, dataset]);
  const { value, failure, retry } = useAnswer(key, (signal) =>
    similar(dataset, flavour, facets as FacetNames, signal),
  );
  if (failure) return <Failure failure={failure} retry={retry} />;
  if (value === undefined || facets === undefined) return <Busy of={words.findingData} />;
  const offered = value.filter((one) => one.example?.file !== file && canLook(one));
  const isListed = offered.some(({ example }) => example?.file === chosen);
  const label = (one: Dataset): string => {
    const { model, experiment, member } = namesOf(one, facets.first);
    const named = [model, experiment, member].filter((part) => part !== "").join(" · ");
    return named === "" ? (one.dataset_id ?? "") : named;
  };
  if (offered.length === 0) return <span role="status">{words.noOtherData}</span>;
  return (
    <>
      <label for={id} class="visually-hidden">
        {words.minusData}
      </label>
      <Select
        id={id}
        value={chosen ?? ""}
        options={[
          ...(isListed ? [] : [[chosen ?? "", chosen ?? words.chooseData] as const]),
          ...offered.map((one) => [one.example?.file ?? "", label(one)] as const),
        ]}
        choose={choose}
      />
    </>
  );
}

async function similar(
  dataset: string,
  flavour: string,
  { first }: FacetNames,
  signal: AbortSignal,
): Promise<readonly Dataset[]> {
  const ask = (query: Pairs) => getJson(PATH, { in: { flavour }, query, signal });
  const { datasets } = await ask([["dataset_id", literally(dataset)]]);
  const own = datasets[0]?.facets ?? {};
  const shared = ([first.variable, first.time_frequency] as const).flatMap((facet) => {
    const value = own[facet];
    return value === undefined ? [] : [[facet, searchedText(value)] as const];
  });
  if (shared.length === 0) return [];
  return (await ask([...shared, ["limit", String(MAX_DATASETS)]])).datasets;
}
