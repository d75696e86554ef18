interface Claim {
  readonly length: number;
  /** The owner. A structure may be read twice, but two owners must not share a byte. */
  readonly owner: number;
}

/** All claimed places, and who shares one. */
interface ClaimedSpace {
  /** The places with adjacent ones joined, as alternating start and end positions. */
  readonly taken: readonly number[];
  /** Owners of places that overlap. */
  readonly overlapping: ReadonlySet<number>;
}

/**
 * Records which bytes of a file are needed, and by whom. Structures from before HDF5 1.8 have no checksums, but a damaged
 * address mostly points into another structure.
 */
export class SpaceMap {
  readonly #claims = new Map<number, Claim>();
  readonly #shared = new Set<number>();

  /** @param owner distinguishes users of the place; by default the address */
  claim(address: number, length: number, owner = address): void {
    if (length <= 0) return;
    const known = this.#claims.get(address);
    if (known !== undefined && known.owner !== owner) this.#shared.add(known.owner).add(owner);
    if (known === undefined || known.length < length) this.#claims.set(address, { length, owner });
  }

  finish(): ClaimedSpace {
    const taken: number[] = [];
    const overlapping = new Set(this.#shared);
    let end = 0;
    let last: number | undefined;
    for (const [address, { length, owner }] of [...this.#claims].sort(([a], [b]) => a - b)) {
      if (address < end && last !== undefined) overlapping.add(last).add(owner);
      if (address <= end && taken.length > 0) taken.pop();
      else taken.push(address);
      if (address + length >= end) last = owner;
      end = Math.max(end, address + length);
      taken.push(end);
    }
    return { taken, overlapping };
  }
}
