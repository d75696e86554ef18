/** A series as a plot and as a table. The plotting library is loaded with the first plot. */
import { useEffect, useRef } from "preact/hooks";
import { saveFile } from "../../parts/save-file.js";
import { ScrollingTable } from "../../parts/scrolling.js";
import { calendarWords } from "../../service/dates.js";
import { words } from "../../words/look.js";
import { float32Text } from "../data/float32-text.js";
import type { Series } from "../data/types.js";
import { numberText } from "../draw/colour-scale.js";
import { shortText } from "../picture/place-text.js";

/** Rows of the table; the file has all. */
const MAX_ROWS = 200;
const HEIGHT = 220;

/** Labels below the plot: dates, and hours if the series spans few days. */
function shortLabels({ axis, labels }: Series): readonly string[] {
  if (axis.kind !== "time") return labels;
  const days = new Set(labels.map((label) => label.replace(/T.*/, "")));
  const isDaily = days.size > labels.length / 2;
  return labels.map((label) => calendarWords(isDaily ? label.replace(/T.*/, "") : label));
}

/** Ascending positions: the coordinate if it ascends, else the indexes. */
function positions({ axis, values }: Series): Float64Array {
  const { values: own } = axis;
  const ascends =
    own?.length === values.length && own.every((one, i) => i === 0 || one > (own[i - 1] ?? one));
  return ascends && own ? own : Float64Array.from(values, (_, i) => i);
}

export function SeriesPlot({ series, title }: { readonly series: Series; readonly title: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let end = (): void => {};
    let ended = false;
    import("uplot").then(({ default: UPlot }) => {
      const element = box.current;
      if (ended || element === null) return;
      const style = getComputedStyle(element);
      const colour = style.color;
      const line = style.getPropertyValue("--accent");
      const xs = positions(series);
      const labels = shortLabels(series);
      const byPosition = new Map([...xs].map((x, i) => [x, labels[i] ?? ""]));
      const axis = {
        stroke: colour,
        grid: { stroke: style.getPropertyValue("--line"), width: 1 },
        ticks: { stroke: style.getPropertyValue("--line"), width: 1 },
      };
      const plot = new UPlot(
        {
          width: element.clientWidth,
          height: HEIGHT,
          // The last label extends beyond the last value.
          padding: [null, 44, null, null],
          legend: { show: false },
          cursor: { drag: { x: true, y: false } },
          scales: { x: { time: false } },
          axes: [
            {
              ...axis,
              space: 110,
              // Ticks only at values, since labels belong to values.
              splits: (self, _, least, most) => {
                const seen = [...xs].filter((x) => x >= least && x <= most);
                const some = Math.max(2, Math.floor(self.width / 130));
                const every = Math.max(1, Math.ceil(seen.length / some));
                return seen.filter((_, i) => i % every === 0);
              },
              values: (_, splits) => splits.map((x) => byPosition.get(x) ?? ""),
            },
            { ...axis, size: 70, values: (_, splits) => splits.map((y) => numberText(y)) },
          ],
          series: [{}, { stroke: line, width: 1.5, points: { show: series.values.length < 100 } }],
        },
        [xs, Array.from(series.values, (value) => (Number.isNaN(value) ? null : value))],
        element,
      );
      const observer = new ResizeObserver(() =>
        plot.setSize({ width: element.clientWidth, height: HEIGHT }),
      );
      observer.observe(element);
      end = () => {
        observer.disconnect();
        plot.destroy();
      };
    });
    return () => {
      ended = true;
      end();
    };
  }, [series]);
  return <div ref={box} class="series-plot" role="img" aria-label={title} />;
}

export function SeriesTable({
  series,
  title,
  summary = words.seriesTable,
  file = "series.csv",
}: {
  readonly series: Series;
  readonly title: string;
  readonly summary?: string;
  readonly file?: string;
}) {
  const { axis, labels, values, units } = series;
  const shown = labels.slice(0, MAX_ROWS);
  const unit = units === "" ? "value" : units;
  const save = (): void => {
    const head = `${cell(axis.name)},${cell(unit)}\n`;
    const rows = labels.map((label, i) => {
      const value = values[i] ?? Number.NaN;
      return `${cell(label)},${Number.isNaN(value) ? "" : float32Text(value)}\n`;
    });
    saveFile(new Blob([head, ...rows], { type: "text/csv" }), file);
  };
  return (
    <details>
      <summary>{summary}</summary>
      <p class="row">
        <button type="button" onClick={save}>
          {words.seriesFile}
        </button>
        {labels.length > MAX_ROWS && words.seriesRows(MAX_ROWS, labels.length)}
      </p>
      <ScrollingTable
        label={summary}
        class="series-table"
        caption={title}
        columns={[axis.name, { name: unit, isNumber: true }]}
      >
        {shown.map((label, i) => (
          <tr key={i}>
            <th scope="row">{axis.kind === "time" ? calendarWords(label) : label}</th>
            <td class="number">{shortText(values[i] ?? Number.NaN)}</td>
          </tr>
        ))}
      </ScrollingTable>
    </details>
  );
}

/** A cell of CSV (RFC 4180), quoted so that spreadsheets do not read it as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
