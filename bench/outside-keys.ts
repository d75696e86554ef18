/**
 * Compares our OutsideIssuer with jose's createRemoteJWKSet for the keys of an identity provider that is healthy, answers
 * 503, hangs, or sends an endless answer.
 *
 *     npx tsx bench/outside-keys.ts
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createRemoteJWKSet,
  exportJWK,
  generateKeyPair,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from "jose";
import { OutsideIssuer } from "../src/identity/outside/outside-issuer.js";
import { milliseconds } from "./report.js";

const FORGED = 100;
const AUDIENCE = "urn:bench";
/** Milliseconds; longer than both cache keys, and longer than both wait before they fetch an unknown key. */
const LATER = 11 * 60_000;

type State = "healthy" | "away" | "hanging" | "endless";
let state: State = "healthy";
let requests = 0;
let sent = 0;
let now = Date.now();
// jose has no other clock.
Date.now = () => now;

const { privateKey, publicKey } = await generateKeyPair("ES256");
const jwk = { ...(await exportJWK(publicKey)), kid: "known", alg: "ES256" };
const server = createServer(({ url }, answer) => {
  requests += 1;
  // A connection closed between two measurements would fail the second one.
  answer.setHeader("Connection", "close");
  if (state === "away") answer.writeHead(503).end();
  else if (state === "endless") endless(answer);
  else if (state === "healthy") {
    const metadata = { issuer, jwks_uri: `${issuer}/jwks` };
    answer.writeHead(200, { "Content-Type": "application/json" });
    answer.end(JSON.stringify(url === "/jwks" ? { keys: [jwk] } : metadata));
  }
}).listen(0, "127.0.0.1");
await once(server, "listening");
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function endless(answer: ServerResponse): void {
  const piece = Buffer.alloc(1 << 16, " ");
  const more = (): void => {
    if (answer.destroyed) return;
    sent += piece.length;
    answer.write(piece, () => setImmediate(more));
  };
  more();
}

const token = (kid: string): Promise<string> =>
  new SignJWT({ client_id: "bench" })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
    .setIssuer(issuer)
    .setAudience(AUDIENCE)
    .setSubject("olga")
    .setExpirationTime("2h")
    .sign(privateKey);

interface Verifier {
  readonly name: string;
  make(): (token: string) => Promise<unknown>;
}

const remote = (name: string, options: Parameters<typeof createRemoteJWKSet>[1]): Verifier => ({
  name,
  make: () => {
    const key: JWTVerifyGetKey = createRemoteJWKSet(new URL(`${issuer}/jwks`), options);
    return (text) => jwtVerify(text, key, { issuer, audience: AUDIENCE });
  },
});

const VERIFIERS: readonly Verifier[] = [
  {
    name: "OutsideIssuer",
    make: () => {
      const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
      const outside = new OutsideIssuer({ discoveryUrl, audience: AUDIENCE }, () => {});
      return (text) => outside.verify(text);
    },
  },
  remote("createRemoteJWKSet", {}),
  remote("the same, keys kept for ever", { cacheMaxAge: Number.POSITIVE_INFINITY }),
];

async function outcome(work: Promise<unknown>): Promise<string> {
  const begun = performance.now();
  const result = await work.then(
    () => "accepted",
    (error: Error) => `refused (${error.name})`,
  );
  return `${result}, ${milliseconds(performance.now() - begun)}`;
}

console.log(
  "| keys by | away: forged tokens, requests | hanging: a valid token | endless: MB read |",
);
console.log("|---|---|---|---|");
const valid = await token("known");
for (const { name, make } of VERIFIERS) {
  state = "healthy";
  const verify = make();
  await verify(valid);
  now += LATER;
  state = "away";
  requests = 0;
  for (let i = 0; i < FORGED; i += 1) await verify(await token(`forged-${i}`)).catch(() => {});
  const away = `${FORGED}, ${requests}`;
  now += LATER;
  state = "hanging";
  const hanging = await outcome(verify(valid));
  server.closeAllConnections();
  state = "endless";
  sent = 0;
  await make()(valid).catch(() => {});
  server.closeAllConnections();
  console.log(`| ${[name, away, hanging, `${(sent / 1e6).toFixed(0)}`].join(" | ")} |`);
}
server.close();
