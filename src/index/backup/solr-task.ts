/** Runs long tasks of Solr asynchronously. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AdminRefused, type SolrAdmin } from "../collections/admin.js";
import { SetupError } from "../collections/setup-error.js";
import { addressesOf } from "../transport/endpoint.js";

/** Poll interval in milliseconds; it grows from MIN_PAUSE to MAX_PAUSE. */
const MIN_PAUSE = 50;
const MAX_PAUSE = 1000;

type Parameters = Readonly<Record<string, string>>;

/** Calls `probe` until it gives an answer. */
export async function poll<T>(probe: () => Promise<T | undefined>): Promise<T> {
  for (let pause = MIN_PAUSE; ; pause = Math.min(pause * 1.5, MAX_PAUSE)) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    await sleep(pause);
  }
}

interface CoreTask {
  readonly STATUS?: string;
  readonly msg?: string;
  readonly response?: string;
}

interface CollectionTask {
  readonly status?: { readonly state?: string; readonly msg?: string };
  readonly exception?: { readonly msg?: string };
  readonly failure?: unknown;
}

/**
 * Starts an action of the Core Admin or Collections API and waits for its end.
 *
 * @throws SetupError with the reason if the action fails
 */
export async function runTask(
  admin: SolrAdmin,
  api: "cores" | "collections",
  parameters: Parameters,
): Promise<void> {
  const id = `climate-nextgen-${randomUUID()}`;
  const path = `admin/${api}`;
  try {
    await admin.ask(path, { ...parameters, async: id });
    await poll(async () => {
      const request = { action: "REQUESTSTATUS", requestid: id };
      const state =
        api === "cores"
          ? coreState(await admin.ask<CoreTask>(path, request))
          : collectionState(await admin.ask<CollectionTask>(path, request));
      if (state.failed !== undefined) throw new AdminRefused(state.failed);
      return state.isDone ? true : undefined;
    });
  } catch (error) {
    throw error instanceof AdminRefused ? refusal(admin, parameters, error.message) : error;
  }
}

interface State {
  readonly isDone: boolean;
  readonly failed?: string;
}

function coreState({ STATUS: status, msg, response }: CoreTask): State {
  if (status === "failed") return { isDone: false, failed: response ?? msg ?? status };
  if (status === "notfound") return { isDone: false, failed: "Solr was restarted meanwhile" };
  return { isDone: status === "completed" };
}

function collectionState({ status, exception, failure }: CollectionTask): State {
  const { state, msg } = status ?? {};
  if (state === "failed" || state === "notfound") {
    const reason = exception?.msg ?? (failure === undefined ? msg : JSON.stringify(failure));
    return { isDone: false, failed: reason ?? state };
  }
  return { isDone: state === "completed" };
}

/** The system's messages for a full disk and a used-up quota, in Java's words. */
const FULL = /No space left on device|Disk quota exceeded/;

/** The error for an action that Solr refuses, with advice. */
export function refusal(admin: SolrAdmin, parameters: Parameters, reason: string): SetupError {
  const { location } = parameters;
  // SolrCloud does not always say that a node refused the path, so the advice is given for all other reasons.
  const help =
    location === undefined || FULL.test(reason)
      ? ""
      : ` Every node of ${addressesOf(admin.endpoint)} must be able to write to ${location}: mount it under that path on each, and start Solr with -Dsolr.allowPaths=${location} or name the folder in allowPaths of its solr.xml.`;
  return new SetupError(`Solr failed to run ${parameters.action}: ${reason}.${help}`);
}
