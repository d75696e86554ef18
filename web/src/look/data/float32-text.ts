/** The most digits that a float32 needs. */
const MAX_DIGITS = 9;
/** Every float32 holds this many; if fewer suffice, the rest are zeros. */
const SURE_DIGITS = 6;
/** Below, they hold fewer. */
const MIN_NORMAL = 2 ** -126;

/** The number with the fewest digits that is stored as this float32. */
export function shortestFloat32(value: number): number {
  const stored = Math.fround(value);
  const first = Math.abs(stored) < MIN_NORMAL ? 1 : SURE_DIGITS;
  for (let digits = first; digits < MAX_DIGITS; digits++) {
    const short = Number(stored.toPrecision(digits));
    if (Math.fround(short) === stored) return short;
  }
  return Number(stored.toPrecision(MAX_DIGITS));
}

/** A float32 as numpy prints it: the shortest digits that are read back as the same number. */
export function float32Text(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const short = shortestFloat32(value);
  const size = Math.abs(short);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [mantissa = "", sign = "", exponent = ""] = short.toExponential().split(/e([+-])/);
    return `${mantissa}e${sign}${exponent.padStart(2, "0")}`;
  }
  const text = Object.is(value, -0) ? "-0" : String(short);
  return text.includes(".") ? text : `${text}.0`;
}
