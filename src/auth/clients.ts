/** The applications that ask for tokens (RFC 6749, 2): a file in the data folder. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { InvalidClient } from "../errors.js";
import { ListFile, type Report, tell } from "./json-file.js";

/** The client of whoever names none; public, it has no secret. */
export const DEFAULT_CLIENT = "climate-nextgen";

const client = z.strictObject({
  id: z.string().min(1).max(256),
  /** SHA-256 of the secret in hex; a public client has none. The secret is random, so it needs no salt. */
  secret: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .optional(),
});

/** A client that has shown who it is. */
export interface Client {
  readonly id: string;
  /** Whether it has shown a secret. */
  readonly confidential: boolean;
}

export interface ClientCredentials {
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  /** Whether they came by HTTP Basic authentication, which an error must answer in kind. */
  readonly basic: boolean;
}

const hash = (secret: string): string =>
  `sha256:${createHash("sha256").update(secret).digest("hex")}`;

export class Clients {
  readonly #file: ListFile<z.infer<typeof client>>;

  /** @param report hears of entries that are not valid; without it, who runs a command reads of them */
  constructor(dataDir: string, report: Report = tell) {
    const id = (entry: unknown): unknown => (entry as { id?: unknown } | null)?.id;
    this.#file = new ListFile(join(dataDir, "clients.json"), "clients", client, report, id);
  }

  async list(): Promise<readonly z.infer<typeof client>[]> {
    return this.#file.read();
  }

  /** The client that credentials belong to; none at all are the default client's. @throws InvalidClient */
  async authenticate({ id, secret, basic }: ClientCredentials): Promise<Client> {
    const name = id || DEFAULT_CLIENT;
    const known = (await this.list()).find((one) => one.id === name);
    const scheme = basic ? "Basic" : "Bearer";
    if (known?.secret !== undefined) {
      const given = Buffer.from(hash(secret ?? ""));
      if (!timingSafeEqual(given, Buffer.from(known.secret))) throw new InvalidClient(scheme);
      return { id: name, confidential: true };
    }
    // A secret where none belongs is a mistake that must not look like a success.
    if ((known === undefined && name !== DEFAULT_CLIENT) || secret) throw new InvalidClient(scheme);
    return { id: name, confidential: false };
  }

  /**
   * Adds a client, or gives one a new secret.
   *
   * @returns the secret, which is kept nowhere; undefined for a public client
   */
  async add(id: string, confidential: boolean): Promise<string | undefined> {
    const secret = confidential ? randomBytes(32).toString("base64url") : undefined;
    const added = { id, ...(secret !== undefined && { secret: hash(secret) }) };
    const others = (await this.list()).filter((one) => one.id !== id);
    await this.#file.write([...others, added]);
    return secret;
  }

  /** @returns false when there is no such client */
  async remove(id: string): Promise<boolean> {
    const clients = await this.list();
    const others = clients.filter((one) => one.id !== id);
    if (others.length === clients.length) return false;
    await this.#file.write(others);
    return true;
  }
}
