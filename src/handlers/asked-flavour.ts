/** The flavour that a request's path names. */
import { InvalidParameters } from "../errors.js";
import { builtIn, FLAVOUR_NAMES, type Flavour } from "../vocabulary/flavours.js";
import { nearest } from "../vocabulary/nearest.js";

interface Asked {
  readonly path: { readonly flavour: string };
}

/**
 * The same request with the flavour itself in the place of its name.
 *
 * @throws InvalidParameters that names the nearest, where there is no such flavour
 */
export async function withFlavour<R extends Asked>(
  request: R,
): Promise<R & { readonly path: { readonly flavour: Flavour } }> {
  return { ...request, path: { ...request.path, flavour: flavourOf(request) } };
}

function flavourOf({ path: { flavour: name } }: Asked): Flavour {
  const found = builtIn(name);
  if (found !== undefined) return found;
  const near = nearest(name, FLAVOUR_NAMES);
  const reason = `must be one of ${FLAVOUR_NAMES.join(", ")}; did you mean ${near.join(", ")}?`;
  throw new InvalidParameters([{ name: "flavour", in: "path", reason }]);
}
