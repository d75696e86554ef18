/** HDF5 compiled to WebAssembly, for filters without an implementation here. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DamagedFile, NotReadableFormat } from "../errors.js";
import { elementCount } from "../shape.js";
import { CAPSULE_DATASET, type CapsuleChunk, type Hdf5Decoder, makeCapsule } from "./capsule.js";

export type { Hdf5Decoder } from "./capsule.js";

/** Filters by registered number, and their plugins; "" if HDF5 includes the filter. */
const PLUGINS: Readonly<Record<number, string>> = {
  1: "",
  2: "",
  3: "",
  4: "",
  5: "",
  6: "",
  307: "bz2",
  32000: "lzf",
  32001: "blosc",
  32004: "lz4",
  32008: "bshuf",
  32013: "zfp",
  32015: "zstd",
  32026: "blosc2",
  // These change values only on writing; stored data need no decoding.
  32022: "bitgroom",
  32023: "bitround",
};

const FOLDER = "/plugins";
const PATH = "/chunk.h5";

/** Loads the library, which takes some 50 ms and 50 MB: only for processes that decode. */
export async function loadHdf5Decoder(): Promise<Hdf5Decoder> {
  const { default: h5wasm } = await import("h5wasm");
  const module = await h5wasm.ready;
  const folder = dirname(createRequire(import.meta.url).resolve("h5wasm-plugins"));
  module.FS.mkdirTree(FOLDER);
  module.insert_plugin_search_path(FOLDER, 0);
  const installed = new Set<string>();
  const install = (name: string): void => {
    if (name === "" || installed.has(name)) return;
    const library = `libH5Z${name}.so`;
    module.FS.writeFile(`${FOLDER}/${library}`, readFileSync(join(folder, "plugins", library)));
    installed.add(name);
  };

  const decode = (chunk: CapsuleChunk): Uint8Array => {
    for (const { id } of chunk.filters) {
      const plugin = PLUGINS[id];
      if (plugin === undefined) throw new NotReadableFormat(`The HDF5 filter ${id} is not known.`);
      install(plugin);
    }
    const bytes = elementCount(chunk.chunk) * chunk.elementSize;
    module.FS.writeFile(PATH, makeCapsule(chunk));
    const file = module.open(
      PATH,
      module.H5F_ACC_RDONLY,
      false,
      module.H5F_LIBVER_EARLIEST,
      module.H5F_LIBVER_LATEST,
    );
    const memory = module._malloc(bytes);
    try {
      if (memory === 0) throw new Error("no memory");
      const failed = module.get_dataset_data(
        file,
        `/${CAPSULE_DATASET}`,
        null,
        null,
        null,
        BigInt(memory),
      );
      if (failed !== 0) throw new Error(`HDF5 answers ${failed}`);
      return module.HEAPU8.slice(memory, memory + bytes);
    } catch (cause) {
      throw new DamagedFile("A chunk of the file cannot be decoded.", { cause });
    } finally {
      module._free(memory);
      module.close_file(file);
      module.FS.unlink(PATH);
    }
  };
  return { decode };
}
