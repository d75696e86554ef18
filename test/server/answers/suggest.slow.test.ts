/** Thousands of typed texts, each compared with a filter in memory. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { attempts, patience } from "../../support/run/trials.js";
import { RandomScene } from "./expected/random-scene.js";
import { compareTexts } from "./expected/suggested.js";

const TEXTS = attempts(200, 20_000);

let scene: RandomScene;
beforeAll(async () => {
  scene = await RandomScene.start();
});
afterAll(() => scene.close());

it("suggestions for typed texts are those of a filter in memory", {
  timeout: patience(500_000),
}, async () => {
  const understood = await compareTexts(scene, 4, TEXTS);
  expect(understood).toBeGreaterThan(TEXTS / 5);
});
