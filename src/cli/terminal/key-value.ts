import { UserError } from "../../platform/errors.js";

/** Collects the values of a repeatable option. */
export const several = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

/** Collects the `key=value` pairs of a repeatable option. */
export function keyValue(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new UserError(`${JSON.stringify(text)} is not key=value.`);
  }
  if (Object.hasOwn(before, key)) throw new UserError(`${key} is given twice.`);
  return { ...before, [key]: value };
}
