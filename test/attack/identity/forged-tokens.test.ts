/** The verifier of access tokens, which many forged ones are brought to: none is accepted, and no file is opened for one. */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { InvalidToken } from "../../../src/identity/errors.js";
import { KeyFolder } from "../../../src/identity/keys/key-folder.js";
import { KeyRing } from "../../../src/identity/keys/keys.js";
import { AccessTokens } from "../../../src/identity/tokens/access-token.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { textChance } from "../../support/run/text-chance.js";
import { attempts, patience, SEED, tried } from "../../support/run/trials.js";

const ISSUER = "https://data.example.org";
const LIFETIME = 600;
const CONTENT = { issuer: ISSUER, sub: "x", username: "x", email: "", clientId: "x", scope: "" };

const folder = freshFolder();
let ring: KeyRing;
let token: string;
let now = Date.now();
let tokens: AccessTokens;
beforeAll(async () => {
  ring = await KeyRing.open(new KeyFolder(join(folder, "keys")), LIFETIME);
  tokens = new AccessTokens(ring, LIFETIME, () => now);
  ({ token } = await tokens.issue(CONTENT));
});

const base64url = (value: string | Uint8Array): string => Buffer.from(value).toString("base64url");

/** Whether a token is accepted; whatever else happens than that it is refused fails the test. */
const isAccepted = (one: string, issuer = ISSUER): Promise<boolean> =>
  tokens.verify(one, issuer).then(
    () => true,
    (error) => {
      expect(error, one.slice(0, 500)).toBeInstanceOf(InvalidToken);
      return false;
    },
  );

/** A token of the right key, with a header and claims of one's own. */
async function signed(claims: object, header: object = {}): Promise<string> {
  const { privateKey } = await ring.signing();
  const head = { ...decodeProtectedHeader(token), ...header } as { alg: string };
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(head).sign(privateKey);
}

describe("a changed token", () => {
  const COUNT = attempts(3000, 100_000);

  it(
    "is refused, wherever in text, JSON or signature it was changed",
    async () => {
      const { below, pick, random, text, mutant } = textChance(SEED);
      const parts = token.split(".");
      const [head = "", body = "", signature = ""] = parts;
      const header = decodeProtectedHeader(token);
      const claims = decodeJwt(token);
      const CLAIMS = ["iss", "aud", "sub", "exp", "nbf", "iat", "jti", "client_id", "scope", "typ"];
      const odd = (): unknown =>
        pick<() => unknown>([
          text,
          () => below(4e9),
          () => null,
          () => [text()],
          () => ({}),
          () => true,
        ])();
      const kinds = [
        () => mutant(token),
        () => [mutant(head), body, signature].join("."),
        () => [head, mutant(body), signature].join("."),
        () => [head, body, mutant(signature)].join("."),
        // Other claims, and another header, under the same signature.
        () =>
          [head, base64url(JSON.stringify({ ...claims, [pick(CLAIMS)]: odd() })), signature].join(
            ".",
          ),
        () =>
          [
            base64url(
              JSON.stringify({
                ...header,
                alg: pick(["none", "HS256", "ES384", "RS256", "EdDSA", ""]),
              }),
            ),
            body,
            pick([signature, ""]),
          ].join("."),
        () =>
          [
            base64url(JSON.stringify({ ...header, kid: odd(), crit: ["exp"] })),
            body,
            signature,
          ].join("."),
        () => {
          const bytes = Buffer.from(signature, "base64url");
          bytes[below(bytes.length)] = below(256);
          return [head, body, base64url(bytes)].join(".");
        },
        () =>
          [head, body, base64url(Buffer.from(Array.from({ length: 64 }, () => below(256))))].join(
            ".",
          ),
        // ECDSA's other signature of the same: r and n - s; and what is none, r or s of 0.
        () => [head, body, base64url(Buffer.alloc(64, below(2)))].join("."),
        () => parts.map(() => pick(parts)).join("."),
        () => Array.from({ length: below(6) }, () => pick([...parts, text()])).join("."),
      ];
      let accepted = 0;
      for (let turn = 0; turn < COUNT; turn += 1) {
        const one = pick(kinds)();
        if (one === token) continue;
        if (await isAccepted(one)) {
          accepted += 1;
          console.error(`SEED=${SEED}, ${turn}: accepted ${one}`);
        }
        // Also while the right one is remembered.
        if (random() < 0.001) expect(await isAccepted(token)).toBe(true);
      }
      tried(COUNT, COUNT - accepted);
      expect(accepted).toBe(0);
    },
    patience(30_000, 300_000),
  );

  it("is accepted at most as itself with the other signature that the same key could have made", async () => {
    // r and n - s verify as well: no rule is broken, as it says the same and ends with it, but it must not say more.
    const [head = "", body = "", signature = ""] = token.split(".");
    const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    const bytes = Buffer.from(signature, "base64url");
    const s = order - BigInt(`0x${bytes.subarray(32).toString("hex")}`);
    const other = Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, "0"), "hex"),
    ]);
    const twin = [head, body, base64url(other)].join(".");
    const [one, two] = [
      await tokens.verify(token, ISSUER),
      await tokens.verify(twin, ISSUER).catch(() => undefined),
    ];
    if (two !== undefined) expect(two).toEqual(one);
  });
});

describe("a key id", () => {
  it("opens no file if it leads to a key elsewhere, or is a megabyte long", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    // As the service itself writes its keys, so that it would be taken where it was found.
    const [own = ""] = await readdir(join(folder, "keys"));
    const written = JSON.parse(await readFile(join(folder, "keys", own), "utf8")) as object;
    const evil = JSON.stringify({
      ...written,
      ...(await exportJWK(privateKey)),
      ...(await exportJWK(publicKey)),
      kid: "evil",
    });
    await mkdir(join(folder, "outside"));
    for (const path of ["evil.json", "outside/evil.json", "evil", "outside/evil"]) {
      await writeFile(join(folder, path), evil);
    }
    const places = ["evil", "outside/evil"].flatMap((name) => [
      `../${name}`,
      `../${name}.json`,
      `../${name}\0`,
      `..%2f${name}`,
      `..\\${name}`,
      join(folder, name),
      `./../${name}`,
      `keys/../../${name}`,
      `....//${name}`,
      `file://${join(folder, name)}`,
    ]);
    const odd = [
      "",
      ".",
      "..",
      "/",
      "/dev/zero",
      "/dev/random",
      "/proc/self/environ",
      "\0",
      "*",
      "x".repeat(1 << 20),
      "../".repeat(1 << 18),
    ];
    const kids = [...places, ...odd];
    for (const kid of kids) {
      const head = { alg: "ES256", typ: "at+jwt", kid };
      const forged = await new SignJWT(decodeJwt(token)).setProtectedHeader(head).sign(privateKey);
      const begun = performance.now();
      expect(await isAccepted(forged), kid.slice(0, 80)).toBe(false);
      expectBelow(performance.now() - begun, 500, kid.slice(0, 80));
    }
    tried(kids.length);
    expect(await isAccepted(token)).toBe(true);
  });
});

describe("a token", () => {
  it("becomes valid and expires at its millisecond, whether it was seen before or not", async () => {
    const start = Math.floor(now / 1000);
    const cases: [claims: object, from: number, to: number][] = [
      [{ iat: start, nbf: start, exp: start + LIFETIME }, start, start + LIFETIME],
      [{ iat: start, nbf: start + 100, exp: start + 101 }, start + 100, start + 101],
      [{ iat: start, nbf: start - 30, exp: start + 1 }, start - 30, start + 1],
      // Without a beginning it is valid half a minute before it was issued, for the clocks of instances.
      [{ iat: start, nbf: undefined, exp: start + LIFETIME }, start - 30, start + LIFETIME],
    ];
    const before = now;
    let count = 0;
    for (const [claims, from, to] of cases) {
      for (const [at, expected] of [
        [from * 1000 - 1000, false],
        [from * 1000, true],
        [to * 1000 - 1000, true],
        [to * 1000 - 1, true],
        [to * 1000, false],
        [to * 1000 + 1000, false],
      ] as const) {
        // One that was never seen, and one that is remembered.
        const fresh = await signed({ ...claims, jti: `${count}` });
        const remembered = await signed({ ...claims, jti: `seen ${count}` });
        now = from * 1000;
        expect(await isAccepted(remembered)).toBe(true);
        for (const one of [fresh, remembered]) {
          now = at;
          // What was accepted once may not have to wait for its beginning again.
          if (one === remembered && at < from * 1000) continue;
          expect(await isAccepted(one), `${JSON.stringify(claims)} at ${at - start * 1000}`).toBe(
            expected,
          );
          count += 1;
        }
      }
    }
    now = before;
    tried(count);
  });

  it("is refused for another type, issuer, audience or algorithm, signed by the right key", async () => {
    const cases: [claims: object, header?: object][] = [
      ...[
        "jwt",
        "JWT",
        "at+JWT ",
        "application/at+jwt2",
        "rt+jwt",
        "id_token",
        "ticket+jwt",
        undefined,
        5,
      ].map((typ): [object, object] => [{}, { typ }]),
      ...[
        "https://evil.example.org",
        `${ISSUER}/`,
        ISSUER.toUpperCase(),
        "",
        5,
        [ISSUER, "x"],
        undefined,
      ].flatMap((name): [object][] => [
        [{ iss: name }],
        ...(Array.isArray(name) ? [] : [[{ aud: name }] as [object]]),
      ]),
      ...["sub", "exp", "iat", "jti", "client_id"].map((name): [object] => [{ [name]: undefined }]),
    ];
    for (const [claims, header] of cases) {
      const forged = await signed(claims, header).catch(() => "x.y.z");
      expect(await isAccepted(forged), JSON.stringify([claims, header])).toBe(false);
    }
    expect(await isAccepted(token, "https://other.example.org")).toBe(false);
    tried(cases.length + 1);
  });
});
