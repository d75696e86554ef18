/** How many elements an array of this shape has; 1 of one without dimensions. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
