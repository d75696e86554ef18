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

  it("is refused if a private key beside the real ones under another name signed it", async () => {
    await writeFile(join(service.dataDir, "keys", "evil.json"), "{}");
    await refused(await forged({ kid: "evil" }));
  });
});
