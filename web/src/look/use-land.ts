import { useEffect, useState } from "preact/hooks";
import { type Land, loadLand } from "./draw/land.js";

let loaded: Promise<Land> | undefined;

/** The coastlines once loaded; the map works without them. */
export function useLand(): Land | undefined {
  const [land, setLand] = useState<Land>();
  useEffect(() => {
    loaded ??= loadLand();
    loaded.then(setLand, () => {
      loaded = undefined;
    });
  }, []);
  return land;
}
