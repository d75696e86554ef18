/** Size of the current search, always visible. */
import { useEffect } from "preact/hooks";
import { search } from "../address/address.js";
import { announce } from "../parts/announce.js";
import { useJson } from "../service/answer.js";
import { type CodeRequest, codeRequest } from "../service/code-request.js";
import { useFlavour } from "../service/flavours.js";
import type { Answer } from "../service/request.js";
import { words } from "../words/summary-bar.js";

const PATH = "/databrowser/summary/{flavour}/{uniq_key}";

type Summary = Answer<typeof PATH>;

const optionsOf = (flavour: string) => ({
  in: { flavour, uniq_key: "file" },
  query: search.value.pairs,
});

/** The bar's request, shown as code. @param title what it gives */
export const summaryRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, PATH, optionsOf(flavour));

/** The year of a moment, also before the common era and after 9999. */
const yearOf = (moment: string | null): string =>
  moment === null ? words.open : (/^[+-]?\d+/.exec(moment)?.[0] ?? moment);

type Storage = Omit<Summary["storage"][number], "fs_type">;

/** Merges kinds of storage that users need not distinguish. */
function placesOf(storage: Summary["storage"]): [string, Storage][] {
  const places = new Map<string, Storage>();
  for (const { fs_type, ...more } of storage) {
    const place = words.storage(fs_type);
    const { files = 0, bytes = 0, sized_files = 0 } = places.get(place) ?? {};
    places.set(place, {
      files: files + more.files,
      bytes: bytes + more.bytes,
      sized_files: sized_files + more.sized_files,
    });
  }
  return [...places];
}

function Numbers({ summary }: { readonly summary: Summary }) {
  const { files, datasets, bytes, sized_files, start, end, storage, retracted } = summary;
  const isSized = sized_files > 0;
  return (
    <>
      <strong>{words.files(files)}</strong>
      <span>{words.datasets(datasets)}</span>
      {isSized && (
        <span title={sized_files < files ? words.sized(sized_files, files) : undefined}>
          {sized_files < files && "≥ "}
          {words.bytes(bytes)}
        </span>
      )}
      {(start !== null || end !== null) && <span>{words.years(yearOf(start), yearOf(end))}</span>}
      {placesOf(storage).map(([place, { files, bytes, sized_files }]) => (
        <span key={place} class="quiet">
          {sized_files > 0 ? words.bytes(bytes) : words.files(files)} {place}
        </span>
      ))}
      {retracted > 0 && <span class="warn">{words.retracted(retracted)}</span>}
    </>
  );
}

/**
 * Sticks to the top. Old numbers stay until the new ones arrive.
 *
 * @param isQuiet if the view announces its own answer
 */
export function SummaryBar({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  const flavour = useFlavour();
  const { value, failure, busy } = useJson(
    PATH,
    flavour === undefined ? undefined : optionsOf(flavour),
  );
  useEffect(() => {
    if (value !== undefined && !busy && !isQuiet) {
      announce(words.announce(words.files(value.files), words.datasets(value.datasets)));
    }
  }, [value, busy]);
  return (
    <section class="summary-bar" aria-label={words.label} aria-busy={busy}>
      {value === undefined && !failure && <span>{words.asking}</span>}
      {failure ? <span class="bad">{failure.message}</span> : value && <Numbers summary={value} />}
    </section>
  );
}
