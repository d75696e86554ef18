/**
 * The weights in a header of content negotiation by names in lower case, such as those of media types in `Accept` (RFC 9110, 12.4.2).
 * A weight that is no number is 0.
 */
export function weightsIn(header: string | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const range of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight) || 0);
  }
  return weights;
}
