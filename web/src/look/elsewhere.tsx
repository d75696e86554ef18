/** Links to other viewers, which read the data through an address that needs no token. */
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/code/copy-button.js";
import { Failure } from "../parts/failure.js";
import { Select } from "../parts/select.js";
import { useAction } from "../parts/use-action.js";
import { minuteWords } from "../service/dates.js";
import { sendJson } from "../service/request.js";
import { words } from "../words/look.js";

/** Sites that take the address of a zarr store in their own; nothing is loaded from them here. */
const SITES: readonly (readonly [string, (address: string) => string])[] = [
  ["gridlook", (address) => `https://gridlook.pages.dev/#${address}`],
  ["browzarr", (address) => `https://browzarr.io/latest/?store=${encodeURIComponent(address)}`],
];

const LIFETIMES = [
  [3600, words.hour],
  [86_400, words.day],
  [604_800, words.week],
] as const;

interface Shared {
  readonly url: string;
  readonly expires: number;
}

const isLocal = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

export function Elsewhere({ id }: { readonly id: string }) {
  const [seconds, setSeconds] = useState<number>(LIFETIMES[0][0]);
  const [shared, setShared] = useState<Shared>();
  const [note, setNote] = useState("");
  const { busy, failure, run } = useAction();
  const share = () =>
    run(async () => {
      setNote("");
      const body = { uuid: id, ttl_seconds: seconds };
      setShared(await sendJson("post", "/data-portal/share-zarr", { body }));
    });
  const takeBack = (url: string) =>
    run(async () => {
      setNote("");
      await sendJson("delete", "/data-portal/share-zarr", { body: { url } });
      setShared(undefined);
      setNote(words.takenBack);
    });
  return (
    <section class="panel" aria-labelledby="elsewhere-heading">
      <h2 id="elsewhere-heading">{words.elsewhere}</h2>
      <p>{words.elsewhereWhy}</p>
      {location.protocol === "http:" && !isLocal(location.hostname) && (
        <p class="wrong">{words.insecure}</p>
      )}
      <div class="row">
        <Select
          label={`${words.lifetime} `}
          value={seconds}
          options={LIFETIMES}
          choose={(chosen) => setSeconds(Number(chosen))}
        />
        <button type="button" aria-disabled={busy} onClick={share}>
          {words.share}
        </button>
      </div>
      <div aria-live="polite">
        {failure && <Failure failure={failure} />}
        {note !== "" && <p>{note}</p>}
        {shared && (
          <>
            <p>{words.expires(minuteWords(shared.expires))}</p>
            <div class="row">
              {SITES.map(([site, address]) => (
                <a
                  key={site}
                  class="button"
                  href={address(shared.url)}
                  target="_blank"
                  rel="noopener noreferrer"
                >
                  {words.openIn(site)}
                </a>
              ))}
              <CopyButton text={shared.url} name={words.copyAddress} />
              <button type="button" aria-disabled={busy} onClick={() => takeBack(shared.url)}>
                {words.takeBack}
              </button>
            </div>
          </>
        )}
      </div>
    </section>
  );
}
