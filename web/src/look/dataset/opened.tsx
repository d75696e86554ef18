/** Opens the data of a file or an identifier, and shows what is made of them. */

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fileName } from "../../../../src/domain/text/file-name.js";
import { Busy } from "../../parts/busy.js";
import { useAnswer } from "../../service/answer.js";
import { Refused } from "../../service/problem.js";
import { currentUser, signIn } from "../../service/session.js";
import { words } from "../../words/look.js";
import type { OpenDataset } from "../data/types.js";
import { LookFailure } from "../look-failure.js";
import { joinedId, streamId } from "../stream-id.js";
import { openDataset } from "./dataset.js";

interface OfData {
  /** @param isWhole whether these are all files of a dataset as one */
  readonly render: (dataset: OpenDataset, isWhole?: boolean) => JSX.Element;
  /** Shown when the data cannot be opened: what is known without them, and where to go. */
  readonly otherwise?: ComponentChildren;
}

interface Found {
  /** The request that this answers. */
  readonly key: string;
  readonly dataset: OpenDataset;
  readonly isWhole: boolean;
  /** Why the files of the dataset are not shown as one. */
  readonly reason?: string | undefined;
}

const IN_PREPARATION = "urn:climate-nextgen:problem:join-in-preparation";

/**
 * All files of a dataset as one, or those with the variable of a file; the reason, if they cannot be joined. Many files take long when they are joined first.
 *
 * @param onProgress receives how far the service is
 */
async function openJoined(
  dataset: string,
  file: string,
  flavour: string,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<OpenDataset | string> {
  const id = await joinedId(dataset, file, flavour, signal).catch(refusal);
  if (typeof id !== "string") return id?.message ?? words.joinNeedsUser;
  for (;;) {
    const opened = await openDataset(id, signal).catch(refusal);
    if (!(opened instanceof Refused)) return opened;
    if (opened.problem.type !== IN_PREPARATION) return opened.message;
    onProgress(opened.message);
    await passed((opened.retryAfter ?? 5) * 1000, signal);
  }
}

/** Gives a refusal as a value. */
function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

/** Ends after some milliseconds, or once the signal is aborted. */
const passed = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Data by identifier, or those of a file. */
type Source =
  | { readonly id: string }
  | {
      readonly file: string;
      readonly flavour: string;
      /** The dataset to open as one if its files can be joined. */
      readonly dataset?: string | undefined;
    };

export function Opened({ of, render, otherwise }: OfData & { readonly of: Source }) {
  const key = JSON.stringify(of);
  const [progress, setProgress] = useState<string>();
  const { value, failure, retry } = useAnswer(key, async (signal): Promise<Found> => {
    setProgress(undefined);
    if ("id" in of) return { key, dataset: await openDataset(of.id, signal), isWhole: false };
    const { file, flavour, dataset } = of;
    const joined =
      dataset === undefined ? "" : await openJoined(dataset, file, flavour, signal, setProgress);
    if (typeof joined !== "string") return { key, dataset: joined, isWhole: true };
    const id = await streamId(file, flavour, signal);
    return { key, dataset: await openDataset(id, signal), isWhole: false, reason: joined };
  });
  // Ends the worker.
  useEffect(() => () => value?.dataset.close(), [value]);
  const current = value?.key === key ? value : undefined;
  // Most data need a token.
  const needsUser =
    failure instanceof Refused && failure.status === 401 && currentUser.value === undefined;
  return (
    <>
      {"file" in of && of.dataset !== undefined && current?.isWhole === false && (
        <p class="quiet">{words.notJoined(fileName(of.file), current.reason ?? "")}</p>
      )}
      {failure && needsUser && (
        <div class="panel">
          <p>{words.signedOut}</p>
          <button type="button" class="primary" onClick={() => signIn()}>
            {words.signIn}
          </button>
        </div>
      )}
      {failure && !needsUser && <LookFailure failure={failure} retry={retry} advice={words.gone} />}
      {failure && otherwise}
      {!failure && current && render(current.dataset, current.isWhole)}
      {!failure && !current && <Busy of={progress ?? words.opening} />}
    </>
  );
}
