/** Resolves the flavour in a request's path. */
import { invalidParameter } from "../../../domain/errors.js";
import type { UniqKey } from "../../../domain/search/search.js";
import { nearest } from "../../../domain/text/nearest-names.js";
import { builtIn, FLAVOUR_NAMES, type Flavour } from "../../../domain/vocabulary/flavours.js";
import type { AnyRequest } from "../../contract/operation.js";
import { owningCaller } from "../common/client.js";
import type { Services } from "../services.js";

/** A request in a flavour, about files unless its path says otherwise. */
export type InFlavour<R> = R & {
  readonly path: { readonly flavour: Flavour; readonly uniq_key: UniqKey };
};

/** The request with the flavour in place of its name: a built-in one, one of the caller, or one for all. */
export async function withFlavour<
  R extends AnyRequest & { readonly path: { readonly flavour: string } },
>(request: R, { flavours }: Services): Promise<InFlavour<R>> {
  const { flavour: name } = request.path;
  const flavour = builtIn(name) ?? (await flavours.find(name, owningCaller(request)));
  if (flavour !== undefined) {
    return { ...request, path: { uniq_key: "file", ...request.path, flavour } };
  }
  const visible = flavours.visible(owningCaller(request)).map((one) => one.flavour.name);
  const near = nearest(name, [...FLAVOUR_NAMES, ...visible]).join(", ");
  const own =
    request.principal === undefined
      ? "a flavour for all, or with your token one of your own"
      : "a flavour of your own or for all";
  const reason = `must be one of ${FLAVOUR_NAMES.join(", ")}, or ${own}; did you mean ${near}?`;
  throw invalidParameter("flavour", reason, "path");
}
