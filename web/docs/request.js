/** An operation and its parameters -> the request. Independent of Swagger UI. */

/** @typedef {{ [key: string]: any }} Json */

/** Facets that an empty search is filled with, by values of the sample catalogue. */
const SAMPLED = ["variable", "experiment"];

/**
 * @param {object} from
 * @param {Json} from.operation with its references resolved
 * @param {string} from.path
 * @param {string} from.method
 * @param {string} from.server absolute address
 * @param {Record<string, unknown>} from.values parameters by place and name, such as `query.start`
 * @param {unknown} [from.body] text of the body, or form fields
 * @returns {import("./snippets.js").Sent}
 */
export function requestOf({ operation, path, method, server, values, body }) {
  /** @type {[string, string][]} */
  const query = [];
  /** @type {[string, string][]} */
  const headers = [];
  let address = server.replace(/\/$/, "") + path;
  const parameters = chosen(operation, values);
  for (const { parameter, value } of parameters) {
    const texts = [value].flat().map(String);
    if (parameter.in === "path") {
      const escaped = encodeURIComponent(texts.join());
      const whole = parameter["x-rest-of-path"] ? escaped.replaceAll("%2F", "/") : escaped;
      address = address.replace(`{${parameter.name}}`, whole);
    } else {
      const pairs = parameter.in === "query" ? query : headers;
      for (const text of texts) pairs.push([parameter.name, text]);
    }
  }
  const required = (operation.security ?? []).every(
    (/** @type {Json} */ way) => Object.keys(way).length > 0,
  );
  const signed = (operation.security ?? []).length > 0 && required;
  return {
    ...{ method: method.toUpperCase(), address, query, headers, signed },
    ...bodyOf(operation.requestBody?.content ?? {}, body),
    ...answerOf(operation),
  };
}

/**
 * The given values, examples for missing required ones, and samples for an empty search: those in `x-samples` if the
 * operation has them, else facet values.
 *
 * @param {Json} operation @param {Record<string, unknown>} values
 */
function chosen({ parameters = [], "x-samples": samples }, values) {
  const given = (/** @type {Json} */ { name, in: place, schema }) => {
    const value = values[`${place}.${name}`];
    const empty =
      value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    return empty || String(value) === String(schema?.default) ? undefined : value;
  };
  const searched = parameters.some(
    (/** @type {Json} */ one) => one.in === "query" && given(one) !== undefined,
  );
  const flavour = parameters.find((/** @type {Json} */ { name }) => name === "flavour");
  const naming = flavour && String(given(flavour) ?? flavour.example);
  const sample = (/** @type {Json} */ one) => {
    if (one.required) return one.example;
    if (samples !== undefined) return searched ? undefined : samples[one.name];
    const facet = one["x-facets"]?.[naming];
    return !searched && SAMPLED.includes(facet) ? one["x-sample"] : undefined;
  };
  return parameters
    .map((/** @type {Json} */ parameter) => ({
      parameter,
      value: given(parameter) ?? sample(parameter),
    }))
    .filter((/** @type {Json} */ { value }) => value !== undefined);
}

/** @param {Json} content @param {unknown} body @returns {{ form?: [string, string][], json?: unknown }} */
function bodyOf(content, body) {
  const [[type, { examples, example = Object.values(examples ?? {})[0]?.value }] = ["", {}]] =
    Object.entries(content);
  if (type === "") return {};
  if (type !== "application/json") {
    const fields = Object.entries(/** @type {Json} */ (body ?? {})).filter(([, value]) => value);
    const form = fields.length > 0 ? fields : Object.entries(example);
    return { form: form.map(([name, value]) => [name, String(value)]) };
  }
  try {
    return { json: typeof body === "string" && body !== "" ? JSON.parse(body) : example };
  } catch {
    return { json: example };
  }
}

/** @param {Json} operation @returns {{ answer: "json" | "text" | "bytes" | "nothing", file?: string }} */
function answerOf(operation) {
  const [, success] =
    Object.entries(operation.responses).find(([status]) => /^2/.test(status)) ?? [];
  const [type] = Object.keys(success?.content ?? {});
  if (type === undefined) return { answer: "nothing" };
  if (type.endsWith("json")) return { answer: "json" };
  if (type.startsWith("text/")) return { answer: "text" };
  return { answer: "bytes", file: type === "application/zip" ? "catalogue.zip" : "answer" };
}
