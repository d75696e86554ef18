/** Making own flavours in tests. */
import type { TestService } from "./service.js";
import { bearer } from "./sign-in.js";
import type { Person } from "./user-data.js";

type Reached = Pick<TestService, "get">;

/** Sends a request about flavours as somebody, or as nobody. */
export function flavours(
  service: Reached,
  who: Pick<Person, "token"> | undefined,
  method = "GET",
  body?: unknown,
  place = "",
): Promise<Response> {
  const headers = {
    ...(who && bearer(who.token).headers),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  return service.get(`/databrowser/flavours${place}`, {
    method,
    headers,
    ...(text !== undefined && { body: text }),
  });
}

/** Creates a flavour. @throws Error if it is refused */
export async function makeFlavour(
  service: Reached,
  who: Pick<Person, "token">,
  flavour_name: string,
  mapping: Readonly<Record<string, string>>,
  is_global = false,
): Promise<void> {
  const made = await flavours(service, who, "POST", { flavour_name, mapping, is_global });
  if (made.status !== 201) throw new Error(`${made.status}: ${await made.text()}`);
}

/** Removes all flavours that are for everybody. */
export async function removeGlobal(service: Reached, admin: Pick<Person, "token">): Promise<void> {
  const { flavours: all } = (await (await flavours(service, undefined)).json()) as {
    flavours: { flavour_name: string; owner: string }[];
  };
  for (const { flavour_name: name, owner } of all) {
    if (owner !== "global") continue;
    await flavours(service, admin, "DELETE", undefined, `/${name}?is_global=true`);
  }
}
