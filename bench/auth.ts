/**
 * Measures the cost of checking an access token: ratio of a protected request to a public one.
 *
 *     npx tsx bench/auth.ts [N]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PREFIX } from "../generated/prefix.js";
import { keyFolder } from "../src/identity/accounts/accounts.js";
import { issuerOf } from "../src/identity/auth.js";
import { KeyFolder } from "../src/identity/keys/key-folder.js";
import { KeyRing } from "../src/identity/keys/keys.js";
import { ACCESS_TOKEN_LIFETIME, AccessTokens } from "../src/identity/tokens/access-token.js";
import type { Target } from "./client.js";
import { RemoteClient } from "./remote-client.js";
import { median, perSecond } from "./report.js";
import { Service } from "./service.js";

/** Alternating rounds, because other processes may use the machine. */
const ROUNDS = 7;
const CLIENTS = 8;

/** Different tokens, signed as by the service. */
async function makeTokens(dataDir: string, issuer: string, count: number): Promise<string[]> {
  const ring = await KeyRing.open(new KeyFolder(keyFolder(dataDir)), ACCESS_TOKEN_LIFETIME);
  const tokens = new AccessTokens(ring, ACCESS_TOKEN_LIFETIME);
  const content = { issuer, sub: randomUUID(), username: "bench", email: "bench@example.org" };
  const made: string[] = [];
  for (let i = 0; i < count; i += 1) {
    made.push((await tokens.issue({ ...content, clientId: "bench", scope: "profile" })).token);
  }
  return made;
}

async function measure(folder: string, count: number): Promise<string[]> {
  const service = await Service.start(folder);
  const client = new RemoteClient();
  try {
    const { origin } = new URL(service.url("overview"));
    const open: Target = { url: `${origin}${PREFIX}/ping` };
    const url = `${origin}${PREFIX}/auth/v2/status`;
    const withToken = (token: string): Target => ({
      url,
      headers: { Authorization: `Bearer ${token}` },
    });
    const [same = "", ...others] = await makeTokens(folder, issuerOf(origin), count * ROUNDS + 1);
    const speed = async (targets: readonly Target[]): Promise<number> => {
      const { whole } = await client.do("series", { targets, clients: CLIENTS });
      return (targets.length / whole) * 1000;
    };
    const all = { open: [] as number[], same: [] as number[], new: [] as number[] };
    const repeat = (target: Target): Target[] => Array.from({ length: count }, () => target);
    await speed(repeat(open));
    for (let round = 0; round < ROUNDS; round += 1) {
      all.open.push(await speed(repeat(open)));
      all.same.push(await speed(repeat(withToken(same))));
      const fresh = others.slice(round * count, (round + 1) * count);
      all.new.push(await speed(fresh.map(withToken)));
    }
    const ratio = (values: readonly number[]): string =>
      median(values.map((value, i) => value / (all.open[i] ?? 1))).toFixed(2);
    return [
      "| request | per second | against no token |",
      "|---|---|---|",
      `| no token (ping) | ${perSecond(median(all.open))} | 1 |`,
      `| a token that was seen before (status) | ${perSecond(median(all.same))} | ${ratio(all.same)} |`,
      `| a token never seen before (status) | ${perSecond(median(all.new))} | ${ratio(all.new)} |`,
    ];
  } finally {
    client.close();
    await service.stop();
  }
}

const count = Number(process.argv[2] ?? "3000");
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
try {
  process.stdout.write(`${(await measure(folder, count)).join("\n")}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
