/** Downloads the cart by one request, and shows the code that does the same. */
import { FORMAT_NAMES, formatFacts } from "../../../src/domain/vocabulary/list-formats.js";
import { change, place } from "../address/address.js";
import { CheckBox } from "../parts/check-box.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { saveFile } from "../parts/save-file.js";
import { Code } from "../parts/scrolling.js";
import { Select } from "../parts/select.js";
import { useOverview } from "../service/flavours.js";
import { currentUser, signIn } from "../service/session.js";
import { words } from "../words/cart.js";
import { cart } from "./cart.js";
import { BODY_FILE, type Cart, cartBody, cartSent, downloadCart, type Wanted } from "./download.js";
import { Stoppable } from "./stoppable.js";

/** Above this, the code is too long to copy: a shell accepts 128 KiB per argument. */
const MAX_LINES = 100;

/** The download options in the address. */
function wantedHere(): Wanted {
  const { query } = place.value;
  const form = FORMAT_NAMES.find((one) => one === query.get("as")) ?? "paths";
  const named = query.get("list_flavour") ?? query.get("flavour");
  const flavour = named ?? cart.value[0]?.flavour ?? "native";
  const key = query.get("uniq_key") === "uri" ? "uri" : "file";
  return { form, flavour, key, isJoined: query.get("join") !== "no" };
}

const set = (name: string, value: string): void =>
  change((query) => query.set(name, value), { replace: true });

export function CartDownload() {
  const wanted = wantedHere();
  const needsToken = wanted.form === "zarr" && currentUser.value === undefined;
  return (
    <section class="panel cart-download" aria-labelledby="cart-download">
      <h2 id="cart-download">{words.download}</h2>
      <p class="quiet">{words.oneRequest}</p>
      <Forms wanted={wanted} />
      <Naming wanted={wanted} />
      {needsToken ? (
        <button type="button" class="primary" onClick={() => signIn()}>
          {words.signIn}
        </button>
      ) : (
        <Stoppable
          name={words.start}
          isMain
          work={async (stop, onBytes) => {
            const bytes = await downloadCart(cart.value, wanted, stop, onBytes);
            return words.received(formatFacts(wanted.form).title, bytes);
          }}
          progress={words.receiving}
        />
      )}
      <Lines wanted={wanted} />
    </section>
  );
}

function Forms({ wanted }: { readonly wanted: Wanted }) {
  return (
    <fieldset class="cart-forms">
      <legend>{words.form}</legend>
      {FORMAT_NAMES.map((form) => {
        const { title, use } = formatFacts(form);
        return (
          <label key={form}>
            <input
              type="radio"
              name="as"
              value={form}
              checked={form === wanted.form}
              onChange={() => set("as", form)}
            />
            <span>
              {title} <small>{use}</small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Flavour, and paths or URIs. */
function Naming({ wanted }: { readonly wanted: Wanted }) {
  const { value } = useOverview();
  const flavours = [...new Set([wanted.flavour, ...(value?.flavours ?? [])])];
  return (
    <p class="row">
      <Select
        class="row"
        label={words.flavour}
        value={wanted.flavour}
        options={flavours}
        choose={(name) => set("list_flavour", name)}
      />
      {wanted.form === "zarr" ? (
        <CheckBox isOn={wanted.isJoined} set={(isOn) => set("join", isOn ? "dataset" : "no")}>
          {words.joined}
        </CheckBox>
      ) : (
        <Select
          class="row"
          label={words.key}
          value={wanted.key}
          options={Object.entries(words.keys)}
          choose={(key) => set("uniq_key", key)}
        />
      )}
    </p>
  );
}

function Lines({ wanted }: { readonly wanted: Wanted }) {
  const items = cart.value;
  const sent = cartSent(items.slice(0, MAX_LINES), wanted, currentUser.value !== undefined);
  if (items.length <= MAX_LINES)
    return <CodeLines requests={[{ ...sent, title: formatFacts(wanted.form).title }]} />;
  const saveIt = (): void => {
    const body: Cart = cartBody(items, wanted);
    saveFile(new Blob([JSON.stringify(body)], { type: "application/json" }), BODY_FILE);
  };
  const token = sent.signed ? ` -H "Authorization: Bearer $TOKEN"` : "";
  const kept = sent.answer === "bytes" ? ` -o ${sent.file}` : "";
  return (
    <>
      <p>{words.tooLong}</p>
      <button type="button" onClick={saveIt}>
        {words.saveCart(BODY_FILE)}
      </button>
      <Code
        text={`curl --fail-with-body '${sent.address}'${kept}${token} -H 'Content-Type: application/json' -d @${BODY_FILE}`}
      />
    </>
  );
}
