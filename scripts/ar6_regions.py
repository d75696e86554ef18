"""Makes src/domain/extent/ar6-outlines.ts: the reference regions of the IPCC's sixth assessment report, with few vertices.

The regions are in the source distribution of regionmask, which is unpacked, not installed:

    pip download --no-deps --no-binary regionmask regionmask==0.13.0
    tar xzf regionmask-0.13.0.tar.gz
    pip install geopandas
    python scripts/ar6_regions.py regionmask-0.13.0/data/IPCC-WGI-reference-regions-v4.zip > src/domain/extent/ar6-outlines.ts
"""

import sys

import geopandas

HEAD = """\
/**
 * The climate reference regions of IPCC Working Group I, version 4 (sixth assessment report): code, name, surface, outlines.
 *
 * Source: Iturbide, M., Gutierrez, J. M., Alves, L. M., et al.: An update of IPCC climate reference regions for subcontinental
 * analysis of climate model data: definition and aggregated datasets, Earth Syst. Sci. Data, 12, 2959-2970, 2020,
 * https://doi.org/10.5194/essd-12-2959-2020. Licensed under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/.
 * Changed: points on straight lines are left out. Made by scripts/ar6_regions.py.
 *
 * Longitude and latitude in degrees; a line between two vertices is straight in both. Outlines end at the antimeridian.
 */
export const AR6_OUTLINES: readonly string[] = [
"""

# Degrees; the points that were put on straight lines lie off them by rounding alone.
STRAIGHT = 0.01


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def is_corner(before, point, after):
    (ax, ay), (bx, by), (cx, cy) = before, point, after
    return abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) > 0.5


def ring(polygon):
    points = list(polygon.exterior.simplify(STRAIGHT).coords)[:-1]
    # Where the outline begins, a point may lie on a line as well.
    around = zip([points[-1], *points], points, [*points[1:], points[0]])
    corners = [point for before, point, after in around if is_corner(before, point, after)]
    return ",".join(f"{number(x)} {number(y)}" for x, y in corners)


def line(region):
    shape = region.geometry
    polygons = list(getattr(shape, "geoms", [shape]))
    outlines = "/".join(ring(polygon) for polygon in polygons)
    return f'  "{region.Acronym}|{region.Name}|{region.Type}|{outlines}",\n'


regions = geopandas.read_file(sys.argv[1])
sys.stdout.write(HEAD + "".join(line(region) for _, region in regions.iterrows()) + "];\n")
