/** A service that is killed while refresh tokens are being replaced: never two live ones, and whoever asks again is served or told. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RefreshTokens } from "../../../src/identity/tokens/refresh-token.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { Scene } from "../../support/service/scene.js";
import { addSharedUser, post } from "../../support/service/sign-in.js";

/** Milliseconds after twenty clients have asked at once: before, between and after each request to Solr. */
const POINTS = attempts([30], [0, 5, 15, 30, 45, 60, 90, 150, 250, 340]);
const CLIENTS = 20;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start("shared");
});
afterAll(() => scene.close());

const refreshed = async (token: string): Promise<{ status: number; next?: string } | undefined> => {
  try {
    const response = await post(scene, { refresh_token: token });
    const body = (await response.json()) as { refresh_token?: string };
    const { refresh_token: next } = body;
    return { status: response.status, ...(next !== undefined && { next }) };
  } catch {
    return undefined;
  }
};

it(
  "a killed refresh leaves at most one live token",
  async () => {
    const { state } = scene;
    if (state === undefined) throw new Error("the store is shared");
    const user = await addSharedUser(state);
    const tokens = new RefreshTokens(state, 3600);
    const session = { sub: user.sub, username: user.name, clientId: "climate-nextgen" };
    const alive = async (all: readonly string[]): Promise<number> => {
      const looks = await Promise.all(all.map((token) => tokens.look(token)));
      return looks.filter(Boolean).length;
    };
    let held = 0;
    const seen = { answered: 0, again: 0, ended: 0 };
    for (const point of POINTS) {
      const started = await Promise.all(
        Array.from({ length: CLIENTS }, () =>
          tokens.start({ ...session, scope: "profile", signedIn: Date.now() }),
        ),
      );
      const asking = started.map(({ token }) => refreshed(token));
      await sleep(point);
      await scene.kill("service");
      const answers = await Promise.all(asking);
      await scene.revive("service", "/ping");
      for (const [index, { token }] of started.entries()) {
        const known = [token];
        const answer = answers[index];
        if (answer?.next !== undefined) {
          seen.answered += 1;
          known.push(answer.next);
        }
        expect(await alive(known)).toBeLessThanOrEqual(1);
        // Who had no answer asks again with what they have.
        const again = await refreshed(known.at(-1) ?? "");
        expect([200, 401], JSON.stringify(again)).toContain(again?.status);
        if (again?.next !== undefined) {
          seen.again += 1;
          known.push(again.next);
        } else seen.ended += 1;
        expect(await alive(known)).toBe(again?.status === 200 ? 1 : 0);
        held += 1;
      }
    }
    console.info(`${POINTS.length} kills: ${JSON.stringify(seen)}`);
    tried(POINTS.length * CLIENTS, held);
    expect(seen.again).toBeGreaterThan(0);
  },
  patience(90_000, 900_000),
);
