/** The flavours of the service, and the default one. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { change, type Place, place, search } from "../address/address.js";
import { VIEWS } from "../shell/views.js";
import { type AnswerState, useAnswer } from "./answer.js";
import { commonFlavour } from "./common-flavour.js";
import { type Answer, getJson, type Pairs } from "./request.js";
import { currentUser } from "./session.js";

type Overview = Answer<"/databrowser/overview">;

const COUNTED = "/databrowser/metadata-search/{flavour}/{uniq_key}";
const PROJECTS: Pairs = [["facets", "project"]];

/** Counts changes of the user's own flavours. */
const changes = signal(0);

/** Requests the overview again, as the user has made, changed or removed a flavour. */
export const flavoursChanged = (): void => {
  changes.value += 1;
};

/** One request for all views, until somebody signs in or out or changes a flavour. */
function shared<T>(load: () => Promise<T>) {
  let asked: { readonly of: string; readonly answer: Promise<T> } | undefined;
  let latest: T | undefined;
  const ask = (): Promise<T> => {
    const of = `${changes.value} ${currentUser.value?.name ?? ""}`;
    if (asked?.of === of) return asked.answer;
    const mine = { of, answer: load() };
    asked = mine;
    mine.answer.then(
      (value) => {
        latest = value;
      },
      () => {
        // The next view, or a retry, asks again.
        if (asked === mine) asked = undefined;
      },
    );
    return mine.answer;
  };
  return {
    ask,
    /** The last answer, for views that open later. */
    latest: () => latest,
  };
}

const overview = shared(() => getJson("/databrowser/overview"));
const first = shared(async () => (await overview.ask()).flavours[0] ?? "");
const common = shared(async () => {
  const options = { in: { flavour: "native", uniq_key: "file" }, query: PROJECTS };
  const [counted] = await Promise.all([getJson(COUNTED, options), overview.ask()]);
  return commonFlavour(counted.facets.project ?? []);
});

/** The flavours that the user may use. */
export function useOverview(): AnswerState<Overview> {
  const answer = useAnswer(`overview ${changes.value}`, overview.ask);
  return { ...answer, value: answer.value ?? overview.latest() };
}

/**
 * The flavour of the current search; undefined until it is known. An address that names none has the service's first
 * flavour. An address without anything has the vocabulary of the most files.
 */
export function useFlavour(): string | undefined {
  const { flavour } = search.value;
  const meant = isBare(place.value) ? common : first;
  const { value = meant.latest() } = useAnswer(
    flavour === undefined ? `flavour ${isBare(place.value)}` : undefined,
    meant.ask,
  );
  return flavour ?? value;
}

const isBare = ({ query }: Place): boolean => query.toString() === "";

/** Writes the flavour into an address without anything: names that are added to it have their meaning from there on. */
export function useNamedFlavour(): void {
  const flavour = useFlavour();
  const { value } = place;
  useEffect(() => {
    if (flavour === undefined || !VIEWS[value.view].searching || !isBare(value)) return;
    change((query) => query.set("flavour", flavour), { replace: true });
  }, [flavour, value]);
}

/** A flavour as the service lists it. */
export type Definition = Answer<"/databrowser/flavours">["flavours"][number];
