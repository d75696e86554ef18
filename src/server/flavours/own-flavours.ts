/**
 * The flavours of users: each owner's own, and those for all.
 *
 * The store has one entry for each owner, so that concurrent changes conflict and a renaming is atomic. Every
 * instance has a copy of all entries and refreshes it every second or two, so searches work without the store. Only an
 * unknown name is looked up in the store, with a limited rate, so that made-up names cause no load.
 */
import { LRUCache } from "lru-cache";
import { InvalidParameters, NameTaken, NoSuchFlavour } from "../../domain/errors.js";
import { nearest } from "../../domain/text/nearest-names.js";
import type { Owner } from "../../domain/user-data/owner.js";
import type { Flavour } from "../../domain/vocabulary/flavours.js";
import { SolrTimeout } from "../../index/errors.js";
import type { CopiedEntries, StateCopy } from "../../index/state/state-copy.js";
import { sha256 } from "../../platform/sha256.js";
import { type Definition, definitionIssues, flavourOf, folded } from "./definition.js";

export interface OwnFlavour {
  /** The identifier of the owner; undefined for a flavour for all. */
  readonly owner: string | undefined;
  readonly flavour: Flavour;
}

/** The owner of flavours; "all" for those that are for all. */
export type FlavourOwner = Owner | "all";

/** A change; omitted members stay as they are. */
interface Change {
  readonly name?: string | undefined;
  readonly mapping?: Definition["mapping"] | undefined;
}

/** The store's entry of one owner. */
interface Stored {
  /** The owner's identifier, or "all". */
  readonly owner: string;
  readonly flavours: readonly Definition[];
}

/** The flavours of one owner by name, as in this instance's copy. */
type FlavourMap = ReadonlyMap<string, OwnFlavour>;

const KIND = "flavours";
/** Milliseconds between two lookups in the store for one owner, whatever the names. */
const LOOKUP_INTERVAL = 1000;
/** Milliseconds that a lookup may take. */
const LOOKUP_TIMEOUT = 2000;
const MAX_LOOKUPS = 10_000;
/** Maximum of flavours of one account, and of those for all. */
const MAX_PERSONAL = 20;
const MAX_GLOBAL = 100;

const NONE: FlavourMap = new Map();

const idOf = (owner: FlavourOwner): string => `flavours:${owner === "all" ? "" : sha256(owner.id)}`;
const ALL = idOf("all");

export class OwnFlavours {
  readonly #copies: CopiedEntries<FlavourMap>;
  readonly #lookups = new LRUCache<string, Promise<void>>({
    max: MAX_LOOKUPS,
    ttl: LOOKUP_INTERVAL,
  });

  constructor(copy: StateCopy) {
    this.#copies = copy.of(KIND, flavourMapOf);
  }

  /** The flavours of an owner and those for all, from this instance's copy. A name may occur twice, the owner's first. */
  visible(owner: Owner | undefined): OwnFlavour[] {
    const own = owner === undefined ? NONE : this.#of(idOf(owner));
    return [...own.values(), ...this.#of(ALL).values()];
  }

  /** The flavour of a name in this instance's copy: the owner's own, else the one for all. */
  known(name: string, owner: Owner | undefined): Flavour | undefined {
    const own = owner && this.#of(idOf(owner)).get(name);
    return (own ?? this.#of(ALL).get(name))?.flavour;
  }

  /** The flavour of a name; looked up in the store if this instance's copy lacks it. */
  async find(name: string, owner: Owner | undefined): Promise<Flavour | undefined> {
    const before = this.known(name, owner);
    if (before !== undefined) return before;
    const ids = owner === undefined ? [ALL] : [ALL, idOf(owner)];
    await Promise.all(ids.map((id) => this.#lookUp(id)));
    return this.known(name, owner);
  }

  async add(owner: FlavourOwner, definition: Definition): Promise<OwnFlavour> {
    requireGood(definition);
    const forAll = await this.#forAllBeside(owner);
    return this.#edit(owner, (flavours) => {
      requireFree(definition.name, [...flavours, ...forAll]);
      requireRoom(owner, flavours);
      return { flavours: [...flavours, definition], changed: definition };
    });
  }

  async change(owner: FlavourOwner, name: string, change: Change): Promise<OwnFlavour> {
    const forAll = change.name === undefined ? [] : await this.#forAllBeside(owner);
    return this.#edit(owner, (flavours) => {
      const before = definitionOf(name, flavours);
      const changed = changedTo(before, change);
      const others = flavours.filter((one) => one !== before);
      requireFree(changed.name, changed.name === name ? others : [...others, ...forAll]);
      return { flavours: flavours.map((one) => (one === before ? changed : one)), changed };
    });
  }

  async remove(owner: FlavourOwner, name: string): Promise<void> {
    await this.#edit(owner, (flavours) => {
      const changed = definitionOf(name, flavours);
      return { flavours: flavours.filter((one) => one.name !== name), changed };
    });
  }

  /**
   * Moves a flavour between an owner and all, and changes it. An interrupted move leaves it in both places; the same call
   * again completes it.
   */
  async move(
    from: FlavourOwner,
    to: FlavourOwner,
    name: string,
    change: Change,
  ): Promise<OwnFlavour> {
    const before = definitionOf(name, await this.#read(idOf(from)));
    const moved = changedTo(before, change);
    const result = await this.#edit(to, (flavours) => {
      const isThere = flavours.some((one) => JSON.stringify(one) === JSON.stringify(moved));
      if (isThere) return { flavours, changed: moved };
      requireFree(moved.name, flavours);
      requireRoom(to, flavours);
      return { flavours: [...flavours, moved], changed: moved };
    });
    await this.remove(from, name);
    return result;
  }

  async has(owner: FlavourOwner, name: string): Promise<boolean> {
    return (await this.#read(idOf(owner))).some((one) => one.name === name);
  }

  #of(id: string): FlavourMap {
    return this.#copies.get(id) ?? NONE;
  }

  /** The flavours for all, whose names an owner's flavour must not have. */
  async #forAllBeside(owner: FlavourOwner): Promise<readonly Flavour[]> {
    if (owner === "all") return [];
    await this.#lookUp(ALL);
    return this.visible(undefined).map(({ flavour }) => flavour);
  }

  async #read(id: string): Promise<readonly Definition[]> {
    const { previous } = await this.#copies.read(id);
    return storedOf(previous?.value)?.flavours ?? [];
  }

  /** Edits the newest entry of an owner. After a concurrent change the edit runs again on the other's result. */
  async #edit(
    owner: FlavourOwner,
    work: (flavours: readonly Definition[]) => {
      flavours: readonly Definition[];
      changed: Definition;
    },
  ): Promise<OwnFlavour> {
    const ownerId = owner === "all" ? "all" : owner.id;
    return this.#copies.edit(
      idOf(owner),
      ({ previous }) => {
        const { flavours, changed } = work(storedOf(previous?.value)?.flavours ?? []);
        const value: Stored = { owner: ownerId, flavours };
        return { result: ownFlavour(ownerId, changed), next: { value } };
      },
      "These flavours are being changed by others; please try again.",
    );
  }

  async #lookUp(id: string): Promise<void> {
    let lookup = this.#lookups.get(id);
    if (lookup === undefined) {
      lookup = this.#ask(id);
      // The failure may come after the last waiter has left.
      lookup.catch(() => {});
      this.#lookups.set(id, lookup);
    }
    await lookup;
  }

  async #ask(id: string): Promise<void> {
    const signal = AbortSignal.timeout(LOOKUP_TIMEOUT);
    try {
      await this.#copies.read(id, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new SolrTimeout("flavours", { cause: error });
    }
  }
}

function ownFlavour(owner: string, definition: Definition): OwnFlavour {
  return { owner: owner === "all" ? undefined : owner, flavour: flavourOf(definition) };
}

function flavourMapOf(value: unknown): FlavourMap | undefined {
  const stored = storedOf(value);
  const named = stored?.flavours.map((one) => [one.name, ownFlavour(stored.owner, one)] as const);
  return named && new Map(named);
}

const isText = (value: unknown): value is string => typeof value === "string";

/** A stored value, without parts of another form. */
function storedOf(value: unknown): Stored | undefined {
  const { owner, flavours } = (value ?? {}) as Partial<Stored>;
  if (!isText(owner) || !Array.isArray(flavours)) return undefined;
  const isDefinition = ({ name, mapping }: Definition): boolean =>
    isText(name) && typeof mapping === "object" && Object.values(mapping ?? {}).every(isText);
  return { owner, flavours: flavours.filter(isDefinition) };
}

function requireGood(definition: Definition): void {
  const issues = definitionIssues(definition);
  if (issues.length > 0) throw new InvalidParameters(issues);
}

function changedTo(before: Definition, { name, mapping }: Change): Definition {
  const changed = { name: name ?? before.name, mapping: mapping ?? before.mapping };
  requireGood(changed);
  return changed;
}

function requireFree(name: string, flavours: readonly Pick<Definition, "name">[]): void {
  const twin = flavours.find((one) => folded(one.name) === folded(name));
  if (twin !== undefined) throw new NameTaken(`There is a flavour ${twin.name}.`);
}

function requireRoom(owner: FlavourOwner, flavours: readonly Definition[]): void {
  const max = owner === "all" ? MAX_GLOBAL : MAX_PERSONAL;
  if (flavours.length < max) return;
  const reason =
    owner === "all"
      ? `there are ${max} flavours for all already, which is the most`
      : `you have ${max} flavours already, which is the most`;
  throw new InvalidParameters([{ name: "flavour_name", in: "body", reason }]);
}

/** @throws NoSuchFlavour */
function definitionOf(name: string, flavours: readonly Definition[]): Definition {
  const found = flavours.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = flavours.map((one) => one.name);
  throw new NoSuchFlavour(name, nearest(name, names));
}
