/** docs/netcdf-checks.md has the reason of every refusal of the file reader. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";

const READER = packagePath("src", "files", "netcdf");
const MADE =
  /new (?:DamagedFile|NotReadableFormat|TooLarge|FileChanged|FileGone|FileUnreachable|ReadingTimeout)\(\s*(?:"([^"]*)"|`([^`]*)`)/g;

const sources = (): string[] =>
  readdirSync(READER, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(READER, name), "utf8"));

/** The messages of all errors, with … for what is put into them. */
function messages(): string[] {
  const found = sources().flatMap((text) => [...text.matchAll(MADE)]);
  return found.map(([, plain, template]) => plain ?? (template ?? "").replace(/\$\{[^}]*\}/g, "…"));
}

it("names each message of a refusal once, with the sentence that the input breaks or the danger", () => {
  const page = readFileSync(packagePath("docs", "netcdf-checks.md"), "utf8");
  const [stay = ""] = page.split("## Checks that went");
  const rows = [...stay.matchAll(/^\| (.+?) \| (.+) \|$/gm)].filter(
    ([, name]) => name !== "message",
  );
  expect(rows.map(([, message]) => message).sort()).toEqual([...new Set(messages())].sort());
  expect(rows.length).toBeGreaterThan(100);
});

it("makes no error without a message, but for the sentence that names a file's format", () => {
  const found = sources().flatMap((text) => text.match(/throw new \w+\((?!\s*["`])[^;]*;/g) ?? []);
  expect(found).toEqual(["throw new NotReadableFormat(describeFormat(reader));"]);
});
