/** Names that catalogue formats define; facets must not use them. */

/** Text columns of an intake-esm catalogue that are not facets. */
export const INTAKE_COLUMNS = ["dataset_id", "group_id", "data_format"] as const;

/** Properties of a STAC item (STAC 1.1.0, item-spec and common metadata). */
const STAC_PROPERTIES = [
  "id",
  "title",
  "description",
  "keywords",
  "roles",
  "datetime",
  "start_datetime",
  "end_datetime",
  "created",
  "updated",
  "license",
  "providers",
  "platform",
  "instruments",
  "constellation",
  "mission",
  "gsd",
  "bands",
  "nodata",
  "data_type",
  "statistics",
  "unit",
] as const;

/** The sides of a box; each is a column of a table. */
export const SIDES = ["west", "east", "south", "north"] as const;
export type Side = (typeof SIDES)[number];
export const sideColumn = (side: Side): `bbox_${Side}` => `bbox_${side}`;

export const CATALOGUE_NAMES: readonly string[] = [
  ...INTAKE_COLUMNS,
  ...STAC_PROPERTIES,
  ...SIDES.map(sideColumn),
];
