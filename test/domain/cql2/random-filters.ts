/** Filters by chance as text and as JSON, and what they mean for a file: true, false or null. */

export interface FilteredFile {
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds, first and last; infinite if open. */
  readonly start: number;
  readonly end: number;
  readonly retracted: boolean;
  readonly box: readonly [west: number, south: number, east: number, north: number] | undefined;
}

export interface RandomFilter {
  readonly text: string;
  readonly json: unknown;
  truth(file: FilteredFile): boolean | null;
}

type Truth = RandomFilter["truth"];

/** Names of properties, with what a file has for them; undefined: nothing. */
const TEXTS: readonly (readonly [name: string, field: string | undefined])[] = [
  ["variable_id", "variable"],
  ["cmip6:variable_id", "variable"],
  ["properties.cmip6:source_id", "model"],
  ["realm", "realm"],
  ["cmip6:realm", "realm"],
  ["standard_name", "standard_name"],
  ["eo:cloud_cover", undefined],
];

export const VALUES: Readonly<Record<string, readonly string[]>> = {
  variable: ["tas", "TAS", "pr", "it's", "100%", "a_b", 'q"x', "back\\slash"],
  model: ["MPI-ESM", "mpi-esm", "Modèle", "日本", "a b"],
  realm: ["atmos", "ocean", "land"],
  standard_name: ["air_temperature", "precipitation_flux"],
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const folded = (text: string): string => text.toLowerCase();
/** The text in a regular expression. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** CQL2 text, JSON and meaning of a moment: a day or a second, from its first to its last millisecond. */
interface Moment {
  readonly text: string;
  readonly json: unknown;
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;

const RELATIONS = {
  after: (s, _e, _a, b) => s > b.to,
  before: (_s, e, a) => e < a.from,
  contains: (s, e, a, b) => s < a.from && e > b.to,
  disjoint: (s, e, a, b) => s > b.to || e < a.from,
  during: (s, e, a, b) => s > a.to && e < b.from,
  equals: (s, e, a, b) => isIn(s, a) && isIn(e, b),
  finishedBy: (s, e, a, b) => s < a.from && isIn(e, b),
  finishes: (s, e, a, b) => s > a.to && isIn(e, b),
  intersects: (s, e, a, b) => s <= b.to && e >= a.from,
  meets: (_s, e, a) => isIn(e, a),
  metBy: (s, _e, _a, b) => isIn(s, b),
  overlappedBy: (s, e, a, b) => s > a.to && s < b.from && e > b.to,
  overlaps: (s, e, a, b) => s < a.from && e > a.to && e < b.from,
  startedBy: (s, e, a, b) => isIn(s, a) && e > b.to,
  starts: (s, e, a, b) => isIn(s, a) && e < b.from,
} as const satisfies Record<string, (s: number, e: number, a: Moment, b: Moment) => boolean>;

const isIn = (at: number, { from, to }: Moment): boolean => at >= from && at <= to;

export class RandomFilters {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)] as T;
  }

  next(depth = 4): RandomFilter {
    if (depth === 0 || this.#random() < 0.4) return this.#condition();
    const kind = this.#pick(["and", "or", "not"] as const);
    if (kind === "not") {
      const of = this.next(depth - 1);
      return {
        text: `NOT (${of.text})`,
        json: { op: "not", args: [of.json] },
        truth: (file) => {
          const truth = of.truth(file);
          return truth === null ? null : !truth;
        },
      };
    }
    const of = Array.from({ length: 2 + this.#below(2) }, () => this.next(depth - 1));
    const decisive = kind === "or";
    return {
      text: of.map(({ text }) => `(${text})`).join(` ${kind.toUpperCase()} `),
      json: { op: kind, args: of.map(({ json }) => json) },
      truth: (file) => {
        const truths = of.map((one) => one.truth(file));
        if (truths.includes(decisive)) return decisive;
        return truths.includes(null) ? null : !decisive;
      },
    };
  }

  #condition(): RandomFilter {
    return this.#pick([
      () => this.#compared(),
      () => this.#compared(),
      () => this.#like(),
      () => this.#among(),
      () => this.#between(),
      () => this.#null(),
      () => this.#array(),
      () => this.#moment(),
      () => this.#temporal(),
      () => this.#spatial(),
      () => this.#flag(),
    ])();
  }

  #property() {
    const [name, field] = this.#pick(TEXTS);
    const values = (field && VALUES[field]) || ["tas", "pr"];
    const isFolded = this.#random() < 0.2;
    return {
      text: isFolded ? `CASEI(${name})` : name,
      json: isFolded ? { op: "casei", args: [{ property: name }] } : { property: name },
      isFolded,
      bare: name,
      value: (): string => this.#pick(values),
      /** Any value passes; null if there is none. */
      any:
        (test: (value: string) => boolean): Truth =>
        ({ texts }) => {
          const known = (field && texts[field]) || [];
          if (known.length === 0) return null;
          return known.some((value) => test(isFolded ? folded(value) : value));
        },
    };
  }

  /** A text, folded like its property or as it is. */
  #literal(value: string, isFolded: boolean) {
    if (!isFolded) return { text: quoted(value), json: value as unknown, value };
    const json = { op: "casei", args: [value] };
    return { text: `CASEI(${quoted(value)})`, json: json as unknown, value: folded(value) };
  }

  #compared(): RandomFilter {
    const property = this.#property();
    const operator = this.#pick(["=", "=", "<>", "<", "<=", ">", ">="] as const);
    const { text, json, value } = this.#literal(property.value(), property.isFolded);
    const isTurned = this.#random() < 0.2;
    const turned = { "=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;
    const test = {
      "=": (one: string) => one === value,
      "<>": (one: string) => one === value,
      "<": (one: string) => one < value,
      "<=": (one: string) => one <= value,
      ">": (one: string) => one > value,
      ">=": (one: string) => one >= value,
    }[operator];
    const any = property.any(test);
    const written = isTurned ? turned[operator] : operator;
    const sides = [property.text, text];
    const args = [property.json, json];
    return {
      text: (isTurned ? sides.reverse() : sides).join(` ${written} `),
      json: { op: written, args: isTurned ? args.reverse() : args },
      truth: (file) => {
        const truth = any(file);
        return truth === null || operator !== "<>" ? truth : !truth;
      },
    };
  }

  #like(): RandomFilter {
    const property = this.#property();
    const value = property.value();
    const cut = this.#below(value.length);
    const escaped = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
    const [pattern, source] = this.#pick([
      [`${escaped(value.slice(0, cut))}%`, `^${literally(value.slice(0, cut))}.*$`],
      [`%${escaped(value.slice(cut))}`, `^.*${literally(value.slice(cut))}$`],
      [`_${escaped(value.slice(1))}`, `^.${literally(value.slice(1))}$`],
      ["%a%", "^.*a.*$"],
    ] as const);
    const literal = this.#literal(pattern, property.isFolded);
    const expression = new RegExp(property.isFolded ? folded(source) : source, "su");
    return {
      text: `${property.text} LIKE ${literal.text}`,
      json: { op: "like", args: [property.json, literal.json] },
      truth: property.any((one) => expression.test(one)),
    };
  }

  #among(): RandomFilter {
    const property = this.#property();
    const values = Array.from({ length: 1 + this.#below(3) }, () =>
      this.#literal(property.value(), property.isFolded),
    );
    const list = values.map(({ value }) => value);
    return {
      text: `${property.text} IN (${values.map(({ text }) => text).join(", ")})`,
      json: { op: "in", args: [property.json, values.map(({ json }) => json)] },
      truth: property.any((one) => list.includes(one)),
    };
  }

  #between(): RandomFilter {
    const property = this.#property();
    const [low, high] = [0, 1].map(() => this.#literal(property.value(), property.isFolded));
    if (low === undefined || high === undefined) throw new Error("two bounds");
    return {
      text: `${property.text} BETWEEN ${low.text} AND ${high.text}`,
      json: { op: "between", args: [property.json, low.json, high.json] },
      truth: property.any((one) => one >= low.value && one <= high.value),
    };
  }

  #null(): RandomFilter {
    const property = this.#property();
    const any = property.any(() => true);
    return {
      text: `${property.bare} IS NULL`,
      json: { op: "isNull", args: [{ property: property.bare }] },
      truth: (file) => any(file) === null,
    };
  }

  #array(): RandomFilter {
    const relation = this.#pick(["equals", "contains", "containedBy", "overlaps"] as const);
    const name = this.#pick(["realm", "cmip6:realm"]);
    const all = VALUES.realm ?? [];
    const list = all.filter(() => this.#random() < 0.5);
    if (list.length === 0) list.push(this.#pick(all));
    return {
      text: `A_${relation.toUpperCase()}(${name}, (${list.map(quoted).join(", ")}))`,
      json: { op: `a_${relation}`, args: [{ property: name }, list] },
      truth: ({ texts: { realm = [] } }) => {
        if (realm.length === 0) return null;
        const [hasAll, hasOnly] = [
          list.every((one) => realm.includes(one)),
          realm.every((one) => list.includes(one)),
        ];
        return {
          equals: hasAll && hasOnly,
          contains: hasAll,
          containedBy: hasOnly,
          overlaps: list.some((one) => realm.includes(one)),
        }[relation];
      },
    };
  }

  #literalMoment(after = -Infinity): Moment {
    const years = [1849, 1850, 1900, 1950, 1990, 2000, 2014, 2015];
    const day = Date.UTC(this.#pick(years), this.#pick([0, 11]), this.#pick([1, 31]));
    const from = Math.max(day, after + DAY);
    const text = new Date(from).toISOString();
    if (this.#random() < 0.5) {
      const date = text.slice(0, 10);
      const start = Math.floor(from / DAY) * DAY;
      return { text: `DATE('${date}')`, json: { date }, from: start, to: start + DAY - 1 };
    }
    const timestamp = text.replace(".000Z", "Z");
    const second = { from, to: from + 999 };
    return { text: `TIMESTAMP('${timestamp}')`, json: { timestamp }, ...second };
  }

  #moment(): RandomFilter {
    const [name, of] = this.#pick([
      ["start_datetime", "start"],
      ["properties.end_datetime", "end"],
    ] as const);
    const operator = this.#pick(["=", "<>", "<", "<=", ">", ">="] as const);
    const { text, json, from, to } = this.#literalMoment();
    return {
      text: `${name} ${operator} ${text}`,
      json: { op: operator, args: [{ property: name }, json] },
      truth: (file) => {
        const at = file[of];
        return {
          "=": at >= from && at <= to,
          "<>": at < from || at > to,
          "<": at < from,
          "<=": at <= to,
          ">": at > to,
          ">=": at >= from,
        }[operator];
      },
    };
  }

  #temporal(): RandomFilter {
    const relation = this.#pick(Object.keys(RELATIONS) as (keyof typeof RELATIONS)[]);
    const [name, first, last] = this.#pick([
      ["datetime", "start", "end"],
      ["start_datetime", "start", "start"],
      ["end_datetime", "end", "end"],
    ] as const);
    const start = this.#literalMoment();
    const end = this.#random() < 0.3 ? start : this.#literalMoment(start.to);
    const inside = (moment: Moment): { text: string; json: string } => {
      const json = Object.values(moment.json as Record<string, string>)[0] ?? "";
      return { text: `'${json}'`, json };
    };
    const [a, b] = [inside(start), inside(end)];
    const isMoment = start === end;
    return {
      text: `T_${relation.toUpperCase()}(${name}, ${isMoment ? start.text : `INTERVAL(${a.text}, ${b.text})`})`,
      json: {
        op: `t_${relation}`,
        args: [{ property: name }, isMoment ? start.json : { interval: [a.json, b.json] }],
      },
      truth: (file) => RELATIONS[relation](file[first], file[last], start, end),
    };
  }

  #spatial(): RandomFilter {
    const west = this.#below(300) - 170;
    const south = this.#below(150) - 80;
    const [east, north] = [west + this.#below(170 - west), south + this.#below(80 - south)];
    const bbox = [west, south, east, north] as const;
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const polygon = { type: "Polygon", coordinates: [ring] };
    const wkt = `POLYGON((${ring.map((one) => one.join(" ")).join(", ")}))`;
    const isBox = this.#random() < 0.5;
    return {
      text: `S_INTERSECTS(geometry, ${isBox ? `BBOX(${bbox.join(", ")})` : wkt})`,
      json: {
        op: "s_intersects",
        args: [{ property: "geometry" }, isBox ? { bbox } : polygon],
      },
      truth: ({ box }) => {
        if (box === undefined) return null;
        const [w, s, e, n] = box;
        return w <= east && e >= west && s <= north && n >= south;
      },
    };
  }

  #flag(): RandomFilter {
    const value = this.#random() < 0.5;
    return {
      text: `retracted = ${value ? "TRUE" : "false"}`,
      json: { op: "=", args: [{ property: "retracted" }, value] },
      truth: ({ retracted }) => retracted === value,
    };
  }
}
