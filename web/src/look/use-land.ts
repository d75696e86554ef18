import { useEffect, useState } from "preact/hooks";
import { type Land, loadLand } from "./draw/land.js";

let loaded: Promise<Land> | undefined;

/** The outlines of the land once they are there; a map can be read without them. */
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
