/** Why nothing is shown. */
import { Failure } from "../parts/failure.js";
import { Refused } from "../service/problem.js";
import { words } from "../words/look.js";
import { UnreadableData } from "./data/failures.js";

/** Nothing has the requested name. */
export class NotFound extends Error {}

/** @param advice what to do if the data cannot be read */
export function LookFailure({
  failure,
  retry,
  advice = "",
}: {
  readonly failure: Error;
  readonly retry?: () => void;
  readonly advice?: string;
}) {
  const isGone = failure instanceof Refused && [404, 410].includes(failure.status);
  if (!isGone && !(failure instanceof UnreadableData) && !(failure instanceof NotFound)) {
    return <Failure failure={failure} retry={retry} />;
  }
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{failure.message}</strong> {isGone ? words.gone : advice}
      </p>
    </div>
  );
}
