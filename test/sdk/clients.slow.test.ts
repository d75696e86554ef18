/** Clients that generators make of the contract get what plain HTTP gets; `npm run sdk` tries the same on a service of its own. */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type Truth, truthOf } from "../../sdk/expectations.js";
import { GENERATORS } from "../../sdk/generators.js";
import { missingCommands } from "../../sdk/tools.js";
import { call, prepare, type Target } from "../../sdk/trial.js";
import { packagePath } from "../../src/platform/package-root.js";
import { generatorsToTry } from "../support/project/generators.js";
import { addUser, PASSWORD } from "../support/service/sign-in.js";
import { useService } from "../support/service/use-service.js";

const tried = await generatorsToTry();

let target: Target;
let truth: Truth;

const service = useService({ documents: "sample" });
beforeAll(async () => {
  const { name, email } = await addUser(service.dataDir);
  target = {
    address: service.address,
    username: name,
    password: PASSWORD,
    stored: async (file) => {
      const path = `files/get?${new URLSearchParams({ id: file })}`;
      const { text } = await service.solr.http.send({ path });
      return (JSON.parse(text) as { doc: Record<string, unknown> | null }).doc ?? undefined;
    },
  };
  truth = await truthOf(target, email);
});

describe("a generated client", () => {
  for (const generator of GENERATORS) {
    const missing = missingCommands(generator.tools);
    const without = missing.length > 0 ? ` (this machine has no ${missing.join(", ")})` : "";
    const isLeftOut = without !== "" || !tried.includes(generator);
    const test = async () => {
      await prepare(generator, service.address);
      expect(await call(generator, target, truth)).toEqual([]);
    };
    it.skipIf(isLeftOut)(
      `agrees with plain HTTP in searches, sign-in, registration and errors: ${generator.name}${without}`,
      test,
      900_000,
    );
  }
});

describe("docs/sdk.md", () => {
  it("has every generator with the command that is tried", async () => {
    const text = await readFile(packagePath("docs", "sdk.md"), "utf8");
    expect(GENERATORS).toHaveLength(13);
    for (const { generate, document } of GENERATORS) {
      expect(text).toContain(generate);
      expect(text).toContain(document);
    }
  });
});
