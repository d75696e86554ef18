/** A slice of a variable: picture, controls, series, download and code. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { change, place } from "../../address/address.js";
import { announce } from "../../parts/announce.js";
import { CodeLines } from "../../parts/code-lines.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Failure } from "../../parts/failure.js";
import { saveFile } from "../../parts/save-file.js";
import { Code } from "../../parts/scrolling.js";
import { wholeNumber } from "../../service/numbers.js";
import { addressOf } from "../../service/request.js";
import { words } from "../../words/look.js";
import type { OpenDataset } from "../data/types.js";
import { type Range, rangeOf } from "../draw/colour-scale.js";
import { OUTSIDE } from "../draw/grid.js";
import { useLand } from "../draw/land.js";
import { type View, viewOfAll, within } from "../draw/view.js";
import { type LookAddress, put, rangeText, readLookAddress, viewText } from "../look-address.js";
import { SeriesPanel } from "../series/series-panel.js";
import { useDelayedParameter } from "../use-delayed-parameter.js";
import { datasetName, indexesOf, indexText, longName, otherAxes, unitsOf } from "../variables.js";
import { ColourBar } from "./colour-bar.js";
import { AxisSliders, ColourChoice, RangeControl } from "./controls.js";
import { dotReach } from "./draw-picture.js";
import { MapCanvas, ZoomButtons } from "./map-canvas.js";
import { cellAt, type Slice, sliceTitle } from "./picture.js";
import { pictureFile } from "./picture-file.js";
import { placeText, valueText } from "./place-text.js";
import { sliceRequest } from "./slice-request.js";
import { useFrame } from "./use-frame.js";
import { Summary, ValueTable } from "./value-table.js";
import { xarrayLines } from "./xarray-lines.js";

type Place = readonly [number, number];

interface Props {
  readonly dataset: OpenDataset;
  readonly slice: Slice;
  /** Whether another slice is loading. */
  readonly busy: boolean;
  readonly index: string;
  readonly setIndex: (index: string) => void;
  readonly setClose: (isClose: boolean) => void;
}

export function SliceView(props: Props) {
  const { dataset, slice, index, setIndex } = props;
  const { variable, axes, geometry, drawn } = slice;
  const address = readLookAddress(place.value.query);
  // Sliders show the requested position while it loads.
  const wanted = indexesOf(axes, geometry, index.split(","));
  const range =
    drawn === undefined ? undefined : rangeOf(address.range, drawn.field, address.colours);
  return (
    <>
      <AxisSliders
        axes={otherAxes(axes, geometry)}
        indexes={wanted}
        move={(name, to) => setIndex(indexText(axes, { ...wanted, [name]: to }))}
      />
      {drawn === undefined ? (
        <p role="status">
          {words.tooMany(geometry.kind === "points" ? wholeNumber(geometry.count) : "")}
        </p>
      ) : (
        <Picture {...props} drawn={drawn} address={address} range={range} />
      )}
      <XarrayLines
        text={xarrayLines({
          address: addressOf("/data-portal/zarr/{store}", {
            in: { store: `${dataset.header.id}.zarr` },
          }),
          header: dataset.header,
          slice,
          colours: address.colours,
          range,
        })}
        key={variable.path}
      />
      <div class="panel">
        <CodeLines requests={[sliceRequest(words.values, dataset.header.id, slice)]} />
      </div>
    </>
  );
}

function XarrayLines({ text }: { readonly text: string }) {
  return (
    <details class="code-lines look-xarray panel">
      <summary>{words.code}</summary>
      <p class="quiet">{words.codeNeeds}</p>
      <CopyButton text={text} />
      <Code text={text} />
    </details>
  );
}

interface PictureProps extends Props {
  readonly drawn: NonNullable<Slice["drawn"]>;
  readonly address: LookAddress;
  readonly range: Range | undefined;
}

function Picture({ dataset, slice, drawn, busy, setClose, address, range }: PictureProps) {
  const { field, grid } = drawn;
  const { variable } = slice;
  const { colours, at } = address;
  const box = useRef<HTMLDivElement>(null);
  const frame = useFrame(box, grid);
  const [written, write] = useDelayedParameter("view");
  const [moved, setMoved] = useState<View>();
  useEffect(() => setMoved(undefined), [written]);
  const all = useMemo(() => viewOfAll(frame), [frame]);
  const stored = useMemo(() => {
    const { view } = readLookAddress(new URLSearchParams(written && { view: written }));
    return view && within(view, frame);
  }, [written, frame]);
  const view = moved ?? stored ?? all;
  const setView = (next: View): void => {
    const isAll = next.span === all.span && next.x === all.x && next.y === all.y;
    const text = isAll ? undefined : viewText(next);
    if (text !== written) setMoved(next);
    write(text);
  };
  const needsMore = field.source === "preview" && view.span < all.span / 1.5;
  useEffect(() => {
    if (needsMore) setClose(true);
  }, [needsMore]);

  const [pointed, setPointed] = useState<{
    readonly place: Place;
    readonly isAnnounced: boolean;
  }>();
  const units = unitsOf(variable) || field.units;
  const reach = dotReach(view, frame);
  const when = sliceTitle(slice);
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
  const setAddress = (values: Record<string, string | undefined>) =>
    change((query) => put(query, values));
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
            colours={colours}
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
          <p role="status">{words.noValues}</p>
        ) : (
          <ColourBar colours={colours} range={range} title={name} />
        )}
        <div class="look-tools">
          <ZoomButtons frame={frame} view={view} setView={setView} />
          <ColourChoice chosen={colours} choose={(chosen) => setAddress({ colours: chosen })} />
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
            colours={colours}
            units={units}
            name={name}
            when={when}
            source={`${datasetName(dataset.header)} · ${variable.path} · ${colours}`}
            file={`${variable.name}_${when}.png`}
          />
        </div>
        <Summary field={field} />
        <ValueTable drawn={drawn} frame={frame} view={view} title={title} />
      </section>
      <SeriesPanel dataset={dataset} slice={slice} at={at} setAt={setAt} reach={reach} />
    </>
  );
}

interface SaveProps extends Pick<PictureProps, "drawn" | "range">, Pick<LookAddress, "colours"> {
  readonly frame: ReturnType<typeof useFrame>;
  readonly view: View;
  readonly units: string;
  readonly name: string;
  readonly when: string;
  readonly source: string;
  readonly file: string;
}

function SavePicture({ name, when, file, ...content }: SaveProps) {
  const land = useLand();
  const [failure, setFailure] = useState<Error>();
  const save = async (): Promise<void> => {
    setFailure(undefined);
    try {
      saveFile(await pictureFile({ ...content, land, title: name, subtitle: when }), file);
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <>
      <button type="button" onClick={save}>
        {words.download}
      </button>
      {failure && <Failure failure={failure} />}
    </>
  );
}
