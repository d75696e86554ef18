/**
 * Seals private keys before they leave this process: compact JWE with direct encryption under a 32-byte key (RFC 7516;
 * RFC 7518, 4.5 and 5.3). The protected header has the key's id, so that one sealed key cannot replace another.
 */
import { CompactEncrypt, compactDecrypt, type JWK } from "jose";

export class Sealer {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];

  /** @param keys 32 bytes each; the first seals, all of them open */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#keys = keys;
  }

  async seal(kid: string, key: JWK): Promise<string> {
    const text = new TextEncoder().encode(JSON.stringify(key));
    return new CompactEncrypt(text)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
      .encrypt(this.#keys[0]);
  }

  /** The sealed key of an id; undefined if none of the keys opens it. */
  async open(kid: string, sealed: string): Promise<JWK | undefined> {
    for (const key of this.#keys) {
      const opened = await unseal(kid, sealed, key);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  /** Whether it was sealed under the first key. */
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
    // Sealed under another key, or modified. The reason must not be revealed.
    return undefined;
  }
}
