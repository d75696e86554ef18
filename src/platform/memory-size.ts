/** How much memory a value takes, roughly. */

/** Bytes that V8 takes for each, on 64 bits and with pointers of 8 bytes, as Node has them. */
const SLOT = 8;
const NUMBER = 16;
const STRING = 24;
const OBJECT = 32;
const ENTRY = 48;

/** Bytes of a value as JSON has them, and of maps of such; what stands twice in it counts twice. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return STRING + value.length;
  // Small whole numbers stand in the place of what would point to them.
  if (typeof value === "number") return (value | 0) === value ? 0 : NUMBER;
  if (typeof value !== "object" || value === null) return SLOT;
  if (ArrayBuffer.isView(value)) return OBJECT + value.byteLength;
  let sum = OBJECT;
  if (value instanceof Map) {
    for (const [key, one] of value) sum += ENTRY + memoryOf(key) + memoryOf(one);
  } else if (Array.isArray(value)) {
    for (const one of value) sum += SLOT + memoryOf(one);
  } else {
    // Names stand once for all objects that have the same.
    for (const name in value) sum += SLOT + memoryOf((value as Record<string, unknown>)[name]);
  }
  return sum;
}
