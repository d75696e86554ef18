/** Parsers of what callers write: each reads what an oracle reads, or refuses; nothing else is ever thrown. */
import { describe, expect, it } from "vitest";
import { allStandards } from "../../../src/catalogue/drs/index.js";
import { InvalidParameters } from "../../../src/domain/errors.js";
import { readPeriod, solrDate, solrRange, Unreadable } from "../../../src/domain/extent/period.js";
import { envelope, readRegion } from "../../../src/domain/extent/region.js";
import { buildSearch, type SearchInput } from "../../../src/domain/search/search.js";
import { FACET_NAMES } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOURS } from "../../../src/domain/vocabulary/flavours.js";
import { decodeQuery } from "../../../src/server/contract/input/decode-query.js";
import { unknownValuesHeader } from "../../../src/server/contract/structured-field.js";
import { definitionIssues, flavourOf } from "../../../src/server/flavours/definition.js";
import { matches } from "../../../src/server/http/entity-tag.js";
import { expectBelow } from "../../support/run/bounds.js";
import { type TextChance, textChance } from "../../support/run/text-chance.js";
import { attempts, patience, SEED, tried } from "../../support/run/trials.js";

const COUNT = attempts(1500, 100_000);

/** Tries so many texts; says with a failure which one it was. */
function each(next: (by: TextChance) => void): void {
  const by = textChance(SEED);
  tried(COUNT);
  for (let turn = 0; turn < COUNT; turn += 1) next(by);
}

/** What a parser makes of a text; undefined where it refuses it, which is the one thing that it may throw. */
function read<T>(parse: () => T, told: string): T | undefined {
  try {
    return parse();
  } catch (error) {
    expect(error, `SEED=${SEED} ${JSON.stringify(told)}`).toBeInstanceOf(Unreadable);
    return undefined;
  }
}

const two = (number: number): string => String(number).padStart(2, "0");

describe("parsers, given any text", () => {
  it(
    "read two dates of the calendar as a period, and refuse others",
    () =>
      each(({ below, pick, random, text, mutant }) => {
        // The oracle: JavaScript's own calendar, whose months are as long as those of Solr.
        const moment = (): [written: string, first: number, last: number] => {
          const [year, month, day, hour, minute] = [
            below(10_000),
            below(12),
            1 + below(28),
            below(24),
            below(60),
          ];
          const at = (...parts: [number, number?, number?, number?, number?]): number => {
            const date = new Date(0);
            date.setUTCFullYear(parts[0], parts[1] ?? 0, parts[2] ?? 1);
            date.setUTCHours(parts[3] ?? 0, parts[4] ?? 0);
            return date.getTime();
          };
          const date = `${String(year).padStart(4, "0")}-${two(month + 1)}-${two(day)}`;
          return pick<() => [string, number, number]>([
            () => [date.slice(0, 4), at(year), at(year + 1) - 1],
            () => [date.slice(0, 7), at(year, month), at(year, month + 1) - 1],
            () => [date, at(year, month, day), at(year, month, day + 1) - 1],
            () => [
              `${date}T${two(hour)}:${two(minute)}`,
              at(year, month, day, hour, minute),
              at(year, month, day, hour, minute + 1) - 1,
            ],
          ])();
        };
        const [[from, first], [to, , last]] = [moment(), moment()];
        const written = pick([`${from} to ${to}`, `[${from} TO ${to}]`, ` ${from}  to ${to} `]);
        const found = read(() => readPeriod(written), written);
        const expected = last < first ? undefined : { start: first, end: last };
        expect(found, `SEED=${SEED} ${written}`).toEqual(expected);

        const odd = random() < 0.5 ? mutant(written) : text();
        const period = read(() => readPeriod(odd), odd);
        if (period === undefined) return;
        const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = period;
        expect(start <= end, `SEED=${SEED} ${JSON.stringify(odd)}`).toBe(true);
        // What it means is what it means when it is written plainly.
        const plain = `${solrDate(period.start)} to ${solrDate(period.end)}`;
        if (plain !== "* to *") expect(readPeriod(plain), odd).toEqual(period);
        const range = read(() => solrRange(odd), odd);
        if (range !== undefined) expect(range).toMatch(/^\[[-+\dTZ:.*]+ TO [-+\dTZ:.*]+\]$/);
      }),
    patience(20_000),
  );

  it(
    "read four numbers on the globe as a box, and refuse others",
    () =>
      each(({ below, pick, random, text, mutant }) => {
        const number = (): string =>
          pick([
            String(below(800) - 400),
            (random() * 800 - 400).toFixed(below(5)),
            `+${below(90)}`,
            `${below(9)}e1`,
            ".5",
            "7.",
          ]);
        const parts = [number(), number(), number(), number()];
        const written = parts.join(pick([",", ", ", " ,"]));
        const [west = 0, east = 0, south = 0, north = 0] = parts.map(Number);
        const isBox =
          [west, east].every((one) => one >= -180 && one <= 360) &&
          [south, north].every((one) => Math.abs(one) <= 90) &&
          south <= north;
        const found = read(() => readRegion(written), written);
        expect(found !== undefined, `SEED=${SEED} ${written}`).toBe(isBox);
        if (found) {
          const width = east < west ? east - west + 360 : Math.min(east - west, 360);
          expect(found).toMatchObject({ west, south, north });
          expect(found.east - found.west).toBeCloseTo(
            east < west && width < 0 ? width + 360 : width,
            6,
          );
        }

        const odd = random() < 0.5 ? mutant(written) : text();
        const region = read(() => readRegion(odd), odd);
        if (region !== undefined) {
          expect(Object.values(region).every(Number.isFinite), odd).toBe(true);
          expect(region.east - region.west, odd).toBeLessThanOrEqual(360);
          expect(region.south <= region.north && region.west <= region.east, odd).toBe(true);
        }
        const box = read(() => envelope(odd), odd);
        if (box !== undefined)
          expect(box, odd).toMatch(/^ENVELOPE\((?:-?[\d.e-]+,){3}-?[\d.e-]+\)$/);
      }),
    patience(20_000),
  );

  it(
    "make clauses of known fields of a search, or name each wrong key",
    () =>
      each(({ pick, random, text, mutant }) => {
        const key = (): string => {
          const name = pick(["model", "source_id", "file", "uri", "units", "version", "user"]);
          const kind = random();
          return kind < 0.6
            ? name
            : kind < 0.8
              ? `${name}_not_`
              : kind < 0.9
                ? mutant(name)
                : text(2);
        };
        const filters: Record<string, readonly string[]> = {};
        for (const name of [key(), key()])
          if (name !== "__proto__") filters[name] = [text(), text()];
        const input: SearchInput = {
          path: {
            flavour: FLAVOURS[pick(["native", "cmip6", "user"] as const)],
            uniq_key: pick(["file", "uri"]),
          },
          query: {
            "multi-version": random() < 0.5,
            translate: random() < 0.5,
            ...(random() < 0.3 && { time: [text()] }),
            ...(random() < 0.3 && { bbox: [text()] }),
            time_select: pick(["flexible", "strict", "file"]),
            bbox_select: pick(["flexible", "strict", "file"]),
            filters,
          },
        };
        const told = `SEED=${SEED} ${JSON.stringify(input.query)}`;
        try {
          const { filters: clauses } = buildSearch(input);
          // A quote that is not escaped ends a text, and there must be as many that begin one.
          for (const clause of clauses) {
            const bare = clause.replace(/\\./gs, "");
            expect((bare.split('"').length - 1) % 2, `${told} ${clause}`).toBe(0);
          }
        } catch (error) {
          expect(error, told).toBeInstanceOf(InvalidParameters);
          const names = (error as InvalidParameters).issues.map(({ name }) => name);
          expect(names.length, told).toBeGreaterThan(0);
          for (const name of names)
            expect([...Object.keys(filters), "time", "bbox"], told).toContain(name);
        }
      }),
    patience(20_000),
  );

  it(
    "give the kind that a query parameter has, or one reason for each that has not",
    () =>
      each(({ random, pick, text, mutant }) => {
        const parameters = [
          { name: "start", kind: "integer" },
          { name: "multi-version", kind: "boolean" },
          { name: "time", kind: "array" },
          { name: "time_select", kind: "string" },
          { name: "filters", kind: "filters" },
        ];
        const decode = decodeQuery({ parameters, ignoresUnknown: false });
        const query: Record<string, string | string[]> = Object.create(null);
        const keys = [
          "start",
          "multi-version",
          "multi_version",
          "time",
          "time[]",
          "time_select",
          "model",
          "model[0]",
          "filters",
          "filter",
          "filters[model]",
        ];
        for (let left = 3; left > 0; left -= 1) {
          const key = random() < 0.8 ? pick(keys) : random() < 0.5 ? mutant(pick(keys)) : text(3);
          const value = (): string =>
            pick([
              text(4),
              "1",
              "true",
              '["a","b"]',
              '{"model":"x"}',
              "model=x",
              mutant('["a",{"b":1}]'),
            ]);
          query[key] = random() < 0.5 ? value() : [value(), value()];
        }
        const issues: { message: string; path: string[] }[] = [];
        const decoded = decode(query, { addIssue: (issue) => issues.push(issue) });
        const told = `SEED=${SEED} ${JSON.stringify(query)}`;
        for (const { message, path } of issues) {
          expect(message, told).not.toBe("");
          expect(path.length, told).toBe(1);
        }
        const { start, "multi-version": versions, time, time_select: select, filters } = decoded;
        if (start !== undefined) expect(Number.isInteger(start), told).toBe(true);
        if (versions !== undefined) expect(typeof versions, told).toBe("boolean");
        if (select !== undefined) expect(typeof select, told).toBe("string");
        for (const list of [time ?? ["x"], ...Object.values(filters as object)]) {
          expect(Array.isArray(list) && list.length > 0, told).toBe(true);
          for (const one of list as unknown[]) expect(typeof one, told).toBe("string");
        }
        expect(Object.getPrototypeOf(filters), told).toBe(Object.prototype);
      }),
    patience(20_000),
  );

  it(
    "find an entity tag in every list that has it, and in no other",
    () =>
      each(({ random, pick, text, mutant }) => {
        const tag = '"Zk3bW9xw-_0123456789aB"';
        const other = (): string =>
          pick([`"${text(2).replace(/[",]/g, "")}"`, 'W/"x"', '""', mutant("Zk3b")]);
        const list = Array.from({ length: 3 }, other).filter(
          (one) => !one.includes(tag.slice(1, -1)),
        );
        expect(matches(list.join(", "), tag)).toBe(
          list.some((one) => one.trim() === "*") && list.length === 1,
        );
        const weak = random() < 0.5 ? `W/${tag}` : tag;
        list.splice(Math.floor(random() * list.length), 0, weak);
        expect(matches(list.join(pick([",", ", ", " ,\t"])), `W/${tag}`), list.join()).toBe(true);
      }),
    patience(20_000),
  );

  it(
    "get back the value that a structured field was made of, by the words of RFC 9651",
    () =>
      each(({ text }) => {
        const value = { name: text(2), value: text(5), near: [text(3)] };
        const { "Unknown-Values": header = "" } = unknownValuesHeader([value]);
        const told = `SEED=${SEED} ${JSON.stringify(value)}`;
        // A header is ASCII without control characters, and a reader of the list gets both texts.
        expect(header, told).toMatch(/^[\x20-\x7e]+$/);
        const [first, rest] = readText(header);
        const [near, end] = readText(rest.replace(/^;near=/, ""));
        expect(end, told).toBe("");
        const shown = (one: string): string =>
          Buffer.from(
            one.length <= 80 ? one : `${one.slice(0, 80).replace(/[\ud800-\udbff]$/, "")}…`,
          ).toString();
        expect(first, told).toBe(shown(`${value.name}=${value.value}`));
        expect(near, told).toBe(shown(value.near[0] ?? ""));
      }),
    patience(20_000),
  );

  it(
    "read the facets that an archive's path has, or say that it is none",
    () => {
      const standards = allStandards();
      const drs = "/pool/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710";
      const path = `${drs}/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc`;
      each(({ pick, random, text, mutant }) => {
        const odd = random() < 0.7 ? mutant(path) : `/${text(20)}`;
        const begun = performance.now();
        const reading = pick(standards).read(odd);
        expectBelow(performance.now() - begun, 1000, `SEED=${SEED} ${odd}`);
        if (!("facets" in reading)) return;
        for (const name of Object.keys(reading.facets)) expect(FACET_NAMES).toContain(name);
      });
    },
    patience(20_000),
  );

  it(
    "accept unambiguous names of flavours, and name all that is wrong",
    () =>
      each(({ random, pick, text, mutant }) => {
        const name = (): string => (random() < 0.6 ? mutant(pick([...FACET_NAMES])) : text(3));
        const mapping = Object.fromEntries(
          Array.from({ length: 3 }, () => [
            random() < 0.8 ? pick([...FACET_NAMES]) : name(),
            name(),
          ]),
        );
        const definition = {
          name: random() < 0.5 ? `own-${name()}` : pick(["cmip6", "CMIP-6", "own"]),
          mapping,
        };
        const told = `SEED=${SEED} ${JSON.stringify(definition)}`;
        const issues = definitionIssues(definition);
        for (const issue of issues) expect(issue.reason, told).not.toBe("");
        if (issues.length > 0) return;
        const { renamed } = flavourOf(definition);
        expect(Object.keys(renamed).sort(), told).toEqual(Object.keys(mapping).sort());
        const names = FACET_NAMES.map((facet) => renamed[facet] ?? facet);
        expect(new Set(names.map((one) => one.toLowerCase())).size, told).toBe(FACET_NAMES.length);
        for (const one of Object.values(mapping))
          expect(one, told).toMatch(/^[A-Za-z][\w-]{0,63}$/);
      }),
    patience(20_000),
  );
});

/** Reads a String or a Display String at the beginning of a text (RFC 9651, 4.2.5 and 4.2.10); also what is behind it. */
function readText(text: string): [value: string, rest: string] {
  const isDisplay = text.startsWith('%"');
  let at = isDisplay ? 2 : 1;
  const bytes: number[] = [];
  for (; text[at] !== '"'; at += 1) {
    const letter = text[at];
    if (letter === undefined) throw new Error(`no end of ${text}`);
    if (isDisplay && letter === "%") {
      const hex = text.slice(at + 1, at + 3);
      if (!/^[\da-f]{2}$/.test(hex)) throw new Error(`no octet in ${text}`);
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else if (!isDisplay && letter === "\\") {
      at += 1;
      if (!/["\\]/.test(text[at] ?? "")) throw new Error(`no escape in ${text}`);
      bytes.push(text.charCodeAt(at));
    } else bytes.push(letter.charCodeAt(0));
  }
  return [Buffer.from(bytes).toString(), text.slice(at + 1)];
}
