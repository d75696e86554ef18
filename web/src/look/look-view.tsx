/** The first look at a dataset. */
import { useEffect } from "preact/hooks";
import { href, place } from "../address/address.js";
import { Busy } from "../parts/busy.js";
import { useAnswer } from "../service/answer.js";
import { Refused } from "../service/problem.js";
import { send } from "../service/request.js";
import { currentUser, signIn } from "../service/session.js";
import { words } from "../words/look.js";
import { openDataset } from "./dataset.js";
import { DatasetView } from "./dataset-view.js";
import { readLookAddress } from "./look-address.js";
import { LookFailure, NotFound } from "./look-failure.js";

export function LookView() {
  const { id, file, flavour } = readLookAddress(place.value.query);
  const named = id ?? file;
  return (
    <div class="look">
      <h1>{words.title}</h1>
      {named === undefined ? (
        <p>
          {words.nothing} <a href={href("")}>{words.toSearch}</a>
        </p>
      ) : currentUser.value === undefined ? (
        <SignedOut />
      ) : id !== undefined ? (
        <OneDataset id={id} />
      ) : (
        <OneFile file={named} flavour={flavour} />
      )}
    </div>
  );
}

function SignedOut() {
  return (
    <div class="panel">
      <p>{words.signedOut}</p>
      <button type="button" class="primary" onClick={() => signIn()}>
        {words.signIn}
      </button>
    </div>
  );
}

/** The identifier of a file's stream. @throws as send; NotThere if no file has this path */
async function idOf(
  file: string,
  flavour: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const answer = await send("get", "/databrowser/load/{flavour}", {
    in: { flavour: flavour ?? "native" },
    query: [
      ["file", file],
      ["multi-version", "true"],
    ],
    headers: { Accept: "text/plain" },
    signal,
  }).catch((error: unknown) => {
    // The service answers 400 if the search for addresses finds nothing.
    throw error instanceof Refused && error.status === 400 ? new NotFound(words.notFound) : error;
  });
  const [, id] = /\/data-portal\/zarr\/([^/\s]+)\.zarr/.exec(await answer.text()) ?? [];
  if (id === undefined) throw new NotFound(words.notFound);
  return decodeURIComponent(id);
}

function OneFile({
  file,
  flavour,
}: {
  readonly file: string;
  readonly flavour: string | undefined;
}) {
  const { value, failure, retry } = useAnswer(JSON.stringify([file, flavour]), async (signal) => ({
    file,
    id: await idOf(file, flavour, signal),
  }));
  if (failure) return <LookFailure failure={failure} retry={retry} />;
  return value?.file === file ? <OneDataset id={value.id} /> : <Busy of={words.opening} />;
}

function OneDataset({ id }: { readonly id: string }) {
  const { value, failure, retry } = useAnswer(id, (signal) => openDataset(id, signal));
  // Ends the worker.
  useEffect(() => () => value?.close(), [value]);
  if (failure) return <LookFailure failure={failure} retry={retry} advice={words.gone} />;
  return value?.header.id === id ? (
    <DatasetView key={id} dataset={value} />
  ) : (
    <Busy of={words.opening} />
  );
}
