/** A request -> code that sends it, in curl, Python, R and TypeScript. Independent of Swagger UI. */
import { httr2 } from "./r.js";

/**
 * @typedef {object} Sent
 * @property {string} method in capitals
 * @property {string} address without a query
 * @property {[string, string][]} query
 * @property {[string, string][]} headers
 * @property {boolean} signed whether it needs a token, read from the environment variable TOKEN
 * @property {[string, string][]} [form]
 * @property {unknown} [json]
 * @property {"json" | "text" | "bytes" | "nothing"} answer kind of the answer
 * @property {string} [file] file name for a binary answer
 */

/** @param {string} text */
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {Sent} sent */
function curl(sent) {
  const words = [];
  const form = sent.form ?? [];
  const hasBody = sent.json !== undefined || form.length > 0;
  if (sent.method !== (hasBody ? "POST" : "GET")) words.push(`-X ${sent.method}`);
  if (sent.answer === "bytes") words.push(`-o ${shell(sent.file ?? "answer")}`);
  if (sent.signed) words.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of sent.headers) words.push(`-H ${shell(`${name}: ${value}`)}`);
  // -G would put the body into the query as well.
  const query = hasBody && sent.query.length > 0 ? `?${new URLSearchParams(sent.query)}` : "";
  if (!hasBody && sent.query.length > 0) words.push("-G");
  // curl escapes the value only.
  for (const [name, value] of hasBody ? form : sent.query) {
    words.push(`--data-urlencode ${shell(`${encodeURIComponent(name)}=${value}`)}`);
  }
  if (sent.json !== undefined) {
    words.push("-H 'Content-Type: application/json'", `-d ${shell(JSON.stringify(sent.json))}`);
  }
  return [`curl --fail-with-body ${shell(sent.address + query)}`, ...words].join(" \\\n     ");
}

/** @param {unknown} value @param {string} indent @returns {string} */
function python(value, indent = "") {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const members = Array.isArray(value)
    ? value.map((one) => python(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const line = `${open}${members.join(", ")}${close}`;
  if (line.length + indent.length < 80 && !line.includes("\n")) return line;
  return `${open}\n${members.map((one) => `${inner}${one},\n`).join("")}${indent}${close}`;
}

/** Repeated names become arrays. @param {[string, string][]} pairs */
function table(pairs) {
  /** @type {Record<string, string | string[]>} */
  const result = {};
  for (const [name, value] of pairs) {
    const before = result[name];
    result[name] = before === undefined ? value : [before, value].flat();
  }
  return result;
}

/** @param {Sent} sent */
function requests(sent) {
  const headers = Object.entries(table(sent.headers)).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  if (sent.signed) headers.unshift(`"Authorization": f"Bearer {os.environ['TOKEN']}"`);
  const words = [JSON.stringify(sent.address)];
  if (sent.query.length > 0) words.push(`params=${python(table(sent.query), "    ")}`);
  if (headers.length > 0) words.push(`headers={${headers.join(", ")}}`);
  if (sent.form) words.push(`data=${python(table(sent.form), "    ")}`);
  if (sent.json !== undefined) words.push(`json=${python(sent.json, "    ")}`);
  const call = words.length > 1 ? `\n    ${words.join(",\n    ")},\n` : words.join("");
  const shown = {
    json: "print(answer.json())",
    text: "print(answer.text)",
    bytes: `open(${JSON.stringify(sent.file ?? "answer")}, "wb").write(answer.content)`,
    nothing: "",
  }[sent.answer];
  return [
    ...(sent.signed ? ["import os", ""] : []),
    "import requests",
    "",
    `answer = requests.${sent.method.toLowerCase()}(${call})`,
    "answer.raise_for_status()",
    ...(shown === "" ? [] : [shown]),
  ].join("\n");
}

/** @param {[string, string][]} pairs */
const pairs = (pairs) =>
  `new URLSearchParams([\n${pairs.map((pair) => `  ${JSON.stringify(pair).replace('","', '", "')},\n`).join("")}])`;

/** @param {Sent} sent */
function typescript(sent) {
  const headers = sent.headers.map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  if (sent.signed) headers.unshift("Authorization: `Bearer $" + "{process.env.TOKEN}`");
  const options = [];
  const body = [];
  if (sent.method !== "GET") options.push(`method: ${JSON.stringify(sent.method)}`);
  if (sent.form) {
    body.push(`const body = ${pairs(sent.form)};`);
    options.push("body");
  } else if (sent.json !== undefined) {
    headers.push('"Content-Type": "application/json"');
    body.push(`const body = JSON.stringify(${JSON.stringify(sent.json, null, 2)});`);
    options.push("body");
  }
  if (headers.length > 0) options.push(`headers: { ${headers.join(", ")} }`);
  const address = JSON.stringify(sent.address);
  const shown = {
    json: ["console.log(await answer.json());"],
    text: ["console.log(await answer.text());"],
    bytes: [
      `await writeFile(${JSON.stringify(sent.file ?? "answer")}, new Uint8Array(await answer.arrayBuffer()));`,
    ],
    nothing: [],
  }[sent.answer];
  return [
    ...(sent.answer === "bytes" ? ['import { writeFile } from "node:fs/promises";', ""] : []),
    ...(sent.query.length > 0 ? [`const query = ${pairs(sent.query)};`] : []),
    ...body,
    `const answer = await fetch(${sent.query.length > 0 ? `\`${sent.address}?\${query}\`` : address}` +
      `${options.length > 0 ? `, { ${options.join(", ")} }` : ""});`,
    "if (!answer.ok) throw new Error(await answer.text());",
    ...shown,
  ].join("\n");
}

/** Code generators by the name shown, in display order. */
export const LANGUAGES = { curl, Python: requests, R: httr2, TypeScript: typescript };
