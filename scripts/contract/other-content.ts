/**
 * Media types of an answer beside the one that generated clients type.
 *
 * Most generators type the first media type of a response, and mistype or refuse the others. So openapi.yaml has one in
 * `content`. The others that the service can send stand under `x-other-content` beside it, in the same form.
 */
import { isObject, type Json } from "./schema-source.js";

export const OTHER_CONTENT = "x-other-content";

/** The document with all media types of each answer under `content`, for validators and types of the service itself. */
export function withOtherContent(value: Json): Json {
  if (Array.isArray(value)) return value.map(withOtherContent);
  if (!isObject(value)) return value;
  const { [OTHER_CONTENT]: other, ...rest } = value;
  const all = isObject(other) && isObject(rest.content) ? { ...rest.content, ...other } : undefined;
  const members = Object.entries(all === undefined ? rest : { ...rest, content: all });
  return Object.fromEntries(members.map(([key, part]) => [key, withOtherContent(part)]));
}
