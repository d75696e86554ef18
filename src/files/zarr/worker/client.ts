/** A client that is charged for the time of reading. */
export interface TimedClient {
  readonly key: string;
  /** Receives the milliseconds that a process took for the client's order; not for results from a cache. */
  spent(milliseconds: number): void;
}

/** The client of a reading order. Clients take turns. A key alone if its time is not counted. */
export type ReadingClient = string | TimedClient;

export const keyOf = (client: ReadingClient | undefined): string | undefined =>
  typeof client === "object" ? client.key : client;
