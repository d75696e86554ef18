/** Kinds of values that settings have, with what is said of a wrong one. */
import { totalmem } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { isFolderPattern } from "../../domain/user-data/registration-rule.js";
import { haveSameUser, splitAddresses } from "../../index/transport/endpoint.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";

export const list = (text: string, separator: RegExp): string[] =>
  text.split(separator).flatMap((part) => part.trim() || []);

export const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port number from 0 to 65535")
  .transform(Number)
  .refine((value) => value <= 65_535, "must be a port number from 0 to 65535");

const LISTEN_ADDRESS = /^(?:(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/i;

/** A port of this machine, or of one of its addresses. */
export const listenAddress = z
  .string()
  .refine(
    (text) => Number(LISTEN_ADDRESS.exec(text)?.[3] ?? Number.NaN) <= 65_535,
    "must be a port number from 0 to 65535, or an address and a port such as 0.0.0.0:9464",
  )
  .transform((text) => {
    const [, ipv6, host = "127.0.0.1", number] = LISTEN_ADDRESS.exec(text) ?? [];
    return { host: ipv6 ?? host, port: Number(number) };
  });

const isHttp = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

export const httpUrl = z
  .string()
  .refine(isHttp, "must be an http or https address")
  .transform((text) => new URL(text));

/** The bytes of a size in Java's notation. */
export function bytesOf(size: string): number {
  const power = "kmgt".indexOf(size.slice(-1).toLowerCase()) + 1;
  return Number.parseInt(size, 10) * 1024 ** power;
}

/** A quota of bytes a day. */
export const dailySize = z
  .string()
  .regex(/^[1-9]\d{0,5}[kmgt]$/i, "must be a size such as 500g or 2t")
  .transform(bytesOf);

/** @param min for example, Solr needs 32 MB to start without documents */
export const memorySize = (min: string) =>
  z
    .string()
    .regex(/^[1-9]\d*[kmg]$/i, "must be a size such as 512m or 2g")
    .refine((size) => bytesOf(size) >= bytesOf(min), `must be at least ${min}`)
    .refine((size) => bytesOf(size) <= totalmem(), "must be at most the memory of this machine");

/** Whether the user and password in an address can be decoded: a lone % cannot. */
function hasReadableUser({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Addresses of one Solr. */
export const solrAddresses = z
  .string()
  .refine(
    (text) => splitAddresses(text).every(isHttp) && splitAddresses(text).length > 0,
    "must be http or https addresses, separated by commas or blanks",
  )
  .refine(
    (text) => splitAddresses(text).every((one) => !isHttp(one) || hasReadableUser(new URL(one))),
    "must have each % in its user and password written as %25",
  )
  .refine(
    (text) =>
      haveSameUser(
        splitAddresses(text)
          .filter(isHttp)
          .map((one) => new URL(one)),
      ),
    "must have the same user and password in all its addresses",
  );

/** Whether a text is an origin as browsers send it: only scheme, host and port. */
export const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text;

/** A whole number from 1. */
export const whole = (unit: string, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max,
      `must be a whole number of ${unit} from 1 to ${max.toLocaleString("en")}`,
    )
    .transform(Number);

/** Colon-separated folders. */
export const dataFolders = z
  .string()
  .transform((text) => list(text, /[:\n]/))
  .refine(
    (folders) => folders.length > 0 && folders.every(isAbsolute),
    "must be absolute paths such as /pool/data:/work/data, separated by colons",
  )
  .transform((folders) => folders.map((folder) => resolve(folder)));

/** Where the audit is written. A word is no folder: people write AUDIT=true to switch it on. */
export const auditTarget = z
  .string()
  .refine(
    (text) => ["off", "stdout"].includes(text) || text.includes("/"),
    "must be off, stdout or the path of a folder such as /var/log/climate-nextgen",
  );

/** Colon-separated patterns of user folders, with a placeholder for the name. */
export const folderPatterns = (names: readonly string[]) =>
  z
    .string()
    .default("")
    .transform((text) => list(text, /[:\n]/).map((folder) => withoutTrailing(folder, "/")))
    .refine(
      (folders) => folders.every((folder) => isFolderPattern(folder, names)),
      `must be absolute paths such as /work/{${names[0]}}, separated by colons`,
    );

/** The path of a claim in a token, separated by dots. */
export const claimPath = z.string().regex(/^[^\s=]+$/, "must be a claim such as uid_number");

/** The number of trusted proxies; undefined if the text is neither a number nor a switch. */
export function hopsOf(text: string): number | undefined {
  if (["true", "yes", "on"].includes(text)) return 1;
  if (["false", "no", "off"].includes(text)) return 0;
  return /^\d{1,2}$/.test(text) && Number(text) <= 10 ? Number(text) : undefined;
}

/** Whether a text is a host as browsers send it: a name or an address, and a port unless it is the default. */
export const isHost = (text: string): boolean =>
  !text.includes("*") &&
  URL.canParse(`http://${text}`) &&
  new URL(`http://${text}`).host === text.toLowerCase();

/** Up to 30 years. */
export const seconds = whole("seconds", 1_000_000_000);
