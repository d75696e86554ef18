/** Shows a failure and its remedy. */
import { useEffect, useState } from "preact/hooks";
import { Refused, Unreachable } from "../service/problem.js";
import { words } from "../words/parts.js";
import { Icon } from "./icon.js";

interface Props {
  readonly failure: Error;
  readonly retry?: (() => void) | undefined;
}

/** One line per wrong parameter. */
function wrongParameters(failure: Error) {
  const errors = failure instanceof Refused ? failure.problem.errors : undefined;
  return errors === undefined || errors.length === 0 ? null : (
    <ul>
      {errors.map(({ name, reason }) => (
        <li key={name + reason}>
          <code>{name}</code>: {reason}
        </li>
      ))}
    </ul>
  );
}

function adviceFor(failure: Error): string {
  if (failure instanceof Unreachable) return words.unreachable;
  if (!(failure instanceof Refused)) return words.unknown;
  const { status, retryAfter } = failure;
  if (status === 401) return words.unauthorized;
  if (status === 403) return words.forbidden;
  if (status === 413) return words.tooMuch;
  if (status === 422) return words.invalid;
  if (status === 429 || status === 503) {
    return retryAfter === undefined ? words.later : words.laterIn(retryAfter);
  }
  return status >= 500 ? words.broken : "";
}

/** A failure in a sentence, beside the button or link that caused it. */
export const ShortFailure = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <strong class="short-failure" role="alert">
      {text}
    </strong>
  );

/** Seconds; longer pauses are not waited for. */
const MAX_PAUSE = 120;

/** Counts down, and retries when the service allows it. */
function AgainSoon({ seconds, retry }: { readonly seconds: number; readonly retry: () => void }) {
  const [left, setLeft] = useState(Math.max(1, Math.ceil(seconds)));
  useEffect(() => {
    if (seconds > MAX_PAUSE) return;
    if (left <= 0) {
      retry();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return seconds > MAX_PAUSE ? null : <p>{words.askedAgainIn(left)}</p>;
}

export function Failure({ failure, retry }: Props) {
  return (
    <div class="failure" role="alert">
      <p>
        <Icon of="warning" />
        <strong>{failure.message}</strong> {adviceFor(failure)}
      </p>
      {wrongParameters(failure)}
      {retry && failure instanceof Refused && failure.retryAfter !== undefined && (
        <AgainSoon key={String(failure.retryAfter)} seconds={failure.retryAfter} retry={retry} />
      )}
      {retry && (
        <button type="button" onClick={retry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}
