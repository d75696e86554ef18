/** Which vocabulary an archive has. */
import { describe, expect, it } from "vitest";
import { commonFlavour } from "../../../web/src/service/common-flavour.js";

describe("the vocabulary of an archive", () => {
  it("is that of the standard that most files follow", () => {
    expect(commonFlavour(["cordex", 20, "CMIP6", 30, "observations", 29])).toBe("cmip6");
    expect(commonFlavour(["cmip5", 3, "cordex", 4])).toBe("cordex");
  });

  it("is the native one if more files follow no standard, or there are none", () => {
    expect(commonFlavour(["cmip6", 30, "observations", 20, "reanalysis", 11])).toBe("native");
    expect(commonFlavour([])).toBe("native");
  });
});
