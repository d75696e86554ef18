/** What every replica of a SolrCloud's collections has by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SolrCloud } from "./solr-cloud.js";

export type Documents = ReadonlyMap<string, string>;

interface Status {
  readonly cluster: {
    readonly aliases?: Readonly<Record<string, string>>;
    readonly collections: Readonly<
      Record<
        string,
        {
          readonly shards: Readonly<
            Record<string, { readonly replicas: Readonly<Record<string, Replica>> }>
          >;
        }
      >
    >;
  };
}

interface Replica {
  readonly core: string;
  readonly base_url: string;
}

/** The replicas of each shard of a collection or of what an alias of this name leads to. */
async function shardsOf(cloud: SolrCloud, name: string): Promise<Replica[][]> {
  const status = await cloud.admin("admin/collections", { action: "CLUSTERSTATUS" });
  const { aliases = {}, collections } = (status as Status).cluster;
  const { shards = {} } = collections[aliases[name] ?? name] ?? {};
  return Object.values(shards).map(({ replicas }) => Object.values(replicas));
}

const MAX_ROWS = 1_000_000;

/** All that a core has by itself, by its key. */
async function documentsOf({ base_url, core }: Replica, key: string): Promise<Documents> {
  const url = `${base_url}/${core}/select?q=*:*&rows=${MAX_ROWS}&distrib=false&wt=json&fl=*`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const { response: found } = (await response.json()) as {
    response: { docs: Record<string, unknown>[] };
  };
  return new Map(
    found.docs.map(({ _version_, ...document }) => {
      const sorted = Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1));
      return [String(document[key]), JSON.stringify(sorted)] as const;
    }),
  );
}

/**
 * All documents of a collection, by their key. The replicas of each shard are waited for until they have the same.
 *
 * @throws when they do not after some seconds
 */
export async function sameOnAllReplicas(
  cloud: SolrCloud,
  name: string,
  key = "file",
): Promise<Documents> {
  for (let tries = 0; ; tries += 1) {
    await cloud.admin(`${name}/update`, { commit: "true" });
    const all = new Map<string, string>();
    const faults: string[] = [];
    for (const replicas of await shardsOf(cloud, name)) {
      const [first = new Map(), ...others] = await Promise.all(
        replicas.map((replica) => documentsOf(replica, key)),
      );
      for (const [i, other] of others.entries()) {
        const differs = [...new Set([...first.keys(), ...other.keys()])].filter(
          (one) => first.get(one) !== other.get(one),
        );
        if (differs.length > 0) faults.push(`${replicas[i + 1]?.core}: ${differs.slice(0, 3)}`);
      }
      for (const [one, text] of first) {
        if (all.has(one)) faults.push(`${one} lies in two shards`);
        all.set(one, text);
      }
    }
    if (faults.length === 0) return all;
    if (tries === 10) throw new Error(`the replicas of ${name} differ: ${faults.join("; ")}`);
    await sleep(500);
  }
}
