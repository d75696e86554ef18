/** Tokens that somebody made up: none is accepted. */
import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  type JWTHeaderParameters,
  SignJWT,
} from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonWebKeySet } from "../../../generated/schemas.js";
import { attempts } from "../../support/run/attempts.js";
import { chance, SEED } from "../../support/run/chance.js";
import { tried } from "../../support/run/tried.js";
import { status } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";

let token: string;
const service = useService();
beforeAll(async () => {
  token = (await person(service)).token;
});

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const header = () => decodeProtectedHeader(token);
const claims = () => decodeJwt(token);

async function publicKey(): Promise<JsonWebKeySet["keys"][number]> {
  const { keys } = (await (await service.get("/auth/v2/jwks")).json()) as JsonWebKeySet;
  const [key] = keys;
  if (key === undefined) throw new Error("no key");
  return key;
}

/** A token of another key, with a header and claims of the attacker's choice. */
async function forged(
  headerChange: Record<string, unknown>,
  claimChange: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const head = { ...header(), ...headerChange } as JWTHeaderParameters;
  return new SignJWT({ ...claims(), ...claimChange }).setProtectedHeader(head).sign(privateKey);
}

/** A token of the right key, as if the service itself had made it so. */
async function signed(
  headerChange: Record<string, unknown>,
  claimChange: Record<string, unknown>,
): Promise<string> {
  const { privateKey } = await service.auth.keys.signing();
  const head = { ...header(), ...headerChange } as JWTHeaderParameters;
  return new SignJWT({ ...claims(), ...claimChange }).setProtectedHeader(head).sign(privateKey);
}

async function refused(forgery: string): Promise<void> {
  const response = await status(service, forgery);
  const text = await response.text();
  expect(response.status, text).toBe(401);
  expect(response.headers.get("www-authenticate")).toMatch(/error="invalid_token"/);
}

describe("a forged token", () => {
  it.each(["none", "None", "NONE", "nOnE", ""])("is refused with the algorithm %j", async (alg) => {
    const head = base64url({ ...header(), alg });
    const body = token.split(".")[1];
    for (const signature of ["", token.split(".")[2], base64url("x")]) {
      await refused(`${head}.${body}.${signature}`);
    }
  });

  it.each(["HS256", "HS384", "HS512"])(
    "is refused if it is signed by %s with the public key",
    async (alg) => {
      const key = await publicKey();
      const pem = createPublicKey({ key: { ...key }, format: "jwk" });
      const secrets = [
        pem.export({ type: "spki", format: "pem" }),
        pem.export({ type: "spki", format: "der" }),
        JSON.stringify(key),
        key.x,
        "",
      ];
      const digest = `sha${alg.slice(2)}`;
      const body = `${base64url({ ...header(), alg })}.${token.split(".")[1]}`;
      for (const secret of secrets) {
        await refused(`${body}.${createHmac(digest, secret).update(body).digest("base64url")}`);
      }
    },
  );

  it.each([
    "../../../../dev/null",
    "/dev/null",
    "../users",
    "..%2f..%2fdev%2fnull",
    "x' OR '1'='1",
    "*",
    "",
    "constructor",
    "__proto__",
  ])("is refused with the key id %j", async (kid) => {
    await refused(await forged({ kid }));
    const body = `${base64url({ ...header(), kid, alg: "HS256" })}.${token.split(".")[1]}`;
    await refused(`${body}.${createHmac("sha256", "").update(body).digest("base64url")}`);
  });

  it("is refused if it contains or names its own key, and nothing is fetched", async () => {
    const { privateKey, publicKey: ownKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = await exportJWK(ownKey);
    let asked = 0;
    const server = createServer((_, answer) => {
      asked += 1;
      answer.end(JSON.stringify({ keys: [{ ...jwk, kid: "own" }] }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    for (const more of [
      { jwk },
      { jku: url },
      { x5u: url },
      { jwk, jku: url, x5u: url },
      { x5c: ["MIIB"] },
    ]) {
      for (const kid of [header().kid, "own"]) {
        const head = { ...header(), ...more, kid } as JWTHeaderParameters;
        await refused(await new SignJWT(claims()).setProtectedHeader(head).sign(privateKey));
      }
    }
    expect(asked).toBe(0);
    server.close();
  });

  it("is refused with an unknown critical extension", async () => {
    const head = { ...header(), crit: ["b64"], b64: false };
    await refused(`${base64url(head)}.${token.split(".").slice(1).join(".")}`);
  });

  it.each([
    ["the type of an ID token", { typ: "JWT" }, {}],
    ["no type", { typ: undefined }, {}],
    ["another issuer", {}, { iss: "https://evil.example.org" }],
    ["another audience", {}, { aud: "https://other.example.org" }],
    ["no audience", {}, { aud: undefined }],
    ["no subject", {}, { sub: undefined }],
    ["no end", {}, { exp: undefined }],
    ["an end in the past", {}, { exp: Math.floor(Date.now() / 1000) - 1 }],
    ["a beginning in the future", {}, { nbf: Math.floor(Date.now() / 1000) + 600 }],
    ["an end that is no number", {}, { exp: "2999-01-01" }],
  ])("is refused even from the right key, with %s", async (_, headChange, claimChange) => {
    await refused(await signed(headChange, claimChange).catch(() => "x.y.z"));
  });

  it("is refused if a private key beside the real ones under another name signed it", async () => {
    await writeFile(join(service.dataDir, "keys", "evil.json"), "{}");
    await refused(await forged({ kid: "evil" }));
  });
});

describe("mutated tokens", () => {
  const COUNT = attempts(1000, 10_000);
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  const random = chance(SEED);
  const below = (limit: number): number => Math.floor(random() * limit);

  function mutate(text: string): string {
    const at = below(text.length);
    const letter = ALPHABET[below(64)] ?? "A";
    switch (below(7)) {
      case 0:
        return text.slice(0, at) + text.slice(at + 1);
      case 1:
        return text.slice(0, at) + letter + text.slice(at);
      case 2:
        return text.slice(0, at) + letter + text.slice(at + 1);
      case 3:
        return text.slice(0, at);
      case 4: {
        const parts = text.split(".");
        const bytes = Buffer.from(parts[2] ?? "", "base64url");
        bytes[below(bytes.length)] = below(256);
        return [parts[0], parts[1], bytes.toString("base64url")].join(".");
      }
      case 5:
        return [
          ...text.split(".").slice(0, 2),
          Buffer.from(Array.from({ length: 64 }, () => below(256))).toString("base64url"),
        ].join(".");
      default: {
        // The bits of the last character that stand for nothing.
        const index = ALPHABET.indexOf(text.at(-1) ?? "A");
        return text.slice(0, -1) + ALPHABET[index ^ (1 + below(3))];
      }
    }
  }

  it("are all refused", async () => {
    let refusals = 0;
    let accepted = 0;
    const own = new Set<string>([token]);
    while (refusals + accepted < COUNT) {
      const batch = Array.from({ length: 100 }, () => mutate(token)).filter((one) => !own.has(one));
      const answers = await Promise.all(batch.map((one) => status(service, one)));
      await Promise.all(answers.map((answer) => answer.text()));
      for (const answer of answers) {
        if (answer.status === 401) refusals += 1;
        else accepted += 1;
      }
    }
    tried(refusals + accepted, refusals);
    expect(accepted).toBe(0);
    expect(refusals).toBeGreaterThanOrEqual(COUNT);
    expect((await status(service, token)).status).toBe(200);
  });
});
