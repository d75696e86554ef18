/** Work that Solr does by itself after it was told to, and that takes as long as the index is large. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AdminRefused, type SolrAdmin } from "../collections/admin.js";
import { SetupError } from "../collections/setup-error.js";
import { addressesOf } from "../transport/endpoint.js";

/** Milliseconds between two looks. */
const LOOK = { first: 50, most: 1000 };

type Parameters = Readonly<Record<string, string>>;

/** Asks again and again until there is an answer. */
export async function poll<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let pause = LOOK.first; ; pause = Math.min(pause * 1.5, LOOK.most)) {
    const answer = await look();
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
 * Has a core's or a collection's action done, and waits for its end.
 *
 * @param of whose action it is
 * @throws SetupError that says why it was not done; SolrUnavailable
 */
export async function runTask(
  admin: SolrAdmin,
  of: "cores" | "collections",
  parameters: Parameters,
): Promise<void> {
  const id = `climate-nextgen-${randomUUID()}`;
  const path = `admin/${of}`;
  try {
    await admin.ask(path, { ...parameters, async: id });
    await poll(async () => {
      const asked = { action: "REQUESTSTATUS", requestid: id };
      const state =
        of === "cores"
          ? coreState(await admin.ask<CoreTask>(path, asked))
          : collectionState(await admin.ask<CollectionTask>(path, asked));
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
  if (status === "notfound") return { isDone: false, failed: "Solr was started anew meanwhile" };
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

/** What Solr does not do, and what helps. */
export function refusal(admin: SolrAdmin, parameters: Parameters, reason: string): SetupError {
  const { location } = parameters;
  // SolrCloud does not always say that it was the path that a node refused.
  const help =
    location === undefined
      ? ""
      : ` Every node of ${addressesOf(admin.endpoint)} must see ${location} under that path, may write there, and is told so: start each with -Dsolr.allowPaths=${location}, or name the folder in allowPaths of its solr.xml.`;
  return new SetupError(`Solr does not do ${parameters.action}: ${reason}.${help}`);
}
