/** JSON of long values, written in slices, so that a large answer does not keep other requests waiting. */
import { isObject } from "../../domain/text/json-object.js";
import { batchesOf, TimeSlice } from "../../platform/concurrency/time-slices.js";

/** Elements of an array, or members of an object, that are written at once. */
const AT_ONCE = 200;
/** Levels of objects whose members are written one by one. */
const LEVELS = 2;

/** Elements and members of a value that is written at once, within about a millisecond. */
const SHORT = 2000;

/** The same text as `JSON.stringify`, for a value made of plain objects: in one piece if it is short. */
export async function jsonPieces(value: object): Promise<readonly string[]> {
  if (partsOf(value, SHORT) < SHORT) return [JSON.stringify(value)];
  const pieces: string[] = [];
  const slice = new TimeSlice();
  const write = async (one: unknown, level: number): Promise<void> => {
    if (Array.isArray(one) && one.length > AT_ONCE) {
      let separator = "[";
      for (const batch of batchesOf(one, AT_ONCE)) {
        pieces.push(separator, JSON.stringify(batch).slice(1, -1));
        separator = ",";
        if (slice.isOver) await slice.next();
      }
      pieces.push("]");
    } else if (level < LEVELS && isObject(one)) {
      let separator = "{";
      for (const [name, member] of Object.entries(one)) {
        if (member === undefined) continue;
        pieces.push(separator, JSON.stringify(name), ":");
        await write(member, level + 1);
        separator = ",";
      }
      pieces.push(separator === "{" ? "{}" : "}");
    } else {
      pieces.push(JSON.stringify(one));
      if (slice.isOver) await slice.next();
    }
  };
  await write(value, 0);
  return pieces;
}

/** The elements and members of a value, all levels together; at least `most` if there are more. */
function partsOf(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value) && value.length >= most) return most;
  let sum = 1;
  for (const part of Object.values(value)) {
    sum += partsOf(part, most - sum);
    if (sum >= most) return most;
  }
  return sum;
}
