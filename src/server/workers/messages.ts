/** What the process that has the port and its workers tell each other, over a channel that nobody else can read. */

import type { SolrTopology } from "../../index/collections/collections.js";
import { type SolrEndpoint, solrEndpoint } from "../../index/transport/endpoint.js";
import type { Figures } from "../metrics/merged-figures.js";

/** Milliseconds between two signs of life. */
export const ALIVE_MS = 1000;

/** What a worker is told before anything else. */
export interface Start {
  readonly kind: "start";
  /** From 1. */
  readonly index: number;
  readonly workers: number;
  readonly endpoint: PlainEndpoint;
  readonly topology: SolrTopology;
  readonly isUp: boolean;
}

/** To a worker. */
export type Order =
  | Start
  /** The port is open; connections follow. */
  | { readonly kind: "listening"; readonly address: string }
  /** Solr may be asked, or may not while it is started again. */
  | { readonly kind: "solr"; readonly isUp: boolean }
  /** To tell what is measured of it. */
  | { readonly kind: "measure"; readonly round: number }
  /** What it has asked for: what is measured of all. */
  | { readonly kind: "scraped"; readonly number: number; readonly text: string }
  /** Comes with a connection. */
  | { readonly kind: "connection" }
  /** Transfers may finish for a while; then it is to end. */
  | { readonly kind: "stop" };

/** From a worker; `open` are the connections that it has. */
export type Report =
  | { readonly kind: "ready" }
  /** It cannot start, for a reason that is told in one sentence. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It has the connection that it was given. */
  | { readonly kind: "taken"; readonly open: number }
  /** It does not take it, as it is ending. */
  | { readonly kind: "refused" }
  /** It lives; also told when connections have ended. */
  | { readonly kind: "alive"; readonly open: number }
  /** A write failed as it does for an index that was closed for good. */
  | { readonly kind: "mend" }
  | { readonly kind: "measured"; readonly round: number; readonly figures: Figures }
  /** It is asked what is measured of all. */
  | { readonly kind: "scrape"; readonly number: number }
  /** It was told by a signal to end. */
  | { readonly kind: "ending" };

/** An endpoint as a message can carry it. */
export type PlainEndpoint = Omit<SolrEndpoint, "urls"> & { readonly urls: readonly string[] };

export const plainEndpoint = ({ urls, ...rest }: SolrEndpoint): PlainEndpoint => ({
  ...rest,
  urls: urls.map((url) => url.href),
});

export const endpointOf = ({ urls, ...rest }: PlainEndpoint): SolrEndpoint => ({
  ...solrEndpoint(urls.join(" ")),
  ...rest,
});
