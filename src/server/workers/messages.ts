/** Messages between the supervisor and its workers, over a private channel. */

import type { SolrTopology } from "../../index/collections/collections.js";
import { type SolrEndpoint, solrEndpoint } from "../../index/transport/endpoint.js";
import type { Figures } from "../monitoring/metrics/merged-figures.js";

/** Milliseconds between two signs of life. */
export const ALIVE_MS = 1000;

/** The first message to a worker. */
export interface Start {
  readonly kind: "start";
  /** From 1. */
  readonly index: number;
  readonly workers: number;
  readonly endpoint: PlainEndpoint;
  readonly topology: SolrTopology;
  readonly isUp: boolean;
  /** The settings that the environment of a process does not show. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** To a worker. */
export type Order =
  | Start
  /** The port is open; connections follow. */
  | { readonly kind: "listening"; readonly address: string }
  /** Whether Solr is up; it is not during a restart. */
  | { readonly kind: "solr"; readonly isUp: boolean }
  /** Requests the worker's metrics. */
  | { readonly kind: "measure"; readonly round: number }
  /** The metrics of all processes, which the worker has requested. */
  | { readonly kind: "scraped"; readonly number: number; readonly text: string }
  /** Sent with a connection. */
  | { readonly kind: "connection" }
  /** Ends the worker after transfers had time to finish. */
  | { readonly kind: "stop" };

/** From a worker; `open` is the number of its connections. */
export type Report =
  | { readonly kind: "ready" }
  /** It cannot start; the reason is one sentence. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It has taken its connection. */
  | { readonly kind: "taken"; readonly open: number }
  /** It refuses its connection because it is ending. */
  | { readonly kind: "refused" }
  /** A sign of life, also sent when connections have ended. */
  | { readonly kind: "alive"; readonly open: number }
  /** A write failed because Solr closed the index for good. */
  | { readonly kind: "mend" }
  | { readonly kind: "measured"; readonly round: number; readonly figures: Figures }
  /** It requests the metrics of all processes. */
  | { readonly kind: "scrape"; readonly number: number }
  /** It has received a signal to end. */
  | { readonly kind: "ending" };

/** An endpoint in serialisable form. */
export type PlainEndpoint = Omit<SolrEndpoint, "urls"> & { readonly urls: readonly string[] };

export const plainEndpoint = ({ urls, ...rest }: SolrEndpoint): PlainEndpoint => ({
  ...rest,
  urls: urls.map((url) => url.href),
});

export const endpointOf = ({ urls, ...rest }: PlainEndpoint): SolrEndpoint => ({
  ...solrEndpoint(urls.join(" ")),
  ...rest,
});
