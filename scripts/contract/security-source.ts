/** Turns `security` of openapi.yaml into the check before a handler. */
import { asObject, ContractError, type JsonObject, onlyKeys } from "./schema-source.js";

const isBearer = (scheme: JsonObject): boolean =>
  scheme.type === "oauth2" || (scheme.type === "http" && scheme.scheme === "bearer");

/**
 * How an operation treats access tokens: `public` (ignores them), `required`, or `optional` (a token must be valid;
 * without one the handler decides).
 */
export function accessOf(
  operation: JsonObject,
  document: JsonObject,
  where: string,
): "public" | "required" | "optional" {
  if (!Array.isArray(operation.security)) {
    throw new ContractError(`${where}: say which security it needs, [] for none`);
  }
  const ways = operation.security.map((value) => {
    const names = Object.keys(asObject(value, `${where} security`));
    if (names.length > 1) throw new ContractError(`${where}: two security schemes at once`);
    const [name] = names;
    return name === undefined ? undefined : schemeOf(name, document, where);
  });
  if (!ways.some((scheme) => scheme !== undefined && isBearer(scheme))) {
    return "public";
  }
  if (asObject(operation.responses, where)["401"] === undefined) {
    throw new ContractError(`${where}: an operation that looks at tokens can answer 401`);
  }
  return ways.every((scheme) => scheme !== undefined && isBearer(scheme)) ? "required" : "optional";
}

function schemeOf(name: string, document: JsonObject, where: string): JsonObject {
  const schemes = asObject(asObject(document.components, "components").securitySchemes, where);
  const scheme = asObject(schemes[name], `${where} security scheme ${name}`);
  onlyKeys(scheme, ["type", "scheme", "bearerFormat", "description", "flows"], name);
  const known =
    scheme.type === "oauth2" ||
    (scheme.type === "http" && /^(bearer|basic)$/.test(`${scheme.scheme}`));
  if (!known) throw new ContractError(`${name}: the generator does not know this kind of scheme`);
  return scheme;
}
