/** Describes a file by its header and coordinates, for the index. */
import type { Finding, Header } from "./header.js";
import { readBox } from "./horizontal-extent.js";
import { rolesOf } from "./roles.js";
import { readTimeAxis } from "./time-axis.js";
import type { ValueSource } from "./values.js";

export interface Description {
  /** Name of the data variable, or a list of several. */
  readonly variable: Finding<string | string[]>;
  /** `[A TO B]`, ISO 8601, UTC; `fx` for constant data. */
  readonly time: Finding<string>;
  /** A label such as `mon`. */
  readonly time_frequency: Finding<string>;
  /** `west,east,south,north`; undefined without latitudes and longitudes. */
  readonly bbox: string | undefined;
}

/** Reads coordinates only, never the data. */
export async function describe(header: Header, source: ValueSource): Promise<Description> {
  const roles = rolesOf(header);
  const axis = await readTimeAxis(header, roles, source);
  const [first, ...others] = new Set(roles.data.map(({ name }) => name));
  return {
    variable:
      first === undefined
        ? { reason: "has no data variable" }
        : { value: others.length > 0 ? [first, ...others] : first },
    time: axis.time,
    time_frequency: axis.frequency,
    bbox: await readBox(header, roles, source),
  };
}
