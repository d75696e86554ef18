/** The Cartesian product: every way to choose one item from each list. */
export function* combinations<T>(choices: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...others] = choices;
  if (first === undefined) yield [];
  else {
    for (const rest of combinations(others)) for (const one of first) yield [one, ...rest];
  }
}
