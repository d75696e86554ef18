/** Entries from dropped or chosen files: their headers are read in the browser. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { words } from "../words/userdata.js";
import { addDropped, draft, setFolder, withoutFolder } from "./draft.js";
import type { FileFacts } from "./header/file-facts.js";
import type { HeaderAnswer } from "./header/worker.js";

export function FromFiles() {
  const { folder } = draft.value;
  const homeless = withoutFolder();
  const [reading, setReading] = useState<string>();
  const [message, setMessage] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  const take = async (files: readonly File[]): Promise<void> => {
    let count = 0;
    const notes: string[] = [];
    for (const file of files) {
      setReading(file.name);
      try {
        const facts = await readHeader(file);
        addDropped(entryOf(file, facts));
        count += 1;
        if (facts.unclear.length > 0) notes.push(words.unclear(file.name, facts.unclear));
      } catch (error) {
        notes.push((error as Error).message);
      }
    }
    setReading(undefined);
    setMessage([words.read(count), ...notes]);
    announce([words.read(count), ...notes].join(" "));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the file field inside does the same
    <div
      class={isOver ? "userdata-files over" : "userdata-files"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <h3>{words.drop}</h3>
      <p class="quiet">{words.dropLead}</p>
      <label class="userdata-field">
        {words.folder}
        <input
          type="text"
          value={folder}
          placeholder={words.folderHint}
          onInput={(event) => setFolder(event.currentTarget.value)}
        />
      </label>
      <input
        type="file"
        id="userdata-choose"
        class="visually-hidden"
        multiple
        onChange={(event) => {
          const input = event.currentTarget;
          // Cleared, so that the same file can be chosen again.
          void take([...(input.files ?? [])]).then(() => {
            input.value = "";
          });
        }}
      />
      <label class="button userdata-choose" for="userdata-choose">
        {words.choose}
      </label>
      {homeless > 0 && <p>{words.folderNeeded(homeless)}</p>}
      {reading !== undefined && <p class="busy">{words.reading(reading)}</p>}
      {message.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** The draft of an entry. */
function entryOf({ name: file }: File, facts: FileFacts) {
  const { variable, time, time_frequency, bbox, facets } = facts;
  return {
    file,
    ...facets,
    variable: variable.length === 1 ? (variable[0] ?? "") : variable,
    time: time ?? "",
    time_frequency: time_frequency ?? "",
    ...(bbox !== undefined && { bbox }),
  };
}

/** Milliseconds. */
const TIMEOUT = 30_000;

/** Reads the header of a file in the browser; nothing is sent. @throws Error with a sentence for the user */
function readHeader(file: File): Promise<FileFacts> {
  const worker = new Worker(new URL(WORKER_FILES.header ?? "", import.meta.url), {
    type: "module",
  });
  return new Promise<FileFacts>((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(words.notRead(file.name, reason)));
    setTimeout(() => fail(words.tooSlow), TIMEOUT);
    worker.onerror = () => fail(words.fault);
    worker.onmessage = ({ data }: MessageEvent<HeaderAnswer>) => {
      if ("facts" in data) resolve(data.facts);
      else fail(data.reason);
    };
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
