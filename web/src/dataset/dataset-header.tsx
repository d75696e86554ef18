/** The header of one of a dataset's files, with a way to draw its variables. Loaded when it is opened. */
import { go } from "../address/address.js";
import { Opened } from "../look/dataset/opened.js";
import { HeaderTree } from "../look/header/header-tree.js";

interface Props {
  readonly file: string;
  readonly flavour: string;
}

export const DatasetHeader = ({ file, flavour }: Props) => (
  <Opened
    of={{ file, flavour }}
    render={({ header }) => (
      <HeaderTree
        dataset={header}
        shown={undefined}
        show={({ path }) =>
          go("look", new URLSearchParams({ look_file: file, flavour, show: path }))
        }
      />
    )}
  />
);
