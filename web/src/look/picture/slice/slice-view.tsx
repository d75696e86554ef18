/** A slice of a variable: picture, controls, series, download and code. */
import { useEffect, useRef, useState } from "preact/hooks";
import { change, place } from "../../../address/address.js";
import { announce } from "../../../parts/announce.js";
import { CodeLines, CodeText } from "../../../parts/code/code-lines.js";
import { type CodeRequest, codeRequest } from "../../../service/code-request.js";
import { wholeNumber } from "../../../service/numbers.js";
import { addressOf } from "../../../service/request.js";
import { words } from "../../../words/look.js";
import type { OpenDataset } from "../../data/types.js";
import { logRangeOf, type Range, rangeOf } from "../../draw/colour-scale.js";
import { colourTable } from "../../draw/colour-tables.js";
import { OUTSIDE } from "../../draw/grid.js";
import { type Frame, placeOf, usualLongitude, type View } from "../../draw/view.js";
import { type LookAddress, put, rangeText, readLookAddress } from "../../look-address.js";
import { SeriesPanel } from "../../series/series-panel.js";
import { ZonalPanel } from "../../series/zonal-panel.js";
import { indexesOf, indexText, longName, otherAxes, sliceQuery, unitsOf } from "../../variables.js";
import { ColourBar } from "../colour-bar.js";
import { Compare, type Origin } from "../compare.js";
import { ColourChoice, RangeControl, UnitsChoice } from "../controls.js";
import { dotReach } from "../draw-picture.js";
import { MapCanvas, ZoomButtons } from "../map-canvas.js";
import type { Inside } from "../means.js";
import { cellAt, type Slice, sliceTitle } from "../picture.js";
import { placeText, valueText } from "../place-text.js";
import { pictureName, SavePicture } from "../save-picture.js";
import { conversionOf } from "../units.js";
import { Summary, ValueTable } from "../value-table.js";
import { xarrayLines } from "../xarray-lines.js";
import { AxisSliders } from "./sliders.js";
import { useFrame } from "./use-frame.js";
import { useView } from "./use-view.js";

type Place = readonly [number, number];

interface Props {
  readonly dataset: OpenDataset;
  /** Name of the file or dataset; may be empty. */
  readonly name: string;
  readonly origin: Origin;
  readonly slice: Slice;
  /** Whether another slice is loading. */
  readonly busy: boolean;
  readonly index: string;
  readonly setIndex: (index: string) => void;
  readonly setClose: (isClose: boolean) => void;
}

const setAddress = (values: Record<string, string | undefined>): void =>
  change((query) => put(query, values));

export function SliceView(props: Props) {
  const { dataset, slice, origin, busy, index, setIndex } = props;
  const { variable, axes, geometry, drawn } = slice;
  const address = readLookAddress(place.value.query);
  // Sliders show the requested position while it loads.
  const wanted = indexesOf(axes, geometry, index.split(","));
  const { colours, steps } = address;
  const choose = address.isLog ? logRangeOf : rangeOf;
  const range = drawn && choose(address.range, drawn.field, colours);
  const stream = (id: string): string =>
    addressOf("/data-portal/zarr/{store}", { in: { store: `${id}.zarr` } });
  const { minus, mean } = slice;
  return (
    <>
      <AxisSliders
        axes={otherAxes(axes, geometry).filter(({ name }) => name !== mean?.name)}
        indexes={wanted}
        busy={busy}
        move={(name, to) => setIndex(indexText(axes, { ...wanted, [name]: to }))}
      />
      <Compare slice={slice} origin={origin} address={address} set={setAddress} />
      {drawn === undefined ? (
        <p role="status">
          {words.tooMany(geometry.kind === "points" ? wholeNumber(geometry.count) : "")}
        </p>
      ) : (
        <Picture {...props} drawn={drawn} address={address} range={range} />
      )}
      <CodeText
        key={variable.path}
        class="look-xarray panel"
        title={words.code}
        hint={words.codeNeeds}
        text={xarrayLines({
          address: stream(dataset.header.id),
          header: dataset.header,
          slice,
          colours,
          steps,
          range,
          other: minus && minus.id !== dataset.header.id ? stream(minus.id) : undefined,
        })}
      />
      {mean === undefined && minus === undefined && (
        <div class="panel">
          <CodeLines requests={[sliceRequest(words.values, dataset.header.id, slice)]} />
        </div>
      )}
    </>
  );
}

interface PictureProps extends Props {
  readonly drawn: NonNullable<Slice["drawn"]>;
  readonly address: LookAddress;
  readonly range: Range | undefined;
}

function Picture({
  name: dataName,
  slice,
  dataset,
  drawn,
  busy,
  setClose,
  address,
  range,
}: PictureProps) {
  const { field, grid } = drawn;
  const { variable } = slice;
  const { colours, steps, isLog, at } = address;
  const table = colourTable(colours, steps);
  const box = useRef<HTMLDivElement>(null);
  const frame = useFrame(box, grid);
  const { view, setView, all } = useView(frame);
  const needsMore = field.source === "preview" && view.span < all.span / 1.5;
  useEffect(() => {
    if (needsMore) setClose(true);
  }, [needsMore]);

  const [pointed, setPointed] = useState<{
    readonly place: Place;
    readonly isAnnounced: boolean;
  }>();
  const { units } = field;
  const reach = dotReach(view, frame);
  const minus = slice.minus && words.minusTitle(slice.minus.title);
  const when = [sliceTitle(slice), minus ?? ""].filter((part) => part !== "").join(" ");
  const name = `${longName(variable)}${units === "" ? "" : ` (${units})`}`;
  const title = [name, when].filter((part) => part !== "").join(", ");
  const setCross = (to: Place | undefined, isAnnounced: boolean): void => {
    setPointed(to && { place: to, isAnnounced });
    if (to && isAnnounced) announce(readout(to));
  };
  const readout = (to: Place): string => {
    const cell = cellAt(grid, to[0], to[1], reach);
    const said = placeText(to[0], to[1], grid.isRound);
    if (cell === OUTSIDE) return `${words.outside} · ${said}`;
    const value = valueText(field.values[cell] ?? Number.NaN, units);
    return [value, said, when].filter((part) => part !== "").join(" · ");
  };
  const conversion = conversionOf(variable);
  const isAll = view.span >= all.span;
  const setAt = (to: Place | undefined): void =>
    setAddress({ at: to?.map((one) => Number(one.toPrecision(7))).join(",") });
  return (
    <>
      <section aria-label={words.picture(title)}>
        <h2 class="picture-title">
          {name} <span class="quiet">{when}</span>
        </h2>
        <div class="look-map-box" ref={box}>
          <MapCanvas
            field={field}
            grid={grid}
            range={range}
            table={table}
            frame={frame}
            view={view}
            setView={setView}
            setCross={setCross}
            at={at}
            cross={pointed?.isAnnounced ? pointed.place : undefined}
            pick={setAt}
            label={words.picture(title)}
          />
          {busy && (
            <p class="look-map-busy" role="status">
              {words.reading(variable.path)}
            </p>
          )}
        </div>
        <p class="readout">{pointed ? readout(pointed.place) : words.point}</p>
        {field.source === "preview" && (
          <p class="quiet">{words.preview(field.rows, field.columns)}</p>
        )}
        {range === undefined ? (
          <p role="status">{isLog && field.sorted.length > 0 ? words.noLog : words.noValues}</p>
        ) : (
          <ColourBar table={table} range={range} field={field} title={name} />
        )}
        <div class="row look-tools">
          <ZoomButtons frame={frame} view={view} setView={setView} />
          <ColourChoice colours={colours} steps={steps} isLog={isLog} set={setAddress} />
          {conversion && (
            <UnitsChoice
              own={unitsOf(variable)}
              other={conversion.units}
              isOther={slice.conversion !== undefined}
              choose={(isOther) =>
                setAddress({ units: isOther ? conversion.key : undefined, range: undefined })
              }
            />
          )}
          <RangeControl
            choice={address.range}
            present={range}
            choose={(choice) => setAddress({ range: rangeText(choice) })}
          />
          <SavePicture
            drawn={drawn}
            frame={frame}
            view={view}
            range={range}
            table={table}
            units={units}
            name={name}
            when={when}
            dataName={dataName}
            source={`${variable.path} · ${colours}`}
            file={pictureName(dataName, variable.name, when)}
          />
        </div>
        <Summary slice={slice} field={field} inside={isAll ? undefined : insideOf(view, frame)} />
        <ValueTable drawn={drawn} frame={frame} view={view} title={title} />
      </section>
      <ZonalPanel slice={slice} title={title} />
      <SeriesPanel dataset={dataset} slice={slice} at={at} setAt={setAt} reach={reach} />
    </>
  );
}

/** Which places are in view. */
function insideOf(view: View, frame: Frame): Inside {
  const [, north] = placeOf(0, 0, view, frame);
  const [, south] = placeOf(0, frame.height, view, frame);
  return (longitude, latitude) =>
    latitude >= south &&
    latitude <= north &&
    Math.abs(usualLongitude(longitude - view.x)) <= view.span / 2;
}

/** @param id of the dataset @param title what the request gives */
function sliceRequest(title: string, id: string, slice: Slice): CodeRequest {
  const asked = {
    in: { store: `${id}.zarr`, variable: slice.variable.path },
    query: sliceQuery(slice),
  };
  const options = { answer: "bytes", file: "slice.npy", signed: true } as const;
  return codeRequest(title, "/data-portal/preview/{store}/{variable}", asked, options);
}
