/** Requests -> lines of the audit log. */
import type { RequestContext, RequestObserver } from "../http/request-context.js";
import { EventAggregator } from "./event-aggregator.js";
import { EVENT_OF, EVENTS, type EventName } from "./events.js";
import { type Fields, lineOf } from "./line.js";
import type { Pseudonyms } from "./pseudonyms.js";

type Outcome = "done" | "refused" | "failed";

const now = (): string => new Date().toISOString();

const outcomeOf = (status: number): Outcome => {
  if (status < 400) return "done";
  return status < 499 ? "refused" : "failed";
};

/** Statuses recorded as refused reads. A missing dataset (404) was not read. */
const REFUSED = [401, 403, 429];

export class AuditTrail implements RequestObserver {
  readonly #aggregator: EventAggregator;
  readonly #write: (line: string) => void;
  readonly #pseudonyms: Pseudonyms;

  constructor(write: (line: string) => void, pseudonyms: Pseudonyms) {
    this.#write = write;
    this.#pseudonyms = pseudonyms;
    this.#aggregator = new EventAggregator((fields) => write(lineOf(fields)));
  }

  /** Records changes when they are decided, even if the client has disconnected. */
  decided(context: RequestContext, status: number): void {
    const event = eventOf(context);
    if (event === undefined || EVENTS[event].isReading) return;
    const outcome = outcomeOf(status);
    const fields = {
      event,
      outcome,
      status,
      ...this.#who(context),
      ...this.#what(context, status),
    };
    const address = this.#addressOf(context);
    const time = now();
    if (EVENTS[event].isAggregated || outcome !== "done") {
      this.#aggregator.add(fields, { time, request: context.id, address, bytes: 0 });
    } else this.#write(lineOf({ time, ...fields, address, request: context.id }));
  }

  /** Records reads when they end, with the bytes that were sent. */
  ended(context: RequestContext): void {
    const event = eventOf(context);
    if (event === undefined || !EVENTS[event].isReading) return;
    const { status, reading, bytes, id: request } = context;
    const isRefused = REFUSED.includes(status);
    if (!isRefused && (status >= 400 || status === 0)) return;
    const outcome: Outcome = isRefused ? "refused" : "done";
    const byTicket =
      context.principal === undefined && reading !== undefined && !reading.by.isAnonymous;
    const fields = {
      event,
      outcome,
      ...(isRefused && { status }),
      ...this.#who(context),
      dataset: reading?.dataset,
      ...(byTicket && {
        sharer: this.#pseudonyms.known(reading.by.sub),
        sharer_name: this.#pseudonyms.known(reading.by.user),
      }),
    };
    this.#aggregator.add(fields, {
      time: now(),
      request,
      address: this.#addressOf(context),
      bytes,
    });
  }

  /** Records an event that no request causes. */
  record(event: EventName, fields: Fields): void {
    this.#write(lineOf({ time: now(), event, ...fields }));
  }

  /** Records a change made by a command. @param name of a user or a client */
  recordAccount(action: string, name: string | undefined, machineUser: string): void {
    const known = name === undefined ? {} : { name: this.#pseudonyms.known(name) };
    const user = this.#pseudonyms.known(machineUser);
    this.record("account", { outcome: "done", action, ...known, machine_user: user });
  }

  flush(): void {
    this.#aggregator.flush();
  }

  #addressOf({ address }: RequestContext): string | undefined {
    return address === undefined ? undefined : this.#pseudonyms.known(address);
  }

  #who({ principal, particulars }: RequestContext): Fields {
    const { holder, client } = particulars ?? {};
    const { sub, username: name, issuer } = principal ?? {};
    const who = principal === undefined ? holder : { sub, name, issuer };
    const known = (text: string | undefined) => (text ? this.#pseudonyms.known(text) : undefined);
    return {
      subject: known(who?.sub),
      name: known(who?.name),
      issuer: who?.issuer || undefined,
      client: principal?.clientId ?? client,
    };
  }

  #what({ particulars = {} }: RequestContext, status: number): Fields {
    const { name, holder, dataset, seconds, added, duplicates, deleted, flavour, isForAll } =
      particulars;
    // With 429 the address is blocked whatever names it invents, so the name is left out.
    const isTried = name !== undefined && holder === undefined && status !== 429;
    return {
      ...(isTried && { name: this.#pseudonyms.of(name) }),
      dataset,
      seconds,
      added,
      duplicates,
      deleted,
      flavour,
      for_all: isForAll,
    };
  }
}

function eventOf({ operation, particulars }: RequestContext): EventName | undefined {
  if (operation === undefined) return undefined;
  const { grant } = particulars ?? {};
  if (grant === "refresh_token") return "token-refresh";
  if (grant === "authorization_code") return "token-code";
  // A sign-in form without a password leads back and signs nobody in.
  return operation === "signIn" && grant === undefined ? undefined : EVENT_OF.get(operation);
}
