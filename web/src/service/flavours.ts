/** The flavours of the service, and the default one. */
import { signal } from "@preact/signals";
import { search } from "../address/address.js";
import { type AnswerState, useAnswer } from "./answer.js";
import { type Answer, getJson } from "./request.js";
import { currentUser } from "./session.js";

type Overview = Answer<"/databrowser/overview">;

/** Counts changes of the user's own flavours. */
const changes = signal(0);

/** Requests the overview again, as the user has made, changed or removed a flavour. */
export const flavoursChanged = (): void => {
  changes.value += 1;
};

let asked: { readonly of: string; readonly answer: Promise<Overview> } | undefined;
let latest: Overview | undefined;

/** One request for all views, until somebody signs in or out or changes a flavour. */
function overview(): Promise<Overview> {
  const of = `${changes.value} ${currentUser.value?.name ?? ""}`;
  if (asked?.of !== of) {
    const answer = getJson("/databrowser/overview");
    const mine = { of, answer };
    asked = mine;
    answer.then(
      (value) => {
        latest = value;
      },
      () => {
        // The next view, or a retry, asks again.
        if (asked === mine) asked = undefined;
      },
    );
  }
  return asked.answer;
}

/** The flavours that the user may use. */
export function useOverview(): AnswerState<Overview> {
  const answer = useAnswer(`overview ${changes.value}`, overview);
  return { ...answer, value: answer.value ?? latest };
}

/** The flavour of the current search; undefined until the service's default is known. */
export function useFlavour(): string | undefined {
  const { flavour } = search.value;
  const isNeeded = flavour === undefined;
  const { value = latest } = useAnswer(isNeeded ? "overview" : undefined, overview);
  return flavour ?? value?.flavours[0];
}

/** A flavour as the service lists it. */
export type Definition = Answer<"/databrowser/flavours">["flavours"][number];
