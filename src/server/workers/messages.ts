/** Messages between the supervisor and its workers, over a private channel. */
import type { SolrTopology } from "../../index/collections/shards.js";
import type { SolrEndpoint } from "../../index/transport/endpoint.js";
import type { Figures } from "../monitoring/metrics/metrics.js";

/** Milliseconds between two signs of life. */
export const ALIVE_MS = 1000;

export interface Start {
  readonly kind: "start";
  /** From 1. */
  readonly index: number;
  readonly workers: number;
  /** In serialisable form. */
  readonly endpoint: Omit<SolrEndpoint, "urls"> & { readonly addresses: string };
  readonly topology: SolrTopology;
  readonly isUp: boolean;
  /** The settings that the environment of a process does not show. */
  readonly secrets: Readonly<Record<string, string>>;
}

export type Order =
  | Start
  /** Whether Solr is up; it is not during a restart. */
  | { readonly kind: "solr"; readonly isUp: boolean }
  /** Requests the worker's metrics. */
  | { readonly kind: "measure" }
  /** The metrics of all processes, which the worker has requested. */
  | { readonly kind: "scraped"; readonly text: string }
  /** Ends the worker after transfers had time to finish. */
  | { readonly kind: "stop" };

export type Report =
  /** It listens to orders: node:cluster drops earlier ones. */
  | { readonly kind: "loaded" }
  /** It answers at an address for a browser on this machine. */
  | { readonly kind: "ready"; readonly address: string }
  /** It cannot start; the reason is one sentence. */
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "alive" }
  /** A write failed because Solr closed the index for good. */
  | { readonly kind: "mend" }
  | { readonly kind: "measured"; readonly figures: Figures }
  /** It requests the metrics of all processes. */
  | { readonly kind: "scrape" };
