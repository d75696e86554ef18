/** Periods and regions against real documents, each answer held against plain arithmetic. */
import { beforeAll, describe, expect, it } from "vitest";
import { readPeriod } from "../../../src/domain/extent/period.js";
import { type Box, relates } from "../../support/data/arcs.js";
import { relatesInTime } from "../../support/data/periods.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";
import {
  emptyIndex,
  fillIndex,
  load,
  postToSolr,
  type TestDocument,
} from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const service = useService();
beforeAll(() => emptyIndex(service.solr));

async function found(parameters: Record<string, string>): Promise<Set<string>> {
  const response = await service.get(
    `/databrowser/data-search/native/file?${new URLSearchParams(parameters)}`,
  );
  expect(response.status, await response.clone().text()).toBe(200);
  return new Set((await response.text()).split("\n").slice(0, -1));
}

const MODES = ["flexible", "strict", "file"] as const;

describe("time", () => {
  const TIMES = [
    "[1979-01 TO 2014-12]",
    "[1979-01-01T00:00:00Z TO 2014-12-31T23:59:59Z]",
    "[1979-01-01T00:00:00Z TO 2014-12-31T18:00:00Z]",
    "[1985 TO 1989]",
    "[1990-01-01T00:00 TO 1990-01-01T23:59]",
    "[2000-02-29 TO 2000-02-29]",
    "[2000-03-01T06:00:00Z TO 2000-03-01T06:00:00Z]",
    "[0001-01-01T00:00:00Z TO 0100-12-31T23:59:59Z]",
    "[9000-01-01T00:00:00Z TO 9999-12-31T23:59:59Z]",
    "[-21000 TO -20000]",
    "2000",
    "fx",
    " Fx ",
    "[* TO *]",
    "[1985 TO *]",
    "[* TO 1985]",
  ];
  const QUERIES = [
    "1979 to 2014",
    "1979-01 to 2014-12",
    "1979-01-02 to 2014-12-30",
    "1985 to 1989",
    "1986",
    "1984 to 1990",
    "1990-01-01",
    "1990-01-01T12",
    "2000-02",
    "2000-02-29",
    "2000-03-01T06",
    "2000-03-01T06:00:00",
    "to 1978",
    "2015 to",
    "0001 to 0100",
    "0050",
    "9999",
    "to -20500",
    "-21000 to -20000",
    "-30000 to +10000",
    "2000",
    "to 0000",
    "* to *",
  ];
  const documents: TestDocument[] = TIMES.map((time, index) => ({ file: `/time/${index}`, time }));
  const periods = new Map(documents.map(({ file, time }) => [file, readPeriod(String(time))]));

  beforeAll(() => load(service.solr, [...documents, { file: "/time/none" }]));

  it.each(MODES)("relates periods as time_select=%s says", async (mode) => {
    for (const query of QUERIES) {
      const asked = readPeriod(query);
      const expected = [...periods].filter(([, period]) => relatesInTime(mode, period, asked));
      const got = await found({ time: query, time_select: mode });
      expect([...got].sort(), `${mode} ${query}`).toEqual(expected.map(([file]) => file).sort());
    }
  });

  it.each(MODES)("is that of constant data alone for fx, with time_select=%s", async (mode) => {
    const constant = new Set(["/time/11", "/time/12", "/time/13"]);
    for (const time of ["fx", "FX", " Fx "]) {
      expect(await found({ time, time_select: mode })).toEqual(constant);
    }
    const others = await found({ time: "not fx", time_select: mode });
    expect([...others].filter((file) => constant.has(file))).toEqual([]);
    expect(others.size).toBe(documents.length + 1 - constant.size);
    const both = await service.get(
      `/databrowser/data-search/native/file?time=fx&time=1986&time_select=${mode}`,
    );
    expect((await both.text()).split("\n")).toEqual(expect.arrayContaining([...constant]));
  });

  it("is right for any two years between -30000 and 30000, truncated anywhere", async () => {
    const next = chance(SEED);
    const from = (list: readonly number[]): number => list[Math.floor(next() * list.length)] ?? 0;
    const date = (): string => {
      const year = from([-20_000, -1, 0, 1, 9999, 10_000, 12_000, Math.round(next() * 6e4 - 3e4)]);
      const digits = String(Math.abs(year)).padStart(4, "0");
      const sign = year < 0 ? "-" : year > 9999 && next() < 0.5 ? "+" : "";
      const month = String(1 + Math.floor(next() * 12)).padStart(2, "0");
      return [`${sign}${digits}`, month, "28"].slice(0, 1 + Math.floor(next() * 3)).join("-");
    };
    const period = (join: string): string => {
      for (;;) {
        const text = next() < 0.3 ? date() : `${date()}${join}${date()}`;
        try {
          if (readPeriod(text)) return text;
        } catch {
          // It ends before it starts.
        }
      }
    };
    const spread = Array.from({ length: 200 }, (_, index) => {
      const text = period(" TO ");
      return { file: `/far/${index}`, time: text.includes(" TO ") ? `[${text}]` : text };
    });
    await load(service.solr, spread);
    tried(attempts(60, 600));
    for (let n = 0; n < attempts(60, 600); n++) {
      const query = period(" to ");
      const asked = readPeriod(query);
      const mode = MODES[n % MODES.length] ?? "flexible";
      const expected = spread.filter(({ time }) => relatesInTime(mode, readPeriod(time), asked));
      const got = await found({ time: query, time_select: mode, file: "/far/*" });
      expect([...got].sort(), `${mode} ${query}`).toEqual(expected.map(({ file }) => file).sort());
    }
    await fillIndex(service.solr, [...documents, { file: "/time/none" }]);
  });

  it("is the last day of February for a day that only a model's calendar has", async () => {
    const days = [
      "2000-02-30",
      "2001-02-30",
      "2003-02-29",
      "1900-02-29",
      "-0001-02-29",
      "12345-02-30",
    ];
    const posted = days.map((day, index) => ({
      file: `/february/${index}`,
      time: `[${day}T12:00:00Z TO ${day}T12:00:00Z]`,
    }));
    await load(service.solr, posted);
    const straight = posted.map((one) => ({
      ...one,
      latest: true,
      file: `/straight${one.file}`,
    }));
    const sent = await postToSolr(service.solr, straight);
    expect(sent.status).toBe(200);
    for (const [index, day] of days.entries()) {
      const last = day.startsWith("2000") ? "29" : "28";
      const time = day.replace(/\d\d$/, last);
      expect(await found({ time, time_select: "strict", file: "*/february/*" }), day).toEqual(
        new Set([`/february/${index}`, `/straight/february/${index}`]),
      );
    }
    await fillIndex(service.solr, [...documents, { file: "/time/none" }]);
  });

  it("excludes with _not_, 'not ' and '!', but treats '-' as a sign", async () => {
    for (const parameters of [{ time_not_: "1986" }, { time: "not 1986" }, { time: "!1986" }]) {
      const got = await found(parameters);
      expect(got.has("/time/3")).toBe(false);
      expect(got.has("/time/none")).toBe(true);
    }
    const constantOrOpen = [11, 12, 13, 15].map((index) => `/time/${index}`);
    expect(await found({ time: "-21000" })).toEqual(new Set(["/time/9", ...constantOrOpen]));
  });
});

describe("region", () => {
  const EDGES: Box[] = [
    [0, 360, -90, 90],
    [-180, 180, -90, 90],
    [-180, 360, -90, 90],
    [0.5, 359.5, -90, 90],
    [350, 10, 0, 10],
    [160, -150, 0, 10],
    [180, 180, 0, 0],
    [-180, -180, 0, 0],
    [0, 0, 0, 0],
    [180, 200, 0, 10],
    [160, 180, 0, 10],
    [-180, -160, 0, 10],
    [350, -20, 0, 10],
    [-10, 10, 0, 10],
    [180, -180, 0, 10],
    [360, 0, 0, 10],
  ];
  const next = chance(SEED);
  const number = (from: number, to: number) => Math.round((from + next() * (to - from)) * 10) / 10;
  const box = (): Box => {
    const [south, north] = [number(-90, 90), number(-90, 90)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return [number(-180, 360), number(-180, 360), south, north];
  };
  /** As documents may have them, but no region: an ocean model's grid, cells around -180, turns too many. */
  const WIDER: Box[] = [
    [-280, 80, -90, 90],
    [-280, -200, -10, 20],
    [-180.9, 179.1, -90, 90],
    [73, 433, -90, 90],
    [720, -360, 0, 10],
    [719, -360, 0, 10],
  ];
  const boxes = [...EDGES, ...WIDER, ...Array.from({ length: 200 }, box)];
  const queries = [...EDGES, ...Array.from({ length: 60 }, box)];
  const name = (index: number) => `/box/${index}`;

  beforeAll(async () => {
    const { refused } = await load(
      service.solr,
      boxes.map(([west, east, south, north], index) => ({
        file: name(index),
        project: ["boxes"],
        bbox: `ENVELOPE(${west}, ${east}, ${north},${south})`,
      })),
    );
    expect(refused).toBe(0);
  });

  it.each(MODES)(
    "relates boxes as bbox_select=%s says, on either side of either meridian",
    async (mode) => {
      for (const query of queries) {
        const got = await found({ bbox: query.join(","), bbox_select: mode, project: "boxes" });
        const expected = boxes.flatMap((document, index) =>
          relates(mode, document, query) ? name(index) : [],
        );
        expect([...got].sort(), `${mode} ${query}`).toEqual(expected.sort());
      }
    },
  );

  it("accepts any of several regions, and excludes", async () => {
    const all = await found({ project: "boxes" });
    const inside = await found({ project: "boxes", bbox: "0,10,0,10" });
    const outside = await found({ project: "boxes", bbox: "not 0,10,0,10" });
    expect(inside.size + outside.size).toBe(all.size);
    const response = await service.get(
      "/databrowser/data-search/native/file?project=boxes&bbox=0,10,0,10&bbox=100,110,0,10",
    );
    const both = new Set((await response.text()).split("\n").slice(0, -1));
    for (const file of inside) expect(both.has(file)).toBe(true);
  });
});
