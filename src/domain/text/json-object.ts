/** An object of JSON, whatever its members are. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON: neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
