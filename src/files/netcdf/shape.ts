/** Number of elements of an array; 1 without dimensions. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
