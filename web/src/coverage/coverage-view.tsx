/** The coverage matrix: what exists for each pair of values of two facets. */
import { useEffect, useMemo } from "preact/hooks";
import { COUNTABLE_DETAILS } from "../../../src/domain/vocabulary/details.js";
import { change, place, search } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { Failure } from "../parts/failure.js";
import { FileLink } from "../parts/file-link.js";
import { Icon } from "../parts/icon.js";
import { Select } from "../parts/select.js";
import { searchedText } from "../search/value-text.js";
import { useJson } from "../service/answer.js";
import { codeRequest } from "../service/code-request.js";
import { useFacetNames } from "../service/facet-names.js";
import { wholeNumber } from "../service/numbers.js";
import { Refused } from "../service/problem.js";
import type { Pairs } from "../service/request.js";
import { SummaryBar } from "../summary-bar/summary-bar.js";
import { words } from "../words/coverage.js";
import { type Coverage, matrixOf } from "./matrix.js";
import { MatrixTable } from "./matrix-table.js";
import { startFacets, useStart } from "./start.js";

const PATH = "/databrowser/coverage/{flavour}";
const CELLS: readonly Coverage["cells"][] = ["files", "datasets", "bytes", "members", "years"];
const DETAILS = COUNTABLE_DETAILS.filter((name) => name !== "retracted");

export function CoverageView() {
  const { facets, failure } = useFacetNames();
  const { query } = place.value;
  const [rows, columns] = [query.get("rows"), query.get("columns")];
  const project = facets?.first.project ?? "";
  const isInProject = search.value.pairs.some(([name]) => name === project);
  const start = useStart(facets, isInProject, rows === null || columns === null);
  const within = isInProject ? null : query.get("within");
  const cells = CELLS.find((one) => one === query.get("cells")) ?? "files";
  // Writes the defaults into the address, so that a copy of it says what it shows.
  useEffect(() => {
    if (facets === undefined || start === undefined || (rows !== null && columns !== null)) return;
    const [row, column] = startFacets(facets, start.facets, rows, columns);
    change(
      (edited) => {
        edited.set("rows", row);
        edited.set("columns", column);
        const [largest] = start.projects;
        if (within === null && !isInProject && largest) edited.set("within", largest.value);
      },
      { replace: true },
    );
  }, [facets?.flavour, rows, columns, start]);
  const names = [...(facets?.names ?? []), ...DETAILS];
  const own: Pairs = within ? [[project, searchedText(within)]] : [];
  const pairs: Pairs = [
    ...search.value.pairs,
    ...own,
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
        {!isInProject && start && (
          <Select
            label={project}
            value={within ?? ""}
            options={[
              ["", words.allProjects],
              ...start.projects.map(
                ({ value, count }) => [value, words.project(value, count)] as const,
              ),
            ]}
            choose={(value) => change((edited) => edited.set("within", value))}
          />
        )}
        <Choice name="rows" label={words.rows} value={rows ?? ""} values={names} />
        <Choice name="columns" label={words.columns} value={columns ?? ""} values={names} />
        <Choice name="cells" label={words.cells} value={cells} values={CELLS} />
        <button type="button" onClick={turnOver}>
          <Icon of="swap" /> {words.turn}
        </button>
      </div>
      {facets !== undefined && rows !== null && columns !== null && (
        <Matrix flavour={facets.flavour} pairs={pairs} within={within ? [[project, within]] : []} />
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
    <Select
      label={label}
      value={value}
      options={all}
      choose={(chosen) =>
        change((query) => {
          if (name === "cells" && chosen === "files") query.delete(name);
          else query.set(name, chosen);
        })
      }
    />
  );
}

/** A filter of rows or columns, in the address. */
function Filter({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label>
      {label}
      <input
        type="search"
        size={14}
        autocomplete="off"
        spellcheck={false}
        value={place.value.query.get(name) ?? ""}
        onInput={({ currentTarget: { value } }) =>
          change((query) => (value === "" ? query.delete(name) : query.set(name, value)), {
            replace: true,
          })
        }
      />
    </label>
  );
}

interface MatrixProps {
  readonly flavour: string;
  readonly pairs: Pairs;
  readonly within: Pairs;
}

function Matrix({ flavour, pairs, within }: MatrixProps) {
  const asked = { in: { flavour }, query: pairs };
  const csv = { ...asked, query: [...pairs, ["format", "csv"]] satisfies Pairs };
  const { value, failure, busy, retry } = useJson(PATH, asked);
  const { query } = place.value;
  const rowFilter = query.get("rows_like") ?? "";
  const columnFilter = query.get("columns_like") ?? "";
  const isUnfolded = query.has("unfolded");
  const matrix = useMemo(
    () => value && matrixOf(value, { rowFilter, columnFilter, isUnfolded }),
    [value, rowFilter, columnFilter, isUnfolded],
  );
  const folded = matrix && [matrix.foldedRows, matrix.foldedColumns];
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
            <>
              <div class="fields">
                <Filter name="rows_like" label={words.filterRows(value.rows)} />
                <Filter name="columns_like" label={words.filterColumns(value.columns)} />
              </div>
              {matrix.rowValues.length > 0 && matrix.columnValues.length > 0 ? (
                <MatrixTable coverage={value} matrix={matrix} within={within} />
              ) : (
                <p role="status">{words.filteredOut}</p>
              )}
              {folded?.some((count) => count > 0) && (
                <p>
                  <button
                    type="button"
                    onClick={() => change((edited) => edited.set("unfolded", "1"))}
                  >
                    {words.more(value.rows, folded[0] ?? 0, value.columns, folded[1] ?? 0)}
                  </button>
                </p>
              )}
            </>
          )}
        </>
      )}
      <p>
        <FileLink class="button" file={`coverage-${flavour}.csv`} path={PATH} options={csv}>
          {words.csv}
        </FileLink>
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
