/** Appends a document's `version` to a dataset name. */
export function versioned(name: string | undefined, version: unknown): string | undefined {
  const text = String((Array.isArray(version) ? version[0] : version) ?? "");
  if (name === undefined || text === "") return name;
  return `${name}.${/^\d+$/.test(text) ? "v" : ""}${text}`;
}
