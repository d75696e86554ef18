/** The applications that request tokens (RFC 6749, 2). */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { InvalidClient } from "../errors.js";
import { PAGE_CLIENT } from "../sign-in/authorization-request.js";
import { FileRecords } from "./file-records.js";
import { type Records, type RecordsOf, type Report, reportToStderr } from "./records.js";

/** The client of requests that name none. It is public: it has no secret. */
export const DEFAULT_CLIENT = "climate-nextgen";

const client = z.strictObject({
  id: z.string().min(1).max(256),
  /** SHA-256 of the secret in hex; a public client has none. The secret is random, so it needs no salt. */
  secret: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .optional(),
});

type KnownClient = z.infer<typeof client>;

export const CLIENTS: RecordsOf<KnownClient> = {
  key: "clients",
  kind: "client",
  schema: client,
  nameOf: ({ id }) => id,
};

export interface Client {
  readonly id: string;
  /** Whether it authenticated with a secret. */
  readonly confidential: boolean;
}

interface ClientCredentials {
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  /** Whether they came by HTTP Basic authentication. An error must then name the same scheme. */
  readonly basic: boolean;
}

const hash = (secret: string): string =>
  `sha256:${createHash("sha256").update(secret).digest("hex")}`;

export class Clients {
  readonly #records: Records<KnownClient>;

  /** @param report gets one line for each invalid entry of the folder; by default on standard error */
  constructor(where: string | Records<KnownClient>, report: Report = reportToStderr) {
    this.#records = typeof where === "string" ? new FileRecords(where, CLIENTS, report) : where;
  }

  async list(): Promise<readonly KnownClient[]> {
    return this.#records.list();
  }

  /**
   * The client of the credentials; the default client if there are none.
   *
   * @throws SolrUnavailable, SolrTimeout, ServiceBusy if the client is unknown and cannot be looked up
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
    // A secret for a client that has none is a mistake and must not look like a success.
    if ((known === undefined && name !== DEFAULT_CLIENT) || secret) throw new InvalidClient(scheme);
    return { id: name, confidential: false };
  }

  /** Whether a client may request authorization codes: the page and registered clients may. */
  async mayAuthorize(id: string): Promise<boolean> {
    return id === PAGE_CLIENT || (await this.#find(id)) !== undefined;
  }

  /**
   * Adds a client, or gives one a new secret.
   *
   * @returns the secret, of which only a hash is stored; undefined for a public client
   */
  async add(id: string, confidential: boolean): Promise<string | undefined> {
    const secret = confidential ? randomBytes(32).toString("base64url") : undefined;
    const added = { id, ...(secret !== undefined && { secret: hash(secret) }) };
    await this.#records.edit(id, () => added);
    return secret;
  }

  /** @returns false if there is no such client */
  async remove(id: string): Promise<boolean> {
    return (await this.#records.edit(id, () => undefined)) !== undefined;
  }

  /** The default client, the most common one, needs no entry. It is looked for in memory only, not in the store. */
  async #find(name: string): Promise<KnownClient | undefined> {
    if (name !== DEFAULT_CLIENT) return this.#records.find(name);
    return (await this.list()).find((one) => one.id === name);
  }
}
