/** The accounts of this service: a file in the data folder, changed by the command `users`. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { ToldError } from "../told-error.js";
import { ListFile, type Report, tell } from "./json-file.js";

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

/** A change to the accounts that makes no sense; the message is one sentence. */
export class UserError extends ToldError {
  override readonly name = "UserError";
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u;
const EMAIL = /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\]+$/;
const MAX_PASSWORD = 1024;

export class Users {
  readonly #file: ListFile<User>;

  /** @param report hears of entries that are not valid; without it, who runs a command reads of them */
  constructor(dataDir: string, report: Report = tell) {
    const name = (entry: unknown): unknown => (entry as { name?: unknown } | null)?.name;
    this.#file = new ListFile(join(dataDir, "users.json"), "users", user, report, name);
  }

  async list(): Promise<readonly User[]> {
    return this.#file.read();
  }

  async byName(name: string): Promise<User | undefined> {
    return (await this.list()).find((one) => one.name === name);
  }

  async bySub(sub: string): Promise<User | undefined> {
    return (await this.list()).find((one) => one.sub === sub);
  }

  /** @throws UserError when the name is taken, or name, address or password are not possible */
  async add(name: string, email: string, hash: string, administrator = false): Promise<User> {
    checkName(name);
    if (email !== "" && !EMAIL.test(email)) throw new UserError(`${email} is no e-mail address.`);
    const users = await this.list();
    if (users.some((one) => one.name === name)) throw new UserError(`There is a user ${name}.`);
    const added: User = {
      name,
      sub: randomUUID(),
      email,
      password: hash,
      passwordSet: Date.now(),
      disabled: false,
      ...(administrator && { administrator }),
    };
    await this.#file.write([...users, added]);
    return added;
  }

  /** @throws UserError when there is no such user */
  async setPassword(name: string, hash: string): Promise<void> {
    await this.#change(name, (one) => ({
      ...one,
      password: hash,
      passwordSet: Date.now(),
      disabled: false,
    }));
  }

  /** Gives or takes the right to change what is for all. @throws UserError when there is no such user */
  async setAdministrator(name: string, isOne: boolean): Promise<void> {
    await this.#change(name, ({ administrator: _, ...one }) => ({
      ...one,
      ...(isOne && { administrator: true }),
    }));
  }

  /** @throws UserError when there is no such user */
  async disable(name: string): Promise<void> {
    await this.#change(name, (one) => ({ ...one, disabled: true }));
  }

  /** @throws UserError when there is no such user */
  async remove(name: string): Promise<void> {
    const users = await this.#with(name);
    await this.#file.write(users.filter((one) => one.name !== name));
  }

  async #change(name: string, change: (one: User) => User): Promise<void> {
    const users = await this.#with(name);
    await this.#file.write(users.map((one) => (one.name === name ? change(one) : one)));
  }

  async #with(name: string): Promise<readonly User[]> {
    const users = await this.list();
    if (!users.some((one) => one.name === name)) throw new UserError(`There is no user ${name}.`);
    return users;
  }
}

/** @throws UserError */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new UserError(
    "A user name has up to 64 letters, digits and . _ @ + -, and begins with a letter or digit.",
  );
}

/** @throws UserError when a password is empty or longer than the token endpoint takes */
export function checkPassword(password: string): void {
  if (password === "") throw new UserError("The password is empty.");
  if (password.length > MAX_PASSWORD) throw new UserError("The password is too long.");
}
