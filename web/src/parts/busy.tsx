import { words } from "../words/parts.js";

/** A progress sign. @param of what is loading, for screen readers */
export function Busy({ of = words.busy }: { readonly of?: string }) {
  return (
    <p class="busy">
      <span class="busy-sign" aria-hidden="true" />
      {of}
    </p>
  );
}
