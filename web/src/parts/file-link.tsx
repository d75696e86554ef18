/** A link to the answer of an operation, which is saved as a file. */
import type { ComponentChildren } from "preact";
import type { paths } from "../../../generated/openapi.js";
import { Unreachable } from "../service/problem.js";
import { addressOf, type RequestOptions, send } from "../service/request.js";
import { currentUser } from "../service/session.js";
import { ShortFailure } from "./failure.js";
import { saveFile } from "./save-file.js";
import { useAction } from "./use-action.js";

interface Props {
  readonly path: keyof paths;
  readonly options: RequestOptions;
  /** Name of the file. */
  readonly file: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A browser sends no token with a link, so the page sends the requests of signed-in users. */
export function FileLink({ path, options, file, class: style, children }: Props) {
  const { busy, failure, run } = useAction();
  const save = async (): Promise<void> => {
    const answer = await send("get", path, options);
    const content = await answer.blob().catch((error: unknown) => {
      throw new Unreachable(error);
    });
    saveFile(content, file);
  };
  return (
    <>
      <a
        class={style}
        download={file}
        href={addressOf(path, options)}
        aria-disabled={busy}
        onClick={(event) => {
          if (currentUser.value === undefined) return;
          event.preventDefault();
          void run(save);
        }}
      >
        {children}
      </a>
      <ShortFailure text={failure?.message} />
    </>
  );
}
