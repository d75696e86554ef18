/** Collects the metrics of all workers. */
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import {
  cumulativeFigures,
  type Figures,
  mergedText,
  mergeFigures,
} from "../monitoring/metrics/merged-figures.js";

/** Milliseconds that workers get to answer; else their last metrics count. */
const TIMEOUT = 1000;

/** A worker that can report its metrics. */
export interface Member {
  ask(round: number): void;
}

/** Each round has a number, so that a late answer does not end another round. */
export class FigureCollector {
  readonly #members = new Set<Member>();
  readonly #last = new Map<Member, Figures>();
  /** Metrics of workers that have ended. */
  #past: Figures[] = [];
  readonly #missing = new Set<Member>();
  #round = 0;
  #isComplete: () => void = () => {};
  readonly #rounds = new SingleFlight<string>();
  readonly #own: () => Promise<Figures>;

  /** @param own metrics of this process */
  constructor(own: () => Promise<Figures>) {
    this.#own = own;
  }

  join(member: Member): void {
    this.#members.add(member);
  }

  /** Removes a worker. Its counts stay in all sums. */
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

  /** All metrics as one text. Concurrent callers share a round. */
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
