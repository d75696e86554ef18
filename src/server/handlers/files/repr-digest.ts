/** The checksum of a file as its index knows it, if that still is the checksum of the file on the disk. */
import type { DataFile } from "../../access/zarr-access.js";

/** The algorithms of RFC 9530 and the registry of HTTP digest algorithms, by the names of the index. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: "md5",
  sha1: "sha",
  sha256: "sha-256",
  sha512: "sha-512",
};

/** The value of Repr-Digest; undefined if no checksum is known, or if the file has changed since. */
export function reprDigest({ identity, facts }: DataFile): string | undefined {
  const { checksum, size, modified } = facts;
  if (checksum === undefined || !isSame(identity, size, modified)) return undefined;
  const [algorithm = "", digits = ""] = checksum.split(":");
  const name = ALGORITHMS[algorithm];
  return name && `${name}=:${Buffer.from(digits, "hex").toString("base64")}:`;
}

/** Whether size and time, as far as the index has them, are those of the file. */
function isSame(
  identity: DataFile["identity"],
  size: number | undefined,
  modified: string | undefined,
): boolean {
  if (size !== undefined && size !== identity.size) return false;
  // Milliseconds, as a crawl stores them.
  const time = Number(BigInt(identity.modified) / 1_000_000n);
  return modified === undefined || Date.parse(modified) === time;
}
