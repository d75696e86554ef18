/** JSON of long values, written in slices, so that a large answer does not keep other requests waiting. */
import { isObject } from "../../domain/text/json-object.js";
import { batchesOf, TimeSlice } from "../../platform/concurrency/time-slices.js";

/** Elements of an array, or members of an object, that are written at once. */
const AT_ONCE = 200;
/** Levels of objects whose members are written one by one. */
const LEVELS = 2;

/** The same text as `JSON.stringify`, for a value made of plain objects, in pieces. */
export async function jsonPieces(value: object): Promise<readonly string[]> {
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
