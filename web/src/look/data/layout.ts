/** How a variable is laid out: which of its dimensions are drawn, and by which coordinates. */
import { namesIn } from "../../../../src/files/cf/header.js";
import { isLatitude, isLongitude } from "../../../../src/files/cf/roles.js";
import { axisKind, coordinateOf } from "./axes.js";
import { referredTo } from "./header.js";
import type { Variable } from "./types.js";

/** The drawn dimensions of a variable, known from the header alone. */
export type Layout =
  | {
      readonly kind: "regular" | "curvilinear";
      readonly x: number;
      readonly y: number;
      readonly longitude: Variable;
      readonly latitude: Variable;
    }
  | {
      readonly kind: "points";
      readonly x: number;
      readonly longitude: Variable;
      readonly latitude: Variable;
    }
  /** `y` is undefined for one-dimensional variables, `x` for scalars. */
  | { readonly kind: "none"; readonly x: number | undefined; readonly y: number | undefined };

/** Dimension numbers are those of the variable. */
export function layoutOf(all: readonly Variable[], variable: Variable): Layout {
  const { dimensions } = variable;
  const of = (kind: "latitude" | "longitude"): number =>
    dimensions.findIndex((name) => axisKind(all, variable, name) === kind);
  const [y, x] = [of("latitude"), of("longitude")];
  const latitude = coordinateOf(all, variable, dimensions[y] ?? "");
  const longitude = coordinateOf(all, variable, dimensions[x] ?? "");
  if (x >= 0 && y >= 0 && latitude !== undefined && longitude !== undefined) {
    return { kind: "regular", x, y, longitude, latitude };
  }
  return byNames(all, variable) ?? matrixOf(variable);
}

/** By coordinates along the variable's own dimensions: those it names, else any that fit. */
function byNames(all: readonly Variable[], variable: Variable): Layout | undefined {
  const named = ["coordinates", "mesh", "geometry"].flatMap((attribute) =>
    namesIn(variable, attribute).flatMap((name) => referredTo(all, variable, name) ?? []),
  );
  const ofMeshes = named.flatMap((mesh) =>
    [...mesh.attributes.keys()]
      .filter((attribute) => /(?:face|node|edge)_coordinates$|^node_coordinates$/.test(attribute))
      .flatMap((attribute) => namesIn(mesh, attribute))
      .flatMap((name) => referredTo(all, mesh, name) ?? []),
  );
  for (const list of [[...named, ...ofMeshes], all]) {
    const fitting = list.filter(
      (one) =>
        one.dimensions.length > 0 &&
        one.dimensions.every((name) => variable.dimensions.includes(name)),
    );
    for (const latitude of fitting.filter(isLatitude)) {
      const longitude = fitting.find(
        (one) => isLongitude(one) && one.dimensions.join("/") === latitude.dimensions.join("/"),
      );
      const layout = longitude && layoutBy(variable, longitude, latitude);
      if (layout !== undefined) return layout;
    }
  }
  return undefined;
}

function layoutBy(variable: Variable, longitude: Variable, latitude: Variable): Layout | undefined {
  const [first = "", second] = latitude.dimensions;
  const at = (name: string): number => variable.dimensions.indexOf(name);
  if (latitude.dimensions.length === 1)
    return { kind: "points", x: at(first), longitude, latitude };
  if (latitude.dimensions.length !== 2 || second === undefined) return undefined;
  return { kind: "curvilinear", y: at(first), x: at(second), longitude, latitude };
}

function matrixOf({ dimensions }: Variable): Layout {
  const { length } = dimensions;
  return {
    kind: "none",
    x: length < 1 ? undefined : length - 1,
    y: length < 2 ? undefined : length - 2,
  };
}
