/**
 * Every operation that searches, as the documentation calls it where nobody has filled in anything: what it answers with the
 * sample catalogue, in each of its forms, and whether it counts as what it is.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import { loadFiles } from "../../src/cli/load-files.js";
import { readDocument } from "../../src/contract/document.js";
import type { OperationId } from "../../src/contract/operation.js";
import { isStream } from "../../src/handlers/admission.js";
import { kindOfOperation } from "../../src/metrics/requests.js";
import { packagePath } from "../../src/package-root.js";
// @ts-expect-error they are for browsers, and written without types of their own
import { forReading } from "../../web/docs/document.js";
// @ts-expect-error as above
import { requestOf } from "../../web/docs/request.js";
import { emptyIndex, startService, type TestService } from "../support/service.js";
import { addUser, bearer, signIn } from "../support/sign-in.js";

/** Any part of the document; leaves are cast where they are used. */
interface Part {
  [key: string]: Part;
}

const contract: Part = forReading(JSON.parse((await readDocument()).json), PREFIX);

/** Puts referred parts in place. */
function resolved(value: unknown): Part {
  if (Array.isArray(value)) return value.map(resolved) as unknown as Part;
  if (typeof value !== "object" || value === null) return value as Part;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) {
    const names = $ref.slice(2).split("/");
    return resolved(names.reduce((part, key) => part[key] as Part, contract));
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part)]));
}

/** All that search: they have a flavour, and are only read. */
const searches = Object.entries(contract.paths as Part).flatMap(([path, { get }]) => {
  if (get === undefined || !path.startsWith("/databrowser/")) return [];
  const operation = resolved(get);
  const parameters = (operation.parameters ?? []) as unknown as { name: string }[];
  if (!parameters.some(({ name }) => name === "time_select")) return [];
  const { 200: success } = operation.responses as Part;
  const forms = Object.keys((success?.content ?? {}) as object);
  const isByAccept = parameters.every(({ name }) => name !== "catalogue-type");
  return [{ id: String(operation.operationId) as OperationId, path, operation, forms, isByAccept }];
});

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService();
  await emptyIndex(service.solr);
  const sample = packagePath("data", "catalogue.jsonl");
  await loadFiles(service.solr.http, [sample], packagePath("data"));
  token = (await signIn(service, (await addUser(service.dataDir)).name)).access_token;
}, 60_000);
afterAll(() => service.close());

/** Whether an answer tells of data: a number above 0, a list with something in it, or an address. */
const tells = (value: unknown): boolean => {
  if (typeof value === "number") return value > 0;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.values(value).some(tells);
};

describe("an operation that searches", () => {
  it("is one of many", () => {
    const ids = searches.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["searchData", "searchMetadata", "summarize"]));
  });

  describe.each(searches.map((one) => [one.id, one] as const))("%s", (id, one) => {
    const server = (): string => service.address + PREFIX;
    const { address, query } = requestOf({ ...one, method: "get", server: "", values: {} });
    const url = (): string => `${server()}${address}?${new URLSearchParams(query)}`;

    it.each(one.forms)("answers its example with data, as %s", async (form) => {
      const headers = { ...bearer(token).headers, Accept: form, "Accept-Encoding": "identity" };
      const response = await fetch(url(), { headers });
      const body = Buffer.from(await response.arrayBuffer());
      expect(response.status, body.toString()).toBe(200);
      const type = response.headers.get("content-type")?.split(";")[0] ?? "";
      // The one that is chosen by a parameter of its own has its usual form.
      expect(one.isByAccept ? [form] : one.forms).toContain(type);
      expect(body.length).toBeGreaterThan(0);
      if (type === "application/json") {
        const answer = JSON.parse(body.toString());
        expect(tells(answer), body.toString()).toBe(true);
      } else if (type.startsWith("text/")) {
        expect(body.toString().trim().split("\n").length, body.toString()).toBeGreaterThan(1);
      }
      // What comes in pieces is as long as the search is wide.
      if (response.headers.get("content-length") === null) {
        expect(isStream(id), "STREAMS in src/handlers/admission.ts").toBe(true);
        expect(kindOfOperation(id), "KINDS in src/metrics/requests.ts").not.toBe("other");
      }
    });
  });
});
