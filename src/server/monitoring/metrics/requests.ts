/** Metrics of requests and answers. No label has text of a caller. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { OPERATIONS, type OperationTraits } from "../../../../generated/operations.js";
import type { InvalidToken } from "../../../identity/errors.js";
import type { DomainError } from "../../../platform/errors.js";
import { LIMITS, type RequestContext, type RequestObserver } from "../../http/request-context.js";

/** Other methods share one label: clients can send any text. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"]);

/** Seconds: from cached answers to lists that take minutes. */
const BOUNDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300];

/** The label of each kind of answer. */
const KINDS: Readonly<Record<OperationTraits["kind"], string>> = {
  answer: "other",
  list: "lists",
  catalogue: "catalogues",
  file: "files",
  zarr: "documents",
  preview: "other",
};

/** The kind of an answer's bytes. A refusal is no data. */
function kindOf({ operation, chunk, status }: RequestContext): string {
  if (status >= 300 || operation === undefined) return "other";
  return chunk === undefined ? KINDS[OPERATIONS[operation].kind] : `chunks ${chunk}`;
}

/** Labels of errors about tokens, sign-ins and clients. */
const TOKEN_FAILURES: Readonly<Partial<Record<DomainError["kind"], string>>> = {
  "missing-token": "missing",
  "invalid-grant": "sign-in",
  "invalid-client": "client",
  "too-many-attempts": "too many attempts",
  "sign-in-busy": "busy",
  "identity-unavailable": "provider",
};

const tokenFailure = (problem: DomainError): string | undefined =>
  problem.kind === "invalid-token" ? (problem as InvalidToken).fault : TOKEN_FAILURES[problem.kind];

export class RequestMetrics implements RequestObserver {
  readonly #inFlight: Gauge;
  readonly #durations: Histogram;
  readonly #bytes: Counter;
  readonly #broken: Counter;
  readonly #problems: Counter;
  readonly #tokenFailures: Counter;
  readonly #slowed: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#durations = new Histogram({
      name: "http_server_request_duration_seconds",
      help: "From a request to the end of its answer, by operation of the contract",
      labelNames: ["operation", "method", "status"],
      buckets: BOUNDS,
      registers,
    });
    this.#inFlight = new Gauge({
      name: "http_server_active_requests",
      help: "Requests that are being answered",
      registers,
    });
    this.#bytes = new Counter({
      name: "climate_sent_bytes_total",
      help: "Bytes of answers on the wire, headers too, counted when an answer has ended",
      labelNames: ["kind"],
      registers,
    });
    this.#broken = new Counter({
      name: "climate_broken_answers_total",
      help: "Answers that did not come to their end, by whose fault that was",
      labelNames: ["by"],
      registers,
    });
    this.#problems = new Counter({
      name: "climate_problems_total",
      help: "Errors that were answered, by their kind",
      labelNames: ["kind"],
      registers,
    });
    this.#tokenFailures = new Counter({
      name: "climate_token_failures_total",
      help: "Tokens, sign-ins and clients that were not accepted, by cause",
      labelNames: ["cause"],
      registers,
    });
    this.#slowed = new Counter({
      name: "climate_slowed_answers_total",
      help: "Answers that a limit made wait, or slowed down; those that it refused are problems",
      labelNames: ["limit"],
      registers,
    });
    for (const limit of LIMITS) this.#slowed.inc({ limit }, 0);
    // Series for alerts start at 0: Prometheus counts no increase from a missing series to 1.
    for (const by of ["client", "service"]) this.#broken.inc({ by }, 0);
    const causes = ["invalid", "expired", "revoked", "share", ...Object.values(TOKEN_FAILURES)];
    for (const cause of causes) this.#tokenFailures.inc({ cause }, 0);
    for (const kind of ["service-busy", "data-unavailable", "too-many-requests"]) {
      this.#problems.inc({ kind }, 0);
    }
  }

  began(): void {
    this.#inFlight.inc();
  }

  refused({ kind }: DomainError): void {
    this.#problems.inc({ kind });
  }

  ended(context: RequestContext): void {
    this.#inFlight.dec();
    const { operation = "none", status, problem } = context;
    const method = METHODS.has(context.method) ? context.method : "other";
    this.#durations.observe({ operation, method, status }, context.milliseconds / 1000);
    this.#bytes.inc({ kind: kindOf(context) }, Math.max(0, context.bytes));
    if (context.isBroken) {
      this.#broken.inc({ by: context.isBrokenByUs ? "service" : "client" });
    }
    const slowedBy = context.charge?.slowedBy;
    if (slowedBy !== undefined) this.#slowed.inc({ limit: slowedBy.name });
    if (problem === undefined) return;
    this.#problems.inc({ kind: problem.kind });
    const cause = tokenFailure(problem);
    if (cause !== undefined) this.#tokenFailures.inc({ cause });
  }
}
