/** Measures answers about a search: summary, why, coverage, complete, and a page of a table. */
import type { Target } from "./client.js";
import { CARDINALITIES, names } from "./make-catalogue.js";
import type { RemoteClient } from "./remote-client.js";
import { median, milliseconds, type Row } from "./report.js";
import type { Service } from "./service.js";

type Pair = readonly [string, string];

const COUNTS = "metadata-search/cmip6/file";
const CELLS = ["files", "datasets", "bytes", "members", "years"] as const;
/** Warm-up rounds, which are not counted. */
const WARM = 3;
/** Repetitions of a request for a cached answer. */
const AGAIN = 50;
const PAGE_ROWS = "100";
/** The largest page, to get far quickly. */
const LONG_PAGE = 10_000;

/** Limit of an answer: a multiple of a metadata search, or milliseconds. */
type Bound = { readonly times: number } | { readonly maxMs: number } | undefined;

interface Question {
  readonly what: string;
  readonly path: string;
  readonly pairs: readonly Pair[];
  /** The text of each round. */
  readonly text?: (round: number) => string;
  /** All rounds are of one search, as while somebody types. */
  readonly isOneSearch?: boolean;
  readonly bound?: Bound;
}

const needs = (count: number, more = ""): Pair[] =>
  Array.from({ length: count }, (_, index) => [
    "need",
    // Every sixth variable belongs to the same table.
    `variable_id:${names.variable(6 * index)};table_id:Amon${more}`,
  ]);
const period = ";from=1850;to=1934";
const groups: Pair = ["group_by", "source_id,member_id"];

/** Constraints that match something, one fewer than the eight of a request: a new one is added each time. */
const SEVEN: readonly Pair[] = [
  ["mip_era", "CMIP6"],
  ["source_id", "MODEL*"],
  ["experiment_id", "hist-*"],
  ["frequency", "mon"],
  ["table_id", "Amon"],
  ["grid_label", "gn"],
  ["variable_id", names.variable(0)],
];

const CHOICES: readonly Pair[] = [
  ["choices", "true"],
  ["experiment_id", "hist-*"],
  ["frequency", "mon"],
  ["variable_id_not_", names.variable(0)],
];

const QUESTIONS: readonly Question[] = [
  { what: "summary", path: "summary/cmip6/file", pairs: [], bound: { times: 1.5 } },
  ...CELLS.map(
    (cells): Question => ({
      what: `coverage of ${CARDINALITIES.models} x ${CARDINALITIES.experiments}: ${cells}`,
      path: "coverage/cmip6",
      pairs: [
        ["rows", "source_id"],
        ["columns", "experiment_id"],
        ["cells", cells],
      ],
      bound: { times: 10 },
    }),
  ),
  ...[
    { what: "5 needs", pairs: [groups, ...needs(5)] },
    { what: "5 needs with periods", pairs: [groups, ...needs(5, period)] },
    {
      what: "require_all_on",
      pairs: [
        ["require_all_on", "source_id,member_id"],
        ["variable_id", names.variable(0)],
        ["variable_id", names.variable(6)],
        ["experiment_id", names.experiment(0)],
        ["experiment_id", names.experiment(1)],
      ] as Pair[],
    },
    { what: "groups of everything", pairs: [groups, ["need", "mip_era:CMIP6"]] as Pair[] },
    {
      what: "groups of everything with periods",
      pairs: [groups, ["need", `mip_era:CMIP6${period}`]] as Pair[],
    },
  ].map(
    ({ what, pairs }): Question => ({
      what: `complete: ${what}`,
      path: "complete/cmip6",
      pairs,
      bound: { maxMs: 2000 },
    }),
  ),
  { what: "choices of all facets, three restricted", path: COUNTS, pairs: CHOICES },
  { what: "boxes", path: "boxes/cmip6", pairs: [] },
  { what: "years", path: "years/cmip6", pairs: [] },
  { what: "datasets, a page of 50", path: "datasets/cmip6", pairs: [] },
  {
    what: "datasets, a page of 50 in the middle",
    path: "datasets/cmip6",
    pairs: [["after", Buffer.from("CMIP6.CMIP.X.").toString("base64url")]],
  },
  // Of a search that nobody has counted: who types in a search that is shown has its counts from the cache.
  {
    what: "suggest, one word",
    path: "suggest/cmip6",
    pairs: [["text", "model"]],
    bound: { maxMs: 50 },
  },
  {
    what: "suggest, five words",
    path: "suggest/cmip6",
    pairs: [],
    text: (round) =>
      `${names.variable(0)} ${names.experiment(0)} MODEL ${1950 + round}-2000 Europe`,
    bound: { maxMs: 50 },
  },
  {
    what: "suggest, another word in the same search",
    path: "suggest/cmip6",
    pairs: [],
    text: (round) => names.variable(round),
    isOneSearch: true,
    bound: { maxMs: 50 },
  },
  {
    what: "suggest, another last one of five words in the same search",
    path: "suggest/cmip6",
    pairs: [],
    text: (round) => `${names.experiment(0)} MODEL 1990-2000 Europe ${names.variable(round)}`,
    isOneSearch: true,
    bound: { maxMs: 50 },
  },
  { what: "why of 8 constraints", path: "why/cmip6/file", pairs: SEVEN },
  {
    what: `extended-search, a page of ${PAGE_ROWS}`,
    path: "extended-search/cmip6/file",
    pairs: [["limit", PAGE_ROWS]],
  },
];

class AnswerBench {
  #next = 2500;

  constructor(
    private readonly service: Service,
    private readonly client: RemoteClient,
    private readonly rounds: number,
  ) {}

  /** A new constraint that matches everything. */
  #fresh(): Pair {
    this.#next += 1;
    return ["time_not_", String(this.#next)];
  }

  target(path: string, pairs: readonly Pair[]): Target {
    return { url: this.service.url(path, pairs) };
  }

  /** Median times of a query without repetition, and of metadata searches, in turn. */
  async #inTurn({
    path,
    pairs,
    text,
    isOneSearch,
  }: Question): Promise<{ ours: number; other: number }> {
    const search = isOneSearch ? this.#fresh() : undefined;
    const both = Array.from({ length: this.rounds + WARM }, (_, round) => [
      this.target(path, [
        ...pairs,
        ...(text ? [["text", text(round)] as const] : []),
        search ?? this.#fresh(),
      ]),
      this.target(COUNTS, [search ?? this.#fresh()]),
    ]);
    const { each } = await this.client.do("series", { targets: both.flat(), clients: 1 });
    const counted = each.slice(2 * WARM);
    return {
      ours: median(counted.filter((_, i) => i % 2 === 0)),
      other: median(counted.filter((_, i) => i % 2 === 1)),
    };
  }

  async first(question: Question): Promise<Row> {
    const { ours, other } = await this.#inTurn(question);
    const times = ours / other;
    const { what, bound } = question;
    const row = {
      what,
      ours: milliseconds(ours),
      solr: milliseconds(other),
      ratio: times.toFixed(2),
    };
    if (bound === undefined) return { ...row, target: "", met: undefined };
    if ("times" in bound) return { ...row, target: `<= ${bound.times}`, met: times <= bound.times };
    return { ...row, target: `<= ${milliseconds(bound.maxMs)}`, met: ours <= bound.maxMs };
  }

  /** The same query again on an unchanged index, against a cached metadata search. */
  async again({ what, path, pairs, text }: Question): Promise<Row> {
    const fresh = this.#fresh();
    const typed: readonly Pair[] = text ? [["text", text(0)]] : [];
    const targets = Array.from({ length: AGAIN + 1 }, () => [
      this.target(path, [...pairs, ...typed, fresh]),
      this.target(COUNTS, [fresh]),
    ]).flat();
    const { each } = await this.client.do("series", { targets, clients: 1 });
    const [ours, other] = [0, 1].map((side) =>
      median(each.slice(2).filter((_, i) => i % 2 === side)),
    ) as [number, number];
    return {
      what: `${what}: again`,
      ours: milliseconds(ours),
      solr: milliseconds(other),
      ratio: (ours / other).toFixed(2),
      target: "",
      met: undefined,
    };
  }

  /** A page far down, requested by the last entry before it. */
  async deepPage(): Promise<Row> {
    const path = "extended-search/cmip6/file";
    let after: string | undefined;
    let passed = 0;
    for (;;) {
      const pairs: Pair[] = [["limit", String(LONG_PAGE)]];
      if (after !== undefined) pairs.push(["after", after]);
      const response = await fetch(this.service.url(path, [...pairs, ["fields", "file"]]));
      const page = (await response.json()) as { after: string | null; documents: unknown[] };
      if (page.after === null) break;
      after = page.after;
      passed += page.documents.length;
    }
    const deep: Pair[] = after === undefined ? [] : [["after", after]];
    return this.first({
      what: `extended-search, a page of ${PAGE_ROWS} behind ${passed.toLocaleString("en")}`,
      path,
      pairs: [["limit", PAGE_ROWS], ...deep],
    });
  }
}

/** @param part measures only answers whose name contains it */
export async function* measureAnswers(
  service: Service,
  client: RemoteClient,
  rounds: number,
  part = "",
): AsyncGenerator<Row[]> {
  const bench = new AnswerBench(service, client, rounds);
  for (const question of QUESTIONS.filter(({ what }) => what.includes(part))) {
    const first = await bench.first(question);
    yield question.isOneSearch ? [first] : [first, await bench.again(question)];
  }
  if (part === "") yield [await bench.deepPage()];
}
