/**
 * Every operation that searches, as the documentation calls it where nobody has filled in anything: what it answers with the
 * sample catalogue, in each of its forms, and whether it counts as what it is.
 */

import { describe, expect, it } from "vitest";
import { OPERATIONS, type OperationName } from "../../../generated/operations.js";
import { exampleCalls } from "../../../sdk/example-calls.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";

const searches = await exampleCalls();

const service = useService({ documents: "sample" });
const ada = usePerson(service);

/** Whether an answer tells of data: a number above 0, a list with something in it, or an address. */
const tells = (value: unknown): boolean => {
  if (typeof value === "number") return value > 0;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.values(value).some(tells);
};

describe("the searching operations", () => {
  it("are many", () => {
    const ids = searches.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["searchData", "searchMetadata", "summarize"]));
  });

  describe.each(searches.map((one) => [one.id, one] as const))("%s", (id, one) => {
    it.each(one.forms)("answers its example with data: %s", async (form) => {
      const headers = { ...bearer(ada.token).headers, Accept: form, "Accept-Encoding": "identity" };
      const response = await service.get(one.address, { headers });
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
        expect(OPERATIONS[id as OperationName].kind, "x-kind").not.toBe("answer");
      }
    });
  });
});
