import { words } from "../words/parts.js";

/** Something is on its way. @param of what it is, for who cannot see where it stands */
export function Busy({ of = words.busy }: { readonly of?: string }) {
  return (
    <p class="busy">
      <span class="busy-sign" aria-hidden="true" />
      {of}
    </p>
  );
}
