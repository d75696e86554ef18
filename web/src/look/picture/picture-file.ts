/** The picture as a PNG with title, slice, colour bar and units. */

import { numberText, type Range, shareOf, ticksOf } from "../draw/colour-scale.js";
import type { Land } from "../draw/land.js";
import type { Frame, View } from "../draw/view.js";
import { beyond, drawArrow, drawBar } from "./colour-bar.js";
import { Cells, drawCells, drawLines } from "./draw-picture.js";
import type { Slice } from "./picture.js";

interface Content {
  readonly drawn: NonNullable<Slice["drawn"]>;
  readonly frame: Frame;
  readonly view: View;
  readonly range: Range | undefined;
  readonly table: Uint8Array;
  readonly land: Land | undefined;
  /** The name of the file or dataset. */
  readonly title: string;
  /** The variable and time that are drawn. */
  readonly subtitle: string;
  /** Units of the colour bar. */
  readonly units: string;
  /** The line below the picture: variable and colours. */
  readonly source: string;
}

/** File pixels per page pixel. */
const SCALE = 2;
const MARGIN = 16;
const HEAD = 56;
const FOOT = 76;
/** Height of the colour bar. */
const BAR = 12;
const FONT = 'system-ui, "Liberation Sans", sans-serif';

/** @throws Error if the browser cannot make the file */
export async function pictureFile(content: Content): Promise<Blob> {
  const { drawn, frame, view, range, table } = content;
  const canvas = document.createElement("canvas");
  canvas.width = (frame.width + 2 * MARGIN) * SCALE;
  canvas.height = (frame.height + HEAD + FOOT) * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser draws no pictures.");
  context.scale(SCALE, SCALE);
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  write(context, content);

  const columns = Math.round(frame.width * SCALE);
  const rows = Math.round(frame.height * SCALE);
  const cells = new Cells().find(drawn.grid, view, frame, columns, rows);
  const map = document.createElement("canvas");
  drawCells(map, cells, columns, drawn.field.values, range, table, SCALE);
  context.drawImage(map, MARGIN, HEAD, frame.width, frame.height);
  context.save();
  context.translate(MARGIN, HEAD);
  context.beginPath();
  context.rect(0, 0, frame.width, frame.height);
  context.clip();
  drawLines(context, view, frame, content.land);
  context.restore();
  context.strokeStyle = "#555";
  context.lineWidth = 1;
  context.strokeRect(MARGIN, HEAD, frame.width, frame.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("This browser could not make the file."))),
      "image/png",
    );
  });
}

function write(context: CanvasRenderingContext2D, content: Content): void {
  const { drawn, frame, range, table, title, subtitle, units, source } = content;
  const right = frame.width;
  context.fillStyle = "#111";
  context.textBaseline = "alphabetic";
  context.font = `600 16px ${FONT}`;
  // Names of datasets are long: smaller letters are easier to read than condensed ones.
  const share = right / context.measureText(title).width;
  context.font = `600 ${Math.max(9, Math.min(16, 16 * share))}px ${FONT}`;
  context.fillText(title, MARGIN, 24, right);
  context.font = `14px ${FONT}`;
  context.fillText(subtitle, MARGIN, 44, right);
  const top = HEAD + frame.height;
  context.font = `12px ${FONT}`;
  if (range !== undefined) {
    const width = Math.min(right, 420) - 2 * BAR;
    const left = MARGIN + BAR;
    drawBar(context, table, left, top + 10, width, BAR);
    const [below, above] = beyond(drawn.field, range);
    if (below) drawArrow(context, table, "left", left, top + 10, BAR);
    if (above) drawArrow(context, table, "right", left + width, top + 10, BAR);
    context.fillStyle = "#111";
    context.textAlign = "center";
    for (const tick of ticksOf(range)) {
      context.fillText(numberText(tick), left + shareOf(tick, range) * width, top + 36);
    }
    context.textAlign = "left";
    const beside = left + width + BAR + 12;
    context.fillText(units, beside, top + 20, Math.max(right - beside, 40));
  }
  context.fillStyle = "#555";
  context.font = `11px ${FONT}`;
  context.fillText(source, MARGIN, top + 60, right);
}
