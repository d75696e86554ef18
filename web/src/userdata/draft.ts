/** The text being written. It survives a reload and a sign-in, in this tab only. */
import { effect, signal } from "@preact/signals";
import { root } from "../address/address.js";

const STORAGE_KEY = `climate-nextgen-draft ${root}`;

interface Draft {
  readonly entries: string;
  readonly facets: string;
}

function kept(): Draft {
  try {
    const { entries, facets } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<
      Record<string, unknown>
    >;
    return {
      entries: typeof entries === "string" ? entries : "",
      facets: typeof facets === "string" ? facets : "",
    };
  } catch {
    return { entries: "", facets: "" };
  }
}

export const draft = signal<Draft>(kept());

effect(() => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft.value));
  } catch {
    // Without storage, it lives as long as the page.
  }
});

export function addLines(lines: readonly string[]): void {
  const { entries, facets } = draft.value;
  const before = entries.trimEnd();
  draft.value = { entries: `${before === "" ? "" : `${before}\n`}${lines.join("\n")}\n`, facets };
}
