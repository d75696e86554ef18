/** Saves the picture as a file. */
import { Failure } from "../../parts/failure.js";
import { saveFile } from "../../parts/save-file.js";
import { useAction } from "../../parts/use-action.js";
import { words } from "../../words/look.js";
import type { Range } from "../draw/colour-scale.js";
import { useLand } from "../draw/land.js";
import type { Frame, View } from "../draw/view.js";
import type { Slice } from "./picture.js";
import { pictureFile } from "./picture-file.js";

/** The file's name without its ending, or the variable; then the slice, such as "tas_Amon_..._2000-01-16.png". */
export function pictureName(dataName: string, variable: string, when: string): string {
  const base = dataName.replace(/\.(?:nc\d?|zarr)$/, "");
  return `${[base === "" ? variable : base, when].join("_").replaceAll(/[^\w.+-]+/g, "_")}.png`;
}

interface Props {
  readonly drawn: NonNullable<Slice["drawn"]>;
  readonly range: Range | undefined;
  readonly table: Uint8Array;
  readonly frame: Frame;
  readonly view: View;
  readonly units: string;
  readonly name: string;
  readonly when: string;
  /** Name of the file or dataset; may be empty. */
  readonly dataName: string;
  readonly source: string;
  readonly file: string;
}

export function SavePicture({ name, when, dataName, file, ...content }: Props) {
  const land = useLand();
  const { busy, failure, run } = useAction();
  const save = async (): Promise<void> => {
    const [title, subtitle] =
      dataName === "" ? [name, when] : [dataName, [name, when].filter(Boolean).join(", ")];
    saveFile(await pictureFile({ ...content, land, title, subtitle }), file);
  };
  return (
    <>
      <button type="button" aria-disabled={busy} onClick={() => run(save)}>
        {words.download}
      </button>
      {failure && <Failure failure={failure} />}
    </>
  );
}
