/** The header of one of a dataset's files, with a way to draw its variables. Loaded when it is opened. */
import { useMemo } from "preact/hooks";
import { go } from "../address/address.js";
import type { OpenDataset } from "../look/data/types.js";
import { OpenedFile } from "../look/dataset/opened.js";
import { HeaderTree } from "../look/header/header-tree.js";
import { drawable } from "../look/variables.js";

interface Props {
  readonly file: string;
  readonly flavour: string;
}

function Header({ opened, file, flavour }: Props & { readonly opened: OpenDataset }) {
  const { header } = opened;
  const variables = useMemo(() => drawable(header), [header]);
  return (
    <HeaderTree
      dataset={header}
      drawable={variables}
      shown={undefined}
      show={({ path }) => go("look", new URLSearchParams({ look_file: file, flavour, show: path }))}
    />
  );
}

export function DatasetHeader({ file, flavour }: Props) {
  return (
    <OpenedFile
      file={file}
      flavour={flavour}
      render={(opened) => <Header opened={opened} file={file} flavour={flavour} />}
    />
  );
}
