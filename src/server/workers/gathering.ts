/** What is measured of all workers, asked for together. */
import { SingleFlight } from "../../platform/single-flight.js";
import {
  cumulativeFigures,
  type Figures,
  mergedText,
  mergeFigures,
} from "../metrics/merged-figures.js";

/** Milliseconds that workers get to answer; of one that does not, what it said last counts. */
const TIMEOUT = 1000;

/** Who can be asked. */
export interface Member {
  ask(round: number): void;
}

/** Each round of questions has a number: an answer that comes late ends no other. */
export class FigureCollector {
  readonly #members = new Set<Member>();
  readonly #last = new Map<Member, Figures>();
  /** Of workers that have ended. */
  #past: Figures[] = [];
  readonly #missing = new Set<Member>();
  #round = 0;
  #isComplete: () => void = () => {};
  readonly #rounds = new SingleFlight<string>();
  readonly #own: () => Promise<Figures>;

  /** @param own figures of this process, which answers no requests itself */
  constructor(own: () => Promise<Figures>) {
    this.#own = own;
  }

  join(member: Member): void {
    this.#members.add(member);
  }

  /** What it counted stays in all sums. */
  leave(member: Member): void {
    this.#members.delete(member);
    this.#heard(member);
    const last = this.#last.get(member);
    this.#last.delete(member);
    if (last !== undefined) this.#past.push(cumulativeFigures(last));
  }

  take(member: Member, round: number, figures: Figures): void {
    if (!this.#members.has(member)) return;
    this.#last.set(member, figures);
    if (round === this.#round) this.#heard(member);
  }

  #heard(member: Member): void {
    if (this.#missing.delete(member) && this.#missing.size === 0) this.#isComplete();
  }

  /** As one text. Who asks while others are being answered gets the same. */
  text(): Promise<string> {
    return this.#rounds.join(() => this.#gather());
  }

  async #gather(): Promise<string> {
    this.#round += 1;
    for (const member of this.#members) this.#missing.add(member);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TIMEOUT);
      this.#isComplete = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const member of this.#members) member.ask(this.#round);
      if (this.#missing.size === 0) this.#isComplete();
    });
    this.#missing.clear();
    if (this.#past.length > 1) this.#past.push(await mergeFigures(this.#past.splice(0)));
    return mergedText([...this.#last.values(), ...this.#past, await this.#own()]);
  }
}
