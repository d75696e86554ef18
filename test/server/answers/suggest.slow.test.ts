/** Thousands of typed texts, each compared with a filter in memory. */
import { expect, it } from "vitest";
import { attempts, patience } from "../../support/run/trials.js";
import { useRandomScene } from "./expected/random-scene.js";
import { compareTexts } from "./expected/suggested.js";

const TEXTS = attempts(200, 20_000);

const scene = useRandomScene();

it("suggestions for typed texts are those of a filter in memory", {
  timeout: patience(500_000),
}, async () => {
  const understood = await compareTexts(scene, 4, TEXTS);
  expect(understood).toBeGreaterThan(TEXTS / 5);
});
