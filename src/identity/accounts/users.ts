/** The user accounts of this service, changed by the command `users`. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { UserError } from "../../platform/errors.js";
import { FileRecords } from "./file-records.js";
import { type Records, type RecordsOf, type Report, reportToStderr } from "./records.js";

const user = z.strictObject({
  name: z.string(),
  /** Identifies the account permanently, even if its name is later given to another account. */
  sub: z.string(),
  email: z.string(),
  /** argon2id, in the PHC string format. */
  password: z.string(),
  /** When the password was set, in milliseconds since 1970. Earlier sign-ins are not valid. */
  passwordSet: z.number(),
  disabled: z.boolean(),
  /** May change global settings. Absent if false, so that releases without administrators can read the file. */
  administrator: z.literal(true).optional(),
});

export type User = z.infer<typeof user>;

export const USERS: RecordsOf<User> = {
  key: "users",
  kind: "user",
  schema: user,
  nameOf: ({ name }) => name,
};

/** An invalid change of the accounts. The message is one sentence. */
export class AccountError extends UserError {
  override readonly name = "AccountError";
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u;
const EMAIL = /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\]+$/;
const MAX_PASSWORD = 1024;

export class Users {
  readonly #records: Records<User>;

  /** @param report gets one line for each invalid entry of the folder; by default on standard error */
  constructor(where: string | Records<User>, report: Report = reportToStderr) {
    this.#records = typeof where === "string" ? new FileRecords(where, USERS, report) : where;
  }

  async list(): Promise<readonly User[]> {
    return this.#records.list();
  }

  /** @throws SolrUnavailable, SolrTimeout, ServiceBusy if the name is unknown and cannot be looked up */
  async byName(name: string): Promise<User | undefined> {
    return this.#records.find(name);
  }

  /** As `byName`, but always read from the store. */
  async current(name: string): Promise<User | undefined> {
    return this.#records.current(name);
  }

  /** @param name the probable name of the account */
  async bySub(sub: string, name?: string): Promise<User | undefined> {
    const named = name === undefined ? undefined : await this.byName(name);
    if (named?.sub === sub) return named;
    return (await this.list()).find((one) => one.sub === sub);
  }

  /** @throws AccountError if the name is taken, or the name or address is invalid */
  async add(name: string, email: string, hash: string, administrator = false): Promise<User> {
    checkName(name);
    if (email !== "" && !EMAIL.test(email))
      throw new AccountError(`${email} is not an e-mail address.`);
    const added: User = {
      name,
      sub: randomUUID(),
      email,
      password: hash,
      passwordSet: Date.now(),
      disabled: false,
      ...(administrator && { administrator }),
    };
    await this.#records.edit(name, (before) => {
      if (before !== undefined) throw new AccountError(`A user ${name} exists already.`);
      return added;
    });
    return added;
  }

  async setPassword(name: string, hash: string): Promise<void> {
    await this.#change(name, (one) => ({
      ...one,
      password: hash,
      passwordSet: Date.now(),
      disabled: false,
    }));
  }

  /** Gives or takes the right to change global settings. */
  async setAdministrator(name: string, isOne: boolean): Promise<void> {
    await this.#change(name, ({ administrator: _, ...one }) => ({
      ...one,
      ...(isOne && { administrator: true }),
    }));
  }

  async disable(name: string): Promise<void> {
    await this.#change(name, (one) => ({ ...one, disabled: true }));
  }

  async remove(name: string): Promise<void> {
    await this.#change(name, () => undefined);
  }

  async #change(name: string, change: (one: User) => User | undefined): Promise<void> {
    await this.#records.edit(name, (before) => {
      if (before === undefined) throw new AccountError(`There is no user ${name}.`);
      return change(before);
    });
  }
}

export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new AccountError(
    "A user name has at most 64 letters, digits and . _ @ + -, and starts with a letter or digit.",
  );
}

/** @throws AccountError if a password is empty or longer than the token endpoint accepts */
export function checkPassword(password: string): void {
  if (password === "") throw new AccountError("The password is empty.");
  if (password.length > MAX_PASSWORD)
    throw new AccountError(`The password is longer than ${MAX_PASSWORD} characters.`);
}
