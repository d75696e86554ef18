/** The search: facets beside results. */
import { useId } from "preact/hooks";
import { change, search } from "../address/address.js";
import { SearchInCart } from "../cart/in-cart-button.js";
import { Busy } from "../parts/busy.js";
import { CheckBox } from "../parts/check-box.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { Failure } from "../parts/failure.js";
import { Fold } from "../parts/fold.js";
import { Select } from "../parts/select.js";
import { boxesRequest, yearsRequest } from "../place/requests.js";
import { datasetsRequest } from "../results/datasets.js";
import { Results } from "../results/results.js";
import { useJson } from "../service/answer.js";
import { useFlavour } from "../service/flavours.js";
import { withStyles } from "../shell/lazy.js";
import { showStart, startShown } from "../start/shown.js";
import { Start } from "../start/start.js";
import { SummaryBar, summaryRequest } from "../summary-bar/summary-bar.js";
import { words as placeWords } from "../words/place.js";
import { words } from "../words/search.js";
import { words as startWords } from "../words/start.js";
import { Chosen } from "./chosen.js";
import { valueWords } from "./constraint-words.js";
import { type Constraint, constraintsOf, drop, translated } from "./constraints.js";
import { FacetPanel, useNarrow } from "./facet-panel.js";
import { facetsOf } from "./facets.js";
import { NoHits, UnknownValues } from "./no-hits.js";
import { countsRequest, filesRequest, useCounts, whyRequest } from "./requests.js";

const asksAllVersions = ({ kind, name }: Constraint): boolean =>
  kind === "setting" && name.replace("_", "-") === "multi-version";

function AllVersions({ constraints }: { readonly constraints: readonly Constraint[] }) {
  const constrained = constraints.filter(asksAllVersions);
  const isOn = constrained.some(({ value }) => /^(?:true|t|1|yes|on)$/i.test(value));
  const toggle = (): void =>
    change((query) => {
      for (const one of constrained) drop(query, one);
      if (!isOn) query.append("multi-version", "true");
    });
  return (
    <CheckBox title={words.allVersionsHelp} isOn={isOn} set={toggle}>
      {words.allVersions}
    </CheckBox>
  );
}

export function SearchView() {
  const isNarrow = useNarrow();
  const flavour = useFlavour();
  const counted = useCounts(flavour);
  const { value, failure, busy, retry } = counted;
  const constraints = constraintsOf(search.value.pairs);
  const natives = new Map((value ? facetsOf(value) : []).map(({ name, native }) => [name, native]));
  const isEmpty = search.value.pairs.length === 0;
  const isNothing = value?.total_count === 0 && !busy && !failure;
  if (flavour === undefined) {
    return (
      <>
        <h1>{words.title}</h1>
        <Busy />
      </>
    );
  }
  const options = (
    <>
      <FlavourSelect flavour={flavour} />
      <AllVersions constraints={constraints} />
    </>
  );
  const controls = (
    <div class="row">
      {isEmpty && !startShown.value && (
        <button type="button" class="plain" onClick={showStart}>
          {startWords.show}
        </button>
      )}
      {!isNarrow && options}
      <SearchInCart flavour={flavour} />
    </div>
  );
  const requests = [
    filesRequest(words.codeFiles, flavour),
    countsRequest(words.codeFacets, flavour),
    summaryRequest(words.codeSummary, flavour),
    yearsRequest(flavour),
    boxesRequest(flavour),
    datasetsRequest(flavour),
    ...(isNothing ? [whyRequest(words.codeWhy, flavour)] : []),
  ];
  return (
    <>
      {isEmpty && startShown.value && value !== undefined && (
        <Start flavour={flavour} counted={value} />
      )}
      {isNarrow ? (
        <>
          <div class="row search-head">
            <h1>{words.title}</h1>
            {controls}
          </div>
          <SummaryBar />
        </>
      ) : (
        <>
          <h1 class="visually-hidden">{words.title}</h1>
          <div class="row search-bar">
            <SummaryBar />
            {controls}
          </div>
        </>
      )}
      <div class="search-columns">
        <FacetPanel
          counted={counted}
          constraints={constraints}
          isNarrow={isNarrow}
          more={options}
        />
        <div class="search-found">
          {failure && <Failure failure={failure} retry={retry} />}
          <div class="row search-narrowing">
            <Chosen constraints={constraints} natives={natives} />
            <PlaceSection isNarrow={isNarrow} />
          </div>
          {isNothing ? (
            <NoHits flavour={flavour} unknown={value?.unknown_values ?? []} />
          ) : (
            <UnknownValues unknown={value?.unknown_values} />
          )}
          <div id="results" tabIndex={-1}>
            {!isNothing && !failure && <Results flavour={flavour} />}
          </div>
          <CodeLines requests={requests} />
        </div>
      </div>
    </>
  );
}

const load = async () => (await withStyles(import("../place/place-filters.js"))).PlaceFilters;

/** Loaded on opening: most searches use neither. On a phone, the results come first. */
function PlaceSection({ isNarrow }: { readonly isNarrow: boolean }) {
  const constrained = constraintsOf(search.value.pairs).filter(
    ({ kind }) => kind === "period" || kind === "region",
  );
  const chosen = constrained.map((one) => words.meant(valueWords(one), one.isExcluded));
  const title = placeWords.title + (chosen.length === 0 ? "" : `: ${chosen.join("; ")}`);
  return (
    <Fold title={title} load={load} props={{}} startsOpen={constrained.length > 0 && !isNarrow} />
  );
}

/** @param flavour the current one */
function FlavourSelect({ flavour }: { readonly flavour: string }) {
  const id = useId();
  const { value } = useJson("/databrowser/flavours", {});
  const flavours = value?.flavours ?? [];
  const mappingOf = (name: string): Record<string, string> =>
    flavours.find((one) => one.flavour_name === name)?.mapping ?? {};
  const choose = (name: string): void => {
    const pairs = translated(search.value.pairs, mappingOf(flavour), mappingOf(name));
    const searched = new Set(search.value.pairs.map(([key]) => key));
    change((query) => {
      for (const key of searched) query.delete(key);
      query.set("flavour", name);
      for (const [key, text] of pairs) query.append(key, text);
    });
  };
  const isListed = flavours.some(({ flavour_name }) => flavour_name === flavour);
  return (
    <>
      <label for={id} title={words.flavourHelp}>
        {words.flavour}
      </label>
      <Select
        id={id}
        value={flavour}
        options={[
          ...(isListed ? [] : [flavour]),
          ...flavours.map(({ flavour_name: name, owner }) =>
            owner === "built in" ? name : ([name, words.ofUser(name, owner)] as const),
          ),
        ]}
        choose={choose}
      />
    </>
  );
}
