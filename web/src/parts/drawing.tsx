/** Small drawings for views that have nothing to show, and rows in the place of those that are still to come. */

const DRAWINGS = {
  /** A globe under a magnifier. */
  nothing: [
    "M14 40a26 26 0 1 0 52 0 26 26 0 1 0-52 0M14 40h52M40 14c9 9 9 43 0 52M40 14c-9 9-9 43 0 52",
    "M58 54a13 13 0 1 0 26 0 13 13 0 1 0-26 0M80.5 63.5 94 77",
  ],
  /** An empty basket. */
  cart: [
    "M10 20h10l8 36h44l8-26H23",
    "M32 68a3 3 0 1 0 6 0 3 3 0 1 0-6 0M62 68a3 3 0 1 0 6 0 3 3 0 1 0-6 0",
  ],
} as const;

export function Drawing({ of }: { readonly of: keyof typeof DRAWINGS }) {
  const [quiet, strong] = DRAWINGS[of];
  return (
    <svg class="drawing" viewBox="0 0 100 84" aria-hidden="true" focusable="false">
      <path d={quiet} />
      <path class="drawing-strong" d={strong} />
    </svg>
  );
}

/** @param rows of the height of a value with its name */
export function ComingRows({ rows }: { readonly rows: number }) {
  return (
    <div class="coming" aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} style={{ width: `${90 - ((at * 23) % 45)}%` }} />
      ))}
    </div>
  );
}
