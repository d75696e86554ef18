import { DamagedFile } from "../../errors.js";

interface Claim {
  readonly length: number;
  /** The owner. A structure may be read twice, but two owners must not share a byte. */
  readonly owner: number;
}

/**
 * Records which bytes of a file are occupied. Structures from before HDF5 1.8 have no checksums, but a damaged address
 * mostly points into another structure.
 */
export class SpaceMap {
  readonly #claims = new Map<number, Claim>();

  /**
   * @param owner distinguishes users of the place; by default the address
   * @throws DamagedFile if another owner has claimed the address
   */
  claim(address: number, length: number, owner = address): void {
    if (length <= 0) return;
    const known = this.#claims.get(address);
    if (known !== undefined && known.owner !== owner) throw overlap();
    if (known === undefined || known.length < length) this.#claims.set(address, { length, owner });
  }

  /**
   * All places with adjacent ones joined, as alternating start and end positions.
   *
   * @throws DamagedFile if two places overlap
   */
  finish(): number[] {
    const joined: number[] = [];
    let end = 0;
    for (const [address, { length }] of [...this.#claims].sort(([a], [b]) => a - b)) {
      if (address < end) throw overlap();
      if (address === end && joined.length > 0) joined.pop();
      else joined.push(address);
      end = address + length;
      joined.push(end);
    }
    return joined;
  }
}

/** The index of the first value above a limit, in ascending values. */
export function firstAbove(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

const overlap = (): DamagedFile => new DamagedFile("Two structures of the file overlap.");
