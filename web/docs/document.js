/** The contract as the page shows it: the same operations, with nothing filled in that nobody has chosen. */

/** @typedef {{ [key: string]: any }} Json */

const METHODS = ["get", "post", "put", "patch", "delete"];
const FORM = "application/x-www-form-urlencoded";

/**
 * Swagger UI fills in what has an example, so that a search would be for all examples at once, and gives the text
 * `string` to fields of forms that have none. Here only what a request must have is filled in, and what it has as `x-samples`; the example
 * of anything else is told in its description.
 *
 * @param {Json} contract openapi.json; it is changed
 * @param {string} path the path below which a proxy has the service, without a slash at its end
 * @returns {Json}
 */
export function forReading(contract, path) {
  // A service that knows its path has it in the contract already.
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

/** To choose from; others can be typed. @param {Json} parameter @param {Json} schema */
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
 * Parameters of which no single one must be there, though the operation cannot be asked without some of them.
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
