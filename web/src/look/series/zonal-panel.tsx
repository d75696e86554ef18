/** The mean of each row of the slice, from south to north. */
import { useMemo, useState } from "preact/hooks";
import { words } from "../../words/look.js";
import { hasAreas, zonalMean } from "../picture/means.js";
import type { Slice } from "../picture/picture.js";
import { SeriesPlot, SeriesTable } from "./series-plot.js";

interface Props {
  readonly slice: Slice;
  readonly title: string;
}

export function ZonalPanel({ slice, title }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { geometry, drawn } = slice;
  if (drawn === undefined || !hasAreas(geometry, drawn.field)) return null;
  return (
    <details
      class="panel zonal"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{words.zonal}</summary>
      {isOpen && <Zonal slice={slice} title={title} />}
    </details>
  );
}

function Zonal({ slice: { geometry, drawn }, title }: Props) {
  const field = drawn?.field;
  const series = useMemo(
    () => (field && hasAreas(geometry, field) ? zonalMean(geometry, field) : undefined),
    [geometry, field],
  );
  if (series === undefined) return null;
  const name = words.zonalOf(title);
  return (
    <>
      <SeriesPlot series={series} title={name} />
      <SeriesTable series={series} title={name} summary={words.zonalTable} file="zonal-mean.csv" />
    </>
  );
}
