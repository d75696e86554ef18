import { useState } from "preact/hooks";
import { words } from "../../words/parts.js";
import { announce } from "../announce.js";

/** Copies a text to the clipboard. @param name label, if "Copy" alone is not enough */
export function CopyButton({
  text,
  name = words.copy,
}: {
  readonly text: string;
  readonly name?: string;
}) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    announce(words.copied);
    setTimeout(() => setDone(false), 2_000);
  };
  return (
    <button type="button" onClick={copy}>
      {done ? words.copied : name}
    </button>
  );
}
