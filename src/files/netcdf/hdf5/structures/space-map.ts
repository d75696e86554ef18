import { DamagedFile } from "../../errors.js";

interface Claim {
  readonly length: number;
  /** Whose it is: the same structure may be read twice, and no two may share a byte. */
  readonly owner: number;
}

/**
 * Which bytes of a file are taken. Structures of before HDF5 1.8 have no checksums: an address that was damaged leads, more
 * often than not, into what is another's.
 */
export class SpaceMap {
  readonly #claims = new Map<number, Claim>();

  /**
   * @param owner what tells one user of the place from another; the address itself where there is only one
   * @throws DamagedFile where the place begins as another's
   */
  claim(address: number, length: number, owner = address): void {
    if (length <= 0) return;
    const known = this.#claims.get(address);
    if (known !== undefined && known.owner !== owner) throw overlap();
    if (known === undefined || known.length < length) this.#claims.set(address, { length, owner });
  }

  /**
   * All places, those that touch joined: from a byte up to another, from and up to ...
   *
   * @throws DamagedFile where two places overlap
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

/** The number of the first value above a limit, among ascending ones. */
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
