/** The columns of `search --fields`, which are the same in every line. */
import { describe, expect, it } from "vitest";
import { freshFolder } from "../support/run/folders.js";
import { runHere } from "../support/service/command.js";
import { useService } from "../support/service/use-service.js";

/** More than a page of files: each lacks other facets, and only the last one has a driving model. */
const DOCUMENTS = Array.from({ length: 1002 }, (_, at) => ({
  file: `/data/${String(9999 - at)}.nc`,
  project: ["cordex"],
  ...(at % 2 === 1 && { model: ["m"] }),
  ...(at % 3 > 0 && { experiment: ["e"] }),
  variable: ["tas"],
  ...(at === 1001 && { driving_model: ["d"] }),
  size: at,
}));

const folder = freshFolder();
const service = useService({ documents: DOCUMENTS });

/** The lines of a search, each as its cells. */
async function cells(...args: string[]): Promise<string[][]> {
  const env = { XDG_CONFIG_HOME: folder, HOME: folder };
  const { code, stdout, stderr } = await runHere(
    ["search", "--host", service.address, ...args],
    env,
  );
  expect(code, stderr).toBe(0);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t"));
}

const namesOf = async (fields: string): Promise<string[]> => {
  const [names = []] = await cells("cordex", "--format", "csv", "--limit", "1", "--fields", fields);
  return (names[0] ?? "").replace("\r", "").split(",");
};

describe("columns of fields", () => {
  it("are the same on every page if all fields are requested", async () => {
    for (const fields of ["all", "*", "size,all,file"]) {
      const rows = await cells("cordex", "--fields", fields);
      expect(rows).toHaveLength(DOCUMENTS.length);
      const names = await namesOf(fields.replace("*", "all"));
      const found = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
      expect(found.map(({ file }) => file)).toEqual(DOCUMENTS.map(({ file }) => file));
      expect(new Set(rows.map((row) => row.length))).toEqual(new Set([names.length]));
      expect(new Set(found.map(({ variable }) => variable))).toEqual(new Set(["tas"]));
      expect(found.at(-1)).toMatchObject({ driving_model: "d", model: "m", experiment: "e" });
      expect(found[0]).toMatchObject({ driving_model: "", model: "", experiment: "" });
    }
  });

  it("are the named ones, with or without blanks and empty names; a list without names means all", async () => {
    const first = (fields: string) => cells("cordex", "--limit", "2", "--fields", fields);
    const named = await first("file,variable,size");
    expect(named).toEqual(DOCUMENTS.slice(0, 2).map(({ file, size }) => [file, "tas", `${size}`]));
    expect(await first("file, variable ,size")).toEqual(named);
    expect(await first("file,,variable,size,")).toEqual(named);
    const all = await first("all");
    for (const empty of [" ", ","]) expect(await first(empty)).toEqual(all);
  });
});
