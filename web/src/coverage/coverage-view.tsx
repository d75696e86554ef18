/** The coverage matrix: what exists for each pair of values of two facets. */
import { useEffect, useMemo } from "preact/hooks";
import { COUNTABLE_DETAILS } from "../../../src/domain/vocabulary/details.js";
import { change, place, search } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { CodeLines } from "../parts/code-lines.js";
import { Failure } from "../parts/failure.js";
import { useAnswer } from "../service/answer.js";
import { codeRequest } from "../service/code-request.js";
import { useFacetNames } from "../service/facet-names.js";
import { wholeNumber } from "../service/numbers.js";
import { Refused } from "../service/problem.js";
import { addressOf, getJson, type Pairs } from "../service/request.js";
import { SummaryBar } from "../summary-bar/summary-bar.js";
import { words } from "../words/coverage.js";
import { type Coverage, matrixOf } from "./matrix.js";
import { MatrixTable } from "./matrix-table.js";

const PATH = "/databrowser/coverage/{flavour}";
const CELLS = Object.keys(words.cellsOf) as Coverage["cells"][];
const DETAILS = COUNTABLE_DETAILS.filter((name) => name !== "retracted");

export function CoverageView() {
  const { facets, failure } = useFacetNames();
  const { query } = place.value;
  const [rows, columns] = [query.get("rows"), query.get("columns")];
  const cells = CELLS.find((one) => one === query.get("cells")) ?? "files";
  // Writes the defaults into the address, so that a copy of it says what it shows.
  useEffect(() => {
    if (facets === undefined || (rows !== null && columns !== null)) return;
    const { model, experiment } = facets;
    const [row, column] = [rows ?? model, columns ?? (rows === experiment ? model : experiment)];
    change(
      (edited) => {
        edited.set("rows", row);
        edited.set("columns", column);
      },
      { replace: true },
    );
  }, [facets?.flavour, rows, columns]);
  const names = [...(facets?.names ?? []), ...DETAILS];
  const pairs: Pairs = [
    ...search.value.pairs,
    ["rows", rows ?? ""],
    ["columns", columns ?? ""],
    ...(cells === "files" ? [] : [["cells", cells] as const]),
  ];
  return (
    <div class="coverage">
      <h1>{words.title}</h1>
      <SummaryBar isQuiet />
      <p class="quiet">{words.explain}</p>
      {failure && <Failure failure={failure} />}
      <div class="fields">
        <Choice name="rows" label={words.rows} value={rows ?? ""} values={names} />
        <Choice name="columns" label={words.columns} value={columns ?? ""} values={names} />
        <Choice name="cells" label={words.cells} value={cells} values={CELLS} />
        <button type="button" onClick={turnOver}>
          {words.turn}
        </button>
      </div>
      {facets !== undefined && rows !== null && columns !== null && (
        <CompleteGroups flavour={facets.flavour} pairs={pairs} />
      )}
    </div>
  );
}

function turnOver(): void {
  change((query) => {
    const [rows, columns] = [query.get("rows") ?? "", query.get("columns") ?? ""];
    query.set("rows", columns);
    query.set("columns", rows);
  });
}

interface ChoiceProps {
  readonly name: "rows" | "columns" | "cells";
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
}

function Choice({ name, label, value, values }: ChoiceProps) {
  // An unknown facet in the address stays selectable: the service explains what is wrong with it.
  const all = value === "" || values.includes(value) ? values : [value, ...values];
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change((query) => {
            if (name === "cells" && chosen === "files") query.delete(name);
            else query.set(name, chosen);
          });
        }}
      >
        {all.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

function CompleteGroups({ flavour, pairs }: { readonly flavour: string; readonly pairs: Pairs }) {
  const asked = { in: { flavour }, query: pairs };
  const csv = { ...asked, query: [...pairs, ["format", "csv"]] satisfies Pairs };
  const { value, failure, busy, retry } = useAnswer(JSON.stringify([flavour, pairs]), (signal) =>
    getJson(PATH, { ...asked, signal }),
  );
  const matrix = useMemo(() => value && matrixOf(value), [value]);
  const told = value && matrix && summaryOf(value, matrix.cellCount);
  useEffect(() => {
    if (told !== undefined && !busy) announce(told);
  }, [told, busy]);
  const isTooLarge = failure instanceof Refused && failure.status === 413;
  return (
    <>
      {failure && <Failure failure={failure} retry={isTooLarge ? undefined : retry} />}
      {isTooLarge && <p>{words.tooLarge}</p>}
      {busy && <Busy of={words.busy} />}
      {failure === undefined && value && matrix && (
        <>
          <p>{told}</p>
          {value.known_files !== undefined && value.known_files < value.total_count && (
            <p class="quiet">
              {words.known(
                wholeNumber(value.known_files),
                wholeNumber(value.total_count),
                value.cells,
              )}
            </p>
          )}
          {matrix.cellCount === 0 ? (
            <p>{words.nothing}</p>
          ) : (
            <MatrixTable coverage={value} matrix={matrix} />
          )}
        </>
      )}
      <p>
        <a class="button" download={`coverage-${flavour}.csv`} href={addressOf(PATH, csv)}>
          {words.csv}
        </a>
      </p>
      <CodeLines
        requests={[
          codeRequest(words.codeMatrix, PATH, asked),
          codeRequest(words.codeTable, PATH, csv, { answer: "text" }),
        ]}
      />
    </>
  );
}

const summaryOf = (coverage: Coverage, cells: number): string =>
  words.found(
    wholeNumber(coverage.row_values.length),
    wholeNumber(coverage.column_values.length),
    wholeNumber(cells),
    wholeNumber(coverage.total_count),
  );
