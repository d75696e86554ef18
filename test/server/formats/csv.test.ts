import { expect, it } from "vitest";
import { type Cell, csvLine } from "../../../src/server/formats/csv.js";
import { chance, SEED } from "../../support/run/trials.js";

it.each<[Cell[], string]>([
  [["tas", 12, -3.5, true], "tas,12,-3.5,true"],
  [[undefined, "", [], [""]], ',"",,""'],
  [['say "x"', "a,b", "a\r\nb", " a"], '"say ""x""","a,b","a\r\nb"," a"'],
  [[["tas", "pr"], ["a;b", "c\\d"], ["tas"]], "tas;pr,a\\;b;c\\\\d,tas"],
  // What would be calculated is a text; what is a number stays one.
  [["=1+1", "+x", "-x", "@x", "＝1", "\tx", "\r=1"], "'=1+1,'+x,'-x,'@x,'＝1,'\tx,\"'\r=1\""],
  [[" =1", "'x", ["=1", "x"], "-10,30"], "' =1,''x,'=1;x,\"'-10,30\""],
  [["-5", "+1.5", "-1e3", "1985"], "-5,+1.5,-1e3,1985"],
])("a line of CSV is written for %j", (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});

/** RFC 4180, one line; undefined where a cell has nothing. */
function cellsOf(line: string): (string | undefined)[] {
  const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n$)/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain || undefined));
}

/** The texts of a list that is not empty. */
const listOf = (text: string): string[] =>
  [...`${text};`.matchAll(/((?:[^;\\]|\\.)*);/gs)].map(([, part = ""]) =>
    part.replace(/\\(.)/gs, "$1"),
  );

it("all CSV lines can be read back", () => {
  const random = chance(SEED);
  const pieces = ['"', ",", ";", "\\", "'", "=", "-", "\r\n", " ", "tas", "1", "\u{1f30d}", "\t"];
  const text = (least: number): string =>
    Array.from(
      { length: least + Math.floor(random() * 6) },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join("");
  for (let attempt = 0; attempt < 2000; attempt++) {
    const plain = text(0);
    const list = Array.from({ length: 1 + Math.floor(random() * 3) }, () => text(0));
    const line = csvLine([plain, list]);
    const read = cellsOf(line).map((cell) => cell?.replace(/^'/, ""));
    expect(read, line).toHaveLength(2);
    expect(read[0], line).toBe(plain);
    expect(listOf(read[1] ?? "x"), line).toEqual(list);
  }
});
