/** Every way to take one of each. */
export function* combinations<T>(choices: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...others] = choices;
  if (first === undefined) yield [];
  else {
    for (const rest of combinations(others)) for (const one of first) yield [one, ...rest];
  }
}
