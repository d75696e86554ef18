import { useState } from "preact/hooks";
import { words } from "../../words/parts.js";
import { announce } from "../announce.js";

/**
 * Copies a text to the clipboard. A page without TLS has no `navigator.clipboard`, and a browser may refuse it: then a selected
 * text is copied, which needs neither.
 *
 * @param beside an element within the dialog that is open, if one is
 * @returns whether it was copied
 */
async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement("textarea");
    box.value = text;
    box.className = "visually-hidden";
    beside.after(box);
    box.select();
    const isCopied = document.execCommand("copy");
    box.remove();
    beside.focus();
    return isCopied;
  }
}

/** Copies a text to the clipboard. @param name label, if "Copy" alone is not enough */
export function CopyButton({
  text,
  name = words.copy,
}: {
  readonly text: string;
  readonly name?: string;
}) {
  const [told, setTold] = useState<string>();
  const copy = async (button: HTMLElement): Promise<void> => {
    const outcome = (await copyText(text, button)) ? words.copied : words.notCopied;
    setTold(outcome);
    announce(outcome);
    setTimeout(() => setTold(undefined), 2_000);
  };
  return (
    <button type="button" onClick={({ currentTarget }) => copy(currentTarget)}>
      {told ?? name}
    </button>
  );
}
