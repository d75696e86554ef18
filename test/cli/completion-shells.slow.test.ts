/** Lines that zsh and fish complete; bash is in completion.solr.test.ts. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { FISH, findProgram, ZSH } from "../support/programs/debian.js";
import { type CompletionScene, expectCompleted, startScene, Typing } from "./completion-scene.js";

const zsh = findProgram(ZSH);
const fish = findProgram(FISH);

let scene: CompletionScene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.end());

describe("completion of a line", () => {
  it.skipIf(zsh === undefined)("offers in zsh what the service answers, as text", async () => {
    const { path = "", root = "/" } = zsh ?? {};
    const functions = join(root, "usr/share/zsh/functions");
    const typing = new Typing(scene, [path, "-f", "-i"], {
      LD_LIBRARY_PATH: zsh?.env.LD_LIBRARY_PATH,
    });
    try {
      if (root !== "/") {
        typing.type(`module_path=(${root}/usr/lib/*/zsh/*)\r`);
        typing.type(`fpath=(${functions} ${functions}/*(/) ${functions}/*/*(/))\r`);
      }
      typing.type("autoload -Uz compinit; compinit -u -D; setopt interactivecomments\r");
      typing.type("source <(climate-nextgen completion zsh)\r");
      await expectCompleted(scene, typing);
    } finally {
      await typing.end();
    }
  });

  it.skipIf(fish === undefined)("offers in fish what the service answers, as text", async () => {
    const typing = new Typing(scene, [fish?.path ?? "", "--no-config", "-i"], {
      LD_LIBRARY_PATH: fish?.env.LD_LIBRARY_PATH,
    });
    try {
      typing.type("climate-nextgen completion fish | source\r");
      await expectCompleted(scene, typing);
    } finally {
      await typing.end();
    }
  });
});
