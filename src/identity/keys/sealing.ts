/**
 * Private keys, sealed before they leave this process: JWE in its compact form, encrypted directly under a key of 32 bytes
 * (RFC 7516; RFC 7518, 4.5 and 5.3). The id of what is sealed stands in the protected header, so that one sealed text
 * cannot be put in the place of another.
 */
import { CompactEncrypt, compactDecrypt, type JWK } from "jose";

export class Sealer {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];

  /** @param keys of 32 bytes each: the first seals, all of them open */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#keys = keys;
  }

  async seal(kid: string, key: JWK): Promise<string> {
    const text = new TextEncoder().encode(JSON.stringify(key));
    return new CompactEncrypt(text)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
      .encrypt(this.#keys[0]);
  }

  /** What is sealed for an id; undefined where none of the keys opens it. */
  async open(kid: string, sealed: string): Promise<JWK | undefined> {
    for (const key of this.#keys) {
      const opened = await unseal(kid, sealed, key);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  /** Whether the key that seals is the one that it was sealed under. */
  async isCurrent(kid: string, sealed: string): Promise<boolean> {
    return (await unseal(kid, sealed, this.#keys[0])) !== undefined;
  }
}

async function unseal(kid: string, sealed: string, key: Uint8Array): Promise<JWK | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    if (protectedHeader.kid !== kid) return undefined;
    return JSON.parse(new TextDecoder().decode(plaintext)) as JWK;
  } catch {
    // Sealed under another key, or changed since: nothing of the reason may be told.
    return undefined;
  }
}
