import { useEffect, useRef, useState } from "preact/hooks";

type Texts<N extends string> = Readonly<Record<N, string>>;

interface Draft<N extends string> {
  /** The text that the fields show. */
  readonly texts: Texts<N>;
  /** Notes what the user writes into a field. */
  readonly write: (name: N, text: string) => void;
  /** Drops what was written, when it is applied or something else is chosen. */
  readonly drop: () => void;
  /** Properties of the element around the fields. */
  readonly around: {
    readonly onFocusIn: () => void;
    readonly onFocusOut: (event: FocusEvent) => void;
  };
}

/**
 * Texts of fields that change from elsewhere as well: by Back, a map, or an answer that arrives. While the focus is
 * among the fields, what the user has written stays.
 *
 * @param held the texts from elsewhere; new ones replace what was written in fields that nobody edits
 */
export function useDraft<N extends string>(held: Texts<N>): Draft<N> {
  const key = JSON.stringify(held);
  const [draft, setDraft] = useState<{ readonly key: string; readonly texts: Partial<Texts<N>> }>({
    key,
    texts: {},
  });
  const isEditing = useRef(false);
  // Otherwise Back, which brings an earlier text again, would bring what was written over it as well.
  useEffect(() => {
    if (!isEditing.current) setDraft({ key, texts: {} });
  }, [key]);
  const written = draft.key === key || isEditing.current ? draft.texts : {};
  return {
    texts: { ...held, ...written },
    write: (name, text) => setDraft({ key, texts: { ...written, [name]: text } }),
    drop: () => setDraft({ key, texts: {} }),
    around: {
      onFocusIn: () => {
        isEditing.current = true;
      },
      onFocusOut: ({ currentTarget, relatedTarget }) => {
        isEditing.current = (currentTarget as Element).contains(relatedTarget as Element | null);
      },
    },
  };
}
