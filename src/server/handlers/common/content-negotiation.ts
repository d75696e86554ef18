/** Content negotiation by `format` and `Accept`. */
import { invalidParameter } from "../../../domain/errors.js";
import type { Caller } from "../../contract/caller.js";

interface Negotiable {
  readonly query: { readonly filters: Readonly<Record<string, readonly string[]>> };
  readonly caller: Pick<Caller, "preferred">;
}

export const FORM_HEADERS = { Vary: "Accept" } as const;

export const withForms = <H extends Readonly<Record<string, string>>>(headers: H) => ({
  ...headers,
  Vary: [FORM_HEADERS.Vary, headers.Vary].filter(Boolean).join(", "),
});

/**
 * The form that `format` names, else the one that `Accept` prefers, else the first. `format` is also a facet: exact names
 * of forms select the form, and its other values are searched for.
 *
 * @returns the form, and the request without the name of the form
 */
export function negotiatedForm<F extends string, R extends Negotiable>(
  request: R,
  types: Readonly<Record<F, string>>,
): { readonly form: F; readonly request: R } {
  const { format = [], ...others } = request.query.filters;
  const named = [...new Set(format)].filter((value): value is F => Object.hasOwn(types, value));
  if (named.length > 1) {
    throw invalidParameter("format", `names several forms of the answer: ${named.join(", ")}`);
  }
  const rest = format.filter((value) => !Object.hasOwn(types, value));
  const filters = rest.length > 0 ? { ...others, format: rest } : others;
  const [form = accepted(request.caller, types)] = named;
  return { form, request: { ...request, query: { ...request.query, filters } } };
}

function accepted<F extends string>(
  caller: Negotiable["caller"],
  types: Readonly<Record<F, string>>,
): F {
  const forms = Object.keys(types) as [F, ...F[]];
  const type = caller.preferred(Object.values<string>(types) as [string, ...string[]]);
  return forms.find((form) => types[form] === type) ?? forms[0];
}
