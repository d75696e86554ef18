/** Tokens of the outside provider that name nobody, and its keys when the clock was wrong. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IdentityUnavailable, InvalidToken } from "../../../src/identity/errors.js";
import { OutsideIssuer } from "../../../src/identity/outside/outside-issuer.js";

const AUDIENCE = "urn:climate";

let issuer: string;
let outside: OutsideIssuer;
let discoveryUrl: string;
let isAway = false;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
const server = createServer(async (request, response) => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "k", alg: "ES256" };
  const document = { issuer, jwks_uri: `${issuer}/jwks` };
  response.statusCode = isAway ? 503 : 200;
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(request.url === "/jwks" ? { keys: [jwk] } : document));
});
beforeAll(async () => {
  keys = await generateKeyPair("ES256");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  outside = new OutsideIssuer({ discoveryUrl, audience: AUDIENCE }, (problem) => {
    throw new Error(problem);
  });
});
afterAll(() => server.close());

const signed = (claims: object): Promise<string> =>
  new SignJWT({ iss: issuer, aud: AUDIENCE, ...claims })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "k" })
    .setExpirationTime("5m")
    .sign(keys.privateKey);

describe("a token of the outside provider", () => {
  it("belongs to the subject that it names", async () => {
    expect(await outside.verify(await signed({ sub: "olga" }))).toMatchObject({ sub: "olga" });
  });

  it.each([
    ["", InvalidToken],
    [" ", InvalidToken],
    [0, InvalidToken],
    [["olga"], InvalidToken],
    [undefined, InvalidToken],
    [null, InvalidToken],
  ])("is refused with the subject %j", async (sub, kind) => {
    const token = await signed({ sub, preferred_username: "olga" });
    await expect(outside.verify(token)).rejects.toThrow(kind);
  });
});

describe("the keys of the outside provider", () => {
  it("are fetched at once when a clock that was ahead is right again", async () => {
    const day = 24 * 3600 * 1000;
    let ahead = day;
    const problems: string[] = [];
    const one = new OutsideIssuer(
      { discoveryUrl, audience: AUDIENCE },
      (problem) => problems.push(problem),
      () => Date.now() + ahead,
    );
    isAway = true;
    await expect(one.metadata()).rejects.toThrow(IdentityUnavailable);
    expect(problems).toEqual([expect.stringMatching(/answers 503$/)]);
    isAway = false;
    ahead = 0;
    expect(await one.verify(await signed({ sub: "olga" }))).toMatchObject({ sub: "olga" });
  });
});
