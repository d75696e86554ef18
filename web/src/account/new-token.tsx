/** The form that creates a token for scripts. */
import type { components } from "../../../generated/openapi.js";
import { Failure } from "../parts/failure.js";
import { useAction } from "../parts/use-action.js";
import { sendJson } from "../service/request.js";
import { words } from "../words/account.js";

interface Props {
  readonly max: number;
  readonly count: number;
  readonly made: (token: components["schemas"]["MadeScriptToken"]) => void;
}

const DAY = 24 * 3600;

export function NewToken({ max, count, made }: Props) {
  const { busy, failure, run } = useAction();
  const make = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const body = {
      name: String(fields.get("name")).trim(),
      ttl_seconds: Number(fields.get("days")) * DAY,
    };
    void run(async () => made(await sendJson("post", "/auth/v2/script-tokens", { body })));
  };
  if (count >= max && max > 1) return <p>{words.full(max)}</p>;
  return (
    <form class="panel row new-token" onSubmit={make}>
      <label>
        {words.name}
        <input name="name" required maxLength={100} placeholder={words.nameExample} />
      </label>
      <label>
        {words.lifetime}
        <select name="days">
          {Object.entries(words.lifetimes).map(([days, text]) => (
            <option key={days} value={days} selected={days === "30"}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary" aria-disabled={busy}>
        {busy ? words.making : words.make}
      </button>
      {failure && <Failure failure={failure} />}
    </form>
  );
}
