/**
 * The queue of sign-ins: whom a full one refuses, and which addresses count as one; the threads of passwords; what the service
 * tells clients of itself.
 */
import { describe, expect, it } from "vitest";
import { PasswordHasher } from "../../../src/identity/accounts/password-hash.js";
import { SignInBusy } from "../../../src/identity/errors.js";
import { network } from "../../../src/identity/sign-in/network.js";
import { signInSemaphore } from "../../../src/identity/sign-in/sign-in-semaphore.js";
import { issuerMetadata } from "../../../src/identity/tokens/metadata.js";

/** A queue of which each job ends when it is told to. */
function queueOf(atOnce: number, waiting: number) {
  const queue = signInSemaphore(atOnce, () => waiting);
  const running: (() => void)[] = [];
  const ask = (address: string, name: string, isPreferred = false): Promise<string> =>
    queue.run(
      { client: [address, name], isPreferred },
      () =>
        new Promise<string>((resolve) => {
          running.push(() => resolve(name));
        }),
    );
  /** Ends what runs, one after the other, until nothing does. */
  const drain = async (): Promise<void> => {
    for (let end = running.shift(); end !== undefined; end = running.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { ask, drain };
}

describe("a queue", () => {
  it("refuses the last of the largest group when it is full", async () => {
    const { ask, drain } = queueOf(1, 4);
    const told = (asked: Promise<string>) =>
      asked.catch((error: unknown) => (error instanceof SignInBusy ? "busy" : String(error)));
    const asked = [
      ask("x", "x"),
      ask("a", "1"),
      ask("a", "2"),
      ask("a", "2"),
      ask("b", "3"),
      ask("c", "4"),
      ask("c", "5", true),
    ].map(told);
    await drain();
    // Nobody waits now, and so many may again.
    const again = ["6", "7", "8", "9", "0"].map((name) => told(ask(name, name)));
    await drain();
    expect(await Promise.all(again)).toEqual(["6", "7", "8", "9", "0"]);
    // Of a/2 who came second, for c/4; then of a, which has most names waiting, the last of them, for c/5.
    expect(await Promise.all(asked)).toEqual(["x", "1", "busy", "busy", "3", "4", "5"]);
    const { ask: middle, drain: finish } = queueOf(1, 4);
    const most = [
      middle("x", "x"),
      middle("a", "1"),
      middle("b", "2"),
      middle("b", "3"),
      middle("c", "4"),
      middle("d", "5"),
    ].map(told);
    await finish();
    expect(await Promise.all(most)).toEqual(["x", "1", "2", "busy", "4", "5"]);
    const { ask: first, drain: end } = queueOf(1, 1);
    const all = [first("x", "x"), first("a", "1", true), first("b", "2", true)].map(told);
    await end();
    expect(await Promise.all(all)).toEqual(["x", "busy", "2"]);
  });
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0A::", "2001:db8:0:a::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::ffff:192.0.2.7", "1:0:0:0::/64"],
  ["::1:ffff:192.0.2.7", "0:0:0:0::/64"],
  ["::fffe:192.0.2.7", "0:0:0:0::/64"],
  ["::192.0.2.7", "0:0:0:0::/64"],
  ["1:2:3:4:5:6:192.0.2.7", "1:2:3:4::/64"],
  ["unix", "unix"],
  ["", ""],
])("counts the address %s as %s", (address, expected) => {
  expect(network(address)).toBe(expected);
});

describe("a password", () => {
  it("is checked against its hash, on any keyboard, and matches no missing name", async () => {
    const hasher = new PasswordHasher(1);
    try {
      await hasher.verify("any", undefined);
      const [one, two] = [await hasher.hash("gr\u00fcn"), await hasher.hash("gr\u00fcn")];
      expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(two).not.toBe(one);
      expect(Buffer.from(one.split("$")[4] ?? "", "base64")).toHaveLength(16);
      expect(Buffer.from(one.split("$")[5] ?? "", "base64")).toHaveLength(32);
      expect(await hasher.verify("gru\u0308n", one)).toBe(true);
      expect(await hasher.verify("grun", one)).toBe(false);
      expect(await hasher.verify("gr\u00fcn", undefined)).toBe(false);
      await expect(hasher.verify("x", "no hash")).rejects.toThrow();
      expect(await hasher.verify("gr\u00fcn", two)).toBe(true);
    } finally {
      await hasher.close();
    }
  });
});

it("the metadata of the issuer names the endpoints that exist", () => {
  const elsewhere = issuerMetadata("https://data.example.org", { signOutAddress: undefined });
  expect(elsewhere.authorization_response_iss_parameter_supported).toBe(false);
  const issuer = "https://data.example.org/api";
  const at = (name: string) => `${issuer}/auth/v2/${name}`;
  const secrets = ["client_secret_basic", "client_secret_post"];
  expect(issuerMetadata(issuer)).toEqual({
    issuer,
    authorization_endpoint: at("authorize"),
    token_endpoint: at("token"),
    revocation_endpoint: at("revoke"),
    introspection_endpoint: at("introspect"),
    userinfo_endpoint: at("userinfo"),
    jwks_uri: at("jwks"),
    grant_types_supported: ["authorization_code", "password", "refresh_token"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    prompt_values_supported: ["none", "login"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    scopes_supported: ["profile", "email"],
    claims_supported: ["sub", "email", "preferred_username"],
    token_endpoint_auth_methods_supported: ["none", ...secrets],
    revocation_endpoint_auth_methods_supported: ["none", ...secrets],
    introspection_endpoint_auth_methods_supported: secrets,
  });
});
