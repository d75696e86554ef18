import { float32Text } from "../data/float32-text.js";
import { usualLongitude } from "../draw/view.js";

/** A place such as "12.5° E, 40° S", or a column and row of a matrix. @param digits after the point */
export function placeText(x: number, y: number, isRound: boolean, digits = 2): string {
  if (!isRound) return `column ${Math.floor(x)}, row ${Math.floor(y)}`;
  const longitude = usualLongitude(x);
  return `${degrees(longitude, "E", "W", digits)}, ${degrees(y, "N", "S", digits)}`;
}

function degrees(value: number, positive: string, negative: string, digits: number): string {
  const size = Number(Math.abs(value).toFixed(digits));
  const side = size === 0 || size === 180 ? "" : ` ${value > 0 ? positive : negative}`;
  return `${size}°${side}`;
}

/** A value with as many digits as float32 has and with units, or "missing". */
export const valueText = (value: number, units: string): string =>
  Number.isNaN(value) ? "missing" : `${shortText(value)}${units === "" ? "" : ` ${units}`}`;

/** The shortest digits that are read back as the same float32. */
export const shortText = (value: number): string =>
  Number.isNaN(value)
    ? "no value"
    : float32Text(value).replace(/\.0$/, "").replaceAll("-", "−").replace("e+", "e");
