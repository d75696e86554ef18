/** The title of a first look: the name of its dataset or file, never an identifier. */
import { useEffect } from "preact/hooks";
import { fileName } from "../../../src/domain/text/file-name.js";
import { useAnswer } from "../service/answer.js";
import { send } from "../service/request.js";
import { words } from "../words/look.js";
import { words as shellWords } from "../words/shell.js";
import type { LookAddress } from "./look-address.js";

/** Also names the browser's tab. @returns undefined as long as it is unknown */
export function useTitle({ id, file, dataset }: LookAddress): string | undefined {
  const found = useAnswer(file === undefined ? id : undefined, async (signal) => ({
    id,
    title: await pageTitle(id ?? "", signal),
  })).value;
  const title = dataset ?? (file === undefined ? found?.id === id && found?.title : fileName(file));
  const name = title || undefined;
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} · ${words.title} · ${shellWords.page}`;
  }, [name]);
  return name;
}

/** The title of the service's page about a stream: only there an identifier has the name that the index gives it. */
async function pageTitle(id: string, signal: AbortSignal): Promise<string> {
  const answer = await send("get", "/data-portal/zarr/{store}", {
    in: { store: `${id}.zarr` },
    headers: { Accept: "text/html" },
    signal,
  });
  // Only this element: the policy of this page forbids the style that the other one has, even in a parsed document.
  const [title = ""] = /<title>[^<]*<\/title>/.exec(await answer.text()) ?? [];
  return new DOMParser().parseFromString(title, "text/html").title;
}
