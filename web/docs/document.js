/** The contract for Swagger UI, without values that the user has not chosen. */

/** @typedef {{ [key: string]: any }} Json */

const METHODS = ["get", "post", "put", "patch", "delete"];
const FORM = "application/x-www-form-urlencoded";

/**
 * Swagger UI fills in every example, so a search would ask for all examples at once, and writes `string` into form
 * fields without one. Here only required parameters and those in `x-samples` are filled in. Other examples move to the
 * description.
 *
 * @param {Json} contract openapi.json; modified in place
 * @param {string} path path prefix of the proxy, without a trailing slash
 * @returns {Json}
 */
export function forReading(contract, path) {
  // A service that knows its path has already put it into the contract.
  const prefix = contract.servers[0].url === `${path}/api/climate-nextgen` ? "" : path;
  for (const parameter of Object.values(contract.components.parameters)) withoutExample(parameter);
  const schemas = contract.components.schemas;
  offerFlavours(contract.components.parameters.InFlavour, schemas.Flavour);
  for (const item of Object.values(contract.paths)) {
    relocate(item.servers, prefix);
    for (const method of METHODS) {
      if (item[method]?.["x-samples"]) fillIn(item[method], contract.components.parameters);
      const schema = item[method]?.requestBody?.content?.[FORM]?.schema;
      const form = schemas[schema?.$ref?.split("/").at(-1)];
      for (const field of Object.values(form?.properties ?? {})) field.example = "";
    }
  }
  relocate(contract.servers, prefix);
  const flow = contract.components.securitySchemes.password.flows.password;
  flow.tokenUrl = prefix + flow.tokenUrl;
  flow.refreshUrl = prefix + flow.refreshUrl;
  return contract;
}

/** Suggested values; others can be typed. @param {Json} parameter @param {Json} schema */
function offerFlavours(parameter, schema) {
  const names = [
    parameter.example,
    ...schema.examples.filter((/** @type {string} */ name) => name !== parameter.example),
  ];
  parameter.examples = Object.fromEntries(names.map((value) => [value, { value }]));
}

/** @param {Json} parameter */
function withoutExample(parameter) {
  const { example } = parameter;
  if (parameter.required || example === undefined) return;
  delete parameter.example;
  parameter["x-sample"] = example;
  const shown = [example].flat().map((one) => `\`${one}\``);
  parameter.description = `${parameter.description?.trim()} For example ${shown.join(", ")}.`;
}

/**
 * Parameters that are optional one by one, although the operation needs some of them.
 *
 * @param {Json} operation @param {Json} known parameters by name of the component
 */
function fillIn(operation, known) {
  operation.parameters = operation.parameters.map((/** @type {Json} */ one) => {
    const parameter = known[one.$ref?.split("/").at(-1)] ?? one;
    const example = operation["x-samples"][parameter.name];
    return example === undefined ? one : { ...parameter, example };
  });
}

/** @param {Json[] | undefined} servers @param {string} prefix */
function relocate(servers, prefix) {
  for (const server of servers ?? []) server.url = prefix + server.url;
}
