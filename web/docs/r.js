/** A request -> R code (4.1 or later) that sends it with httr2. */

/** Reserved words (R Language Definition, 10.3.3). */
const RESERVED =
  /^(?:if|else|repeat|while|function|for|next|break|in|TRUE|FALSE|NULL|Inf|NaN|NA(?:_\w+_)?)$/;

/**
 * An R string in ASCII, so that it does not depend on the locale. U+0000 and lone surrogates, which R strings cannot
 * hold, become U+FFFD.
 *
 * @param {string} text
 */
export const rText = (text) => `"${text.replaceAll(/[^ !#-[\]-~]/gu, escaped)}"`;

/** @param {string} sign */
function escaped(sign) {
  const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" }[sign];
  if (short !== undefined) return short;
  const code = sign === "\0" || /\p{Surrogate}/u.test(sign) ? 0xfffd : (sign.codePointAt(0) ?? 0);
  const digits = code.toString(16);
  // The maximum number of digits: a following digit would otherwise be read as part of the escape.
  return code > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

/** @param {string} name */
const argument = (name) =>
  /^[a-zA-Z]\w*$/.test(name) && !RESERVED.test(name) ? name : rText(name);

/** R code of a JSON value. @param {unknown} value @param {string} indent @returns {string} */
function list(value, indent) {
  if (value === null || value === undefined) return "NULL";
  if (value === true) return "TRUE";
  if (value === false) return "FALSE";
  if (typeof value === "string") return rText(value);
  if (typeof value !== "object") return String(value);
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((one) => list(one, inner))
    : Object.entries(value).map(([name, one]) => `${argument(name)} = ${list(one, inner)}`);
  // An unnamed list becomes an array.
  if (members.length === 0 && !Array.isArray(value)) return "setNames(list(), character())";
  const line = `list(${members.join(", ")})`;
  if (line.length + indent.length < 80 && !line.includes("\n")) return line;
  return `list(\n${members.map((one) => inner + one).join(",\n")}\n${indent})`;
}

/** Repeated names become vectors. @param {string} call @param {[string, string][]} pairs */
const given = (call, pairs) =>
  `${call}(\n${pairs.map(([name, value]) => `    ${argument(name)} = ${rText(value)}`).join(",\n")}\n  )`;

/** @param {import("./snippets.js").Sent} sent */
export function httr2(sent) {
  const steps = [`request(${rText(sent.address)})`];
  const hasBody = sent.form !== undefined || sent.json !== undefined;
  if (sent.method !== (hasBody ? "POST" : "GET")) steps.push(`req_method(${rText(sent.method)})`);
  if (sent.query.length > 0) steps.push(given("req_url_query", sent.query));
  if (sent.headers.length > 0) steps.push(given("req_headers", sent.headers));
  if (sent.signed) steps.push('req_auth_bearer_token(Sys.getenv("TOKEN"))');
  if (sent.form) steps.push(given("req_body_form", sent.form));
  if (sent.json !== undefined) steps.push(`req_body_json(${list(sent.json, "  ")})`);
  const isKept = sent.answer === "bytes";
  steps.push(isKept ? `req_perform(path = ${rText(sent.file ?? "answer")})` : "req_perform()");
  const shown = {
    json: ["str(resp_body_json(answer))"],
    text: ["cat(resp_body_string(answer))"],
    bytes: [],
    nothing: [],
  }[sent.answer];
  return ["library(httr2)", "", `answer <- ${steps.join(" |>\n  ")}`, ...shown].join("\n");
}
