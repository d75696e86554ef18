/** The applications that ask for tokens (RFC 6749, 2). */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { InvalidClient } from "../errors.js";
import { PAGE_CLIENT } from "../sign-in/authorization-request.js";
import { FileRecords } from "./file-records.js";
import { type Report, tell } from "./json-file.js";
import type { Records, RecordsOf } from "./records.js";

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

export type KnownClient = z.infer<typeof client>;

export const CLIENTS: RecordsOf<KnownClient> = {
  key: "clients",
  kind: "client",
  schema: client,
  nameOf: ({ id }) => id,
};

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
  readonly #records: Records<KnownClient>;

  /**
   * @param where a data folder, or what else keeps them
   * @param report hears of entries of the folder that are not valid; without it, who runs a command reads of them
   */
  constructor(where: string | Records<KnownClient>, report: Report = tell) {
    this.#records = typeof where === "string" ? new FileRecords(where, CLIENTS, report) : where;
  }

  /** All that are known here. */
  async list(): Promise<readonly KnownClient[]> {
    return this.#records.list();
  }

  /**
   * The client that credentials belong to; none at all are the default client's.
   *
   * @throws InvalidClient; SolrUnavailable, SolrTimeout, ServiceBusy where it is not known here and cannot be looked for
   */
  async authenticate({ id, secret, basic }: ClientCredentials): Promise<Client> {
    const name = id || DEFAULT_CLIENT;
    const scheme = basic ? "Basic" : "Bearer";
    if (name === PAGE_CLIENT && !secret) return { id: name, confidential: false };
    const known = await this.#find(name);
    if (known?.secret !== undefined) {
      const given = Buffer.from(hash(secret ?? ""));
      if (!timingSafeEqual(given, Buffer.from(known.secret))) throw new InvalidClient(scheme);
      return { id: name, confidential: true };
    }
    // A secret where none belongs is a mistake that must not look like a success.
    if ((known === undefined && name !== DEFAULT_CLIENT) || secret) throw new InvalidClient(scheme);
    return { id: name, confidential: false };
  }

  /** Whether codes may be asked for by a client: by the page, and by those that were added. @throws as authenticate */
  async mayAuthorize(id: string): Promise<boolean> {
    return id === PAGE_CLIENT || (await this.#find(id)) !== undefined;
  }

  /**
   * Adds a client, or gives one a new secret.
   *
   * @returns the secret, which is kept nowhere; undefined for a public client
   */
  async add(id: string, confidential: boolean): Promise<string | undefined> {
    const secret = confidential ? randomBytes(32).toString("base64url") : undefined;
    const added = { id, ...(secret !== undefined && { secret: hash(secret) }) };
    await this.#records.edit(id, () => added);
    return secret;
  }

  /** @returns false when there is no such client */
  async remove(id: string): Promise<boolean> {
    return (await this.#records.edit(id, () => undefined)) !== undefined;
  }

  /** Most clients are the one that needs no entry: nobody is asked for it where it is not known to have one. */
  async #find(name: string): Promise<KnownClient | undefined> {
    if (name !== DEFAULT_CLIENT) return this.#records.find(name);
    return (await this.list()).find((one) => one.id === name);
  }
}
