/** The accounts of this service, changed by the command `users`. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { UserError } from "../../platform/errors.js";
import { FileRecords } from "./file-records.js";
import { type Report, tell } from "./json-file.js";
import type { Records, RecordsOf } from "./records.js";

const user = z.strictObject({
  name: z.string(),
  /** Identifies the account for ever, also when its name is given to somebody else. */
  sub: z.string(),
  email: z.string(),
  /** argon2id, in the PHC string format. */
  password: z.string(),
  /** When the password was set, in milliseconds since 1970; who signed in before must do so again. */
  passwordSet: z.number(),
  disabled: z.boolean(),
  /** May change what is for all. Not there where it is not so: a release that knows no administrators reads the file. */
  administrator: z.literal(true).optional(),
});

export type User = z.infer<typeof user>;

export const USERS: RecordsOf<User> = {
  key: "users",
  kind: "user",
  schema: user,
  nameOf: ({ name }) => name,
};

/** A change to the accounts that makes no sense; the message is one sentence. */
export class AccountError extends UserError {
  override readonly name = "AccountError";
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u;
const EMAIL = /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\]+$/;
const MAX_PASSWORD = 1024;

export class Users {
  readonly #records: Records<User>;

  /**
   * @param where a data folder, or what else keeps them
   * @param report hears of entries of the folder that are not valid; without it, who runs a command reads of them
   */
  constructor(where: string | Records<User>, report: Report = tell) {
    this.#records = typeof where === "string" ? new FileRecords(where, USERS, report) : where;
  }

  /** All that are known here. */
  async list(): Promise<readonly User[]> {
    return this.#records.list();
  }

  /** @throws SolrUnavailable, SolrTimeout, ServiceBusy where the name is not known here and cannot be looked for */
  async byName(name: string): Promise<User | undefined> {
    return this.#records.find(name);
  }

  /** As `byName`, but as it is now, whatever is known here. @throws SolrUnavailable, SolrTimeout */
  async current(name: string): Promise<User | undefined> {
    return this.#records.current(name);
  }

  /** @param name that the account has, as far as that is known. @throws as byName */
  async bySub(sub: string, name?: string): Promise<User | undefined> {
    const named = name === undefined ? undefined : await this.byName(name);
    if (named?.sub === sub) return named;
    return (await this.list()).find((one) => one.sub === sub);
  }

  /** @throws AccountError when the name is taken, or name, address or password are not possible */
  async add(name: string, email: string, hash: string, administrator = false): Promise<User> {
    checkName(name);
    if (email !== "" && !EMAIL.test(email))
      throw new AccountError(`${email} is no e-mail address.`);
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
      if (before !== undefined) throw new AccountError(`There is a user ${name}.`);
      return added;
    });
    return added;
  }

  /** @throws AccountError when there is no such user */
  async setPassword(name: string, hash: string): Promise<void> {
    await this.#change(name, (one) => ({
      ...one,
      password: hash,
      passwordSet: Date.now(),
      disabled: false,
    }));
  }

  /** Gives or takes the right to change what is for all. @throws AccountError when there is no such user */
  async setAdministrator(name: string, isOne: boolean): Promise<void> {
    await this.#change(name, ({ administrator: _, ...one }) => ({
      ...one,
      ...(isOne && { administrator: true }),
    }));
  }

  /** @throws AccountError when there is no such user */
  async disable(name: string): Promise<void> {
    await this.#change(name, (one) => ({ ...one, disabled: true }));
  }

  /** @throws AccountError when there is no such user */
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

/** @throws AccountError */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new AccountError(
    "A user name has up to 64 letters, digits and . _ @ + -, and begins with a letter or digit.",
  );
}

/** @throws AccountError when a password is empty or longer than the token endpoint takes */
export function checkPassword(password: string): void {
  if (password === "") throw new AccountError("The password is empty.");
  if (password.length > MAX_PASSWORD) throw new AccountError("The password is too long.");
}
