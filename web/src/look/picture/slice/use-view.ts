import { useEffect, useMemo, useState } from "preact/hooks";
import { type Frame, type View, viewOfAll, within } from "../../draw/view.js";
import { readView, viewText } from "../../look-address.js";
import { useDelayedParameter } from "../../use-delayed-parameter.js";

/** The part of the picture in view, which the address keeps unless it is the whole. */
export function useView(frame: Frame) {
  const [written, write] = useDelayedParameter("view");
  // The text of a view is rounded: until the address changes, the exact one is shown.
  const [moved, setMoved] = useState<View>();
  useEffect(() => setMoved(undefined), [written]);
  const all = useMemo(() => viewOfAll(frame), [frame]);
  const stored = useMemo(() => {
    const view = readView(written ?? "");
    return view && within(view, frame);
  }, [written, frame]);
  const setView = (next: View): void => {
    const isAll = next.span === all.span && next.x === all.x && next.y === all.y;
    const text = isAll ? undefined : viewText(next);
    if (text !== written) setMoved(next);
    write(text);
  };
  return { view: moved ?? stored ?? all, setView, all };
}
