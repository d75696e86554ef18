/** Bytes per value in V8 on 64-bit machines, with uncompressed pointers as in Node. */
const SLOT = 8;
const NUMBER = 16;
const STRING = 24;
const OBJECT = 32;
const ENTRY = 48;

/** Estimates the bytes of memory of a JSON value, or of maps of such values. A value that occurs twice counts twice. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return STRING + value.length;
  // Small integers are stored in the pointer itself.
  if (typeof value === "number") return (value | 0) === value ? 0 : NUMBER;
  if (typeof value !== "object" || value === null) return SLOT;
  if (ArrayBuffer.isView(value)) return OBJECT + value.byteLength;
  let sum = OBJECT;
  if (value instanceof Map) {
    for (const [key, one] of value) sum += ENTRY + memoryOf(key) + memoryOf(one);
  } else if (Array.isArray(value)) {
    for (const one of value) sum += SLOT + memoryOf(one);
  } else {
    // Objects of the same shape share their property names.
    for (const name in value) sum += SLOT + memoryOf((value as Record<string, unknown>)[name]);
  }
  return sum;
}
