import { expect, it } from "vitest";
import { checkDocument } from "../../../src/index/loading/check-document.js";
import { chance } from "../../support/run/trials.js";
import { filteredDocuments } from "./filtered-files.js";

it("the generator of documents for random filters draws only valid documents, whatever the seed", () => {
  const seeds = [689_255_107, ...Array.from({ length: 200 }, (_, index) => index * 7919)];
  for (const seed of seeds) {
    for (const { document } of filteredDocuments(chance(seed), 60)) {
      expect(() => checkDocument(JSON.stringify(document)), `SEED=${seed}`).not.toThrow();
    }
  }
});
