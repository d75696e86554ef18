import { change, place } from "../address/address.js";
import { useSettling } from "../parts/use-settling.js";
import { put } from "./look-address.js";

/**
 * A parameter that changes many times a second, as with a slider: the value is used at once, and written to the address
 * when it rests, as browsers limit changes per second.
 */
export function useDelayedParameter(name: string) {
  const stored = place.value.query.get(name) ?? undefined;
  const { value, move } = useSettling(stored, stored ?? "", (text) =>
    change((query) => put(query, { [name]: text }), { replace: true }),
  );
  return [value, move] as const;
}
