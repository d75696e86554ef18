import { DamagedFile } from "../errors.js";

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
  private readonly claims = new Map<number, Claim>();

  /**
   * @param owner what tells one user of the place from another; the address itself where there is only one
   * @throws DamagedFile where the place begins as another's
   */
  claim(address: number, length: number, owner = address): void {
    if (length <= 0) return;
    const known = this.claims.get(address);
    if (known !== undefined && known.owner !== owner) throw overlap();
    if (known === undefined || known.length < length) this.claims.set(address, { length, owner });
  }

  /** @throws DamagedFile where two places overlap */
  check(): void {
    let end = 0;
    for (const [address, { length }] of [...this.claims].sort(([a], [b]) => a - b)) {
      if (address < end) throw overlap();
      end = address + length;
    }
  }
}

const overlap = (): DamagedFile => new DamagedFile("Two structures of the file overlap.");
