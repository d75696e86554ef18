/** Reads the geometries of CQL2 text: WKT, and `BBOX(...)`, as GeoJSON. */
import { Unreadable } from "../extent/period.js";
import { TokenReader } from "./tokens.js";

/** How deep the coordinates of each kind are nested: a position is 0. */
const KINDS = {
  POINT: { type: "Point", depth: 0 },
  MULTIPOINT: { type: "MultiPoint", depth: 1 },
  LINESTRING: { type: "LineString", depth: 1 },
  MULTILINESTRING: { type: "MultiLineString", depth: 2 },
  POLYGON: { type: "Polygon", depth: 2 },
  MULTIPOLYGON: { type: "MultiPolygon", depth: 3 },
} as const;

export const WKT_KINDS: ReadonlySet<string> = new Set([
  ...Object.keys(KINDS),
  "GEOMETRYCOLLECTION",
  "BBOX",
]);

/** Nesting of geometry collections. */
const MAX_DEPTH = 8;

/** Goes through tokens among which are geometries. */
export class WktReader extends TokenReader {
  /** The next tokens as GeoJSON. @param depth of geometry collections, from 1 */
  geometry(depth: number): object {
    const kind = this.word();
    if (!WKT_KINDS.has(kind)) throw this.unexpected("a geometry");
    this.at += 1;
    if (this.word() === "Z") this.at += 1;
    if (kind === "BBOX") {
      this.needSign("(");
      const numbers = this.#separated(() => this.#number());
      return { type: "bbox", bbox: numbers };
    }
    if (kind === "GEOMETRYCOLLECTION") {
      if (depth > MAX_DEPTH) throw new Unreadable("has geometry collections nested too deep");
      this.needSign("(");
      return {
        type: "GeometryCollection",
        geometries: this.#separated(() => this.geometry(depth + 1)),
      };
    }
    const { type, depth: levels } = KINDS[kind as keyof typeof KINDS];
    this.needSign("(");
    if (levels > 0) return { type, coordinates: this.#level(levels) };
    const coordinates = this.#position();
    this.needSign(")");
    return { type, coordinates };
  }

  /** Coordinates inside an open parenthesis. */
  #level(depth: number): unknown[] {
    return this.#separated(() => {
      if (depth > 1) {
        this.needSign("(");
        return this.#level(depth - 1);
      }
      // The points of a MULTIPOINT may have parentheses of their own.
      if (!this.takeSign("(")) return this.#position();
      const position = this.#position();
      this.needSign(")");
      return position;
    });
  }

  /** Values with commas between them, up to a closing parenthesis. */
  #separated<T>(read: () => T): T[] {
    const values: T[] = [];
    do values.push(read());
    while (this.takeSign(","));
    this.needSign(")");
    return values;
  }

  #position(): number[] {
    const numbers = [this.#number(), this.#number()];
    while (this.next.kind === "number" && numbers.length < 4) numbers.push(this.#number());
    return numbers;
  }

  #number(): number {
    const token = this.next;
    if (token.kind !== "number") throw this.unexpected("a number");
    this.at += 1;
    return token.value;
  }
}
