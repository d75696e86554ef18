/** Boxes of elements in row-major arrays. */

export interface Box {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** The intersection of two boxes; undefined if it is empty. */
export function intersect(a: Box, b: Box): Box | undefined {
  const start: number[] = [];
  const shape: number[] = [];
  for (let d = 0; d < a.start.length; d++) {
    const from = Math.max(a.start[d] ?? 0, b.start[d] ?? 0);
    const end = (box: Box): number => (box.start[d] ?? 0) + (box.shape[d] ?? 0);
    const to = Math.min(end(a), end(b));
    if (to <= from) return undefined;
    start.push(from);
    shape.push(to - from);
  }
  return { start, shape };
}

/** The distance between indexes along each dimension. */
function strides(shape: readonly number[], size: number): number[] {
  const result = new Array<number>(shape.length).fill(size);
  for (let d = shape.length - 2; d >= 0; d--) {
    result[d] = (result[d + 1] ?? size) * (shape[d + 1] ?? 1);
  }
  return result;
}

const offset = (box: Box, within: Box, steps: readonly number[]): number =>
  box.start.reduce((sum, from, d) => sum + (from - (within.start[d] ?? 0)) * (steps[d] ?? 0), 0);

/**
 * Calls a visitor for each contiguous run of a box, with its start in both arrays and its length.
 *
 * @param size bytes of an element, or 1 to count in elements
 */
export function eachRun(
  box: Box,
  source: Box,
  target: Box,
  size: number,
  visit: (from: number, to: number, length: number) => void,
): void {
  const rank = box.shape.length;
  const sourceSteps = strides(source.shape, size);
  const targetSteps = strides(target.shape, size);
  // Trailing dimensions that are whole in both arrays belong to one run.
  let inner = rank - 1;
  let run = size * (box.shape[inner] ?? 1);
  while (
    inner > 0 &&
    box.shape[inner] === source.shape[inner] &&
    box.shape[inner] === target.shape[inner]
  ) {
    inner -= 1;
    run *= box.shape[inner] ?? 1;
  }
  const walk = (d: number, from: number, to: number): void => {
    if (d >= inner) {
      visit(from, to, run);
      return;
    }
    const length = box.shape[d] ?? 0;
    for (let i = 0; i < length; i++) {
      walk(d + 1, from + i * (sourceSteps[d] ?? 0), to + i * (targetSteps[d] ?? 0));
    }
  };
  walk(0, offset(box, source, sourceSteps), offset(box, target, targetSteps));
}

export function fillWith(target: Uint8Array, element: Uint8Array | undefined): void {
  if (element === undefined || element.length === 0 || element.every((byte) => byte === 0)) return;
  target.set(element.subarray(0, Math.min(element.length, target.length)));
  for (let done = element.length; done < target.length; done *= 2) {
    target.copyWithin(done, 0, Math.min(done, target.length - done));
  }
}
