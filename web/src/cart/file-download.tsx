/** Downloads without the cart: one file by the browser itself, or a script for the files of a search. */
import { announce } from "../parts/announce.js";
import { ShortFailure } from "../parts/failure.js";
import { Icon, type IconName } from "../parts/icon.js";
import { saveFile } from "../parts/save-file.js";
import { useAction } from "../parts/use-action.js";
import { Refused } from "../service/problem.js";
import { type Pairs, send, sendJson } from "../service/request.js";
import { currentUser, signIn } from "../service/session.js";
import { words } from "../words/cart.js";

const PATH = "/databrowser/download/{flavour}/{uniq_key}";
/** Seconds in which the browser may begin and resume the download of a file. */
const LIFETIME = 86_400;

interface Search {
  readonly flavour: string;
  readonly pairs: Pairs;
}

/** The script that downloads the files of a search. @throws as send */
async function saveScript({ flavour, pairs }: Search): Promise<void> {
  const options = { in: { flavour, uniq_key: "file" }, query: pairs };
  const answer = await send("get", PATH, options);
  saveFile(await answer.blob(), "download.sh");
  announce(words.scriptSaved);
}

/**
 * Lets the browser download the file that a search finds: it streams to the disk and can resume. A browser sends no token,
 * so the address has a ticket.
 *
 * @throws as send; Error if there is no such file
 */
async function startFile({ flavour, pairs }: Search): Promise<void> {
  const options = { in: { flavour, uniq_key: "file" }, query: [...pairs, ["as", "urls"]] as Pairs };
  const [url = ""] = (await (await send("get", PATH, options)).text()).split("\n");
  if (url === "") throw new Error(words.fetchNothing);
  const link = document.createElement("a");
  link.href = currentUser.value === undefined ? await publicAddress(url) : await shared(url);
  link.download = "";
  link.click();
  announce(words.fetchStarted);
}

async function shared(url: string): Promise<string> {
  const body = { url, ttl_seconds: LIFETIME };
  const { file_url } = await sendJson("post", "/data-portal/share-zarr", { body });
  return file_url ?? url;
}

/** The address, if anybody may read the file. @throws Refused */
async function publicAddress(url: string): Promise<string> {
  const { ok, status } = await fetch(url, { method: "HEAD" });
  if (!ok) throw new Refused(status, {}, undefined);
  return url;
}

interface Props {
  readonly search: Search;
  /** The item that is downloaded. */
  readonly name: string;
  /** A single file, or a script for all that is found. */
  readonly kind: "file" | "script";
  /** Stands instead of the word. */
  readonly icon?: IconName;
}

/** A button that downloads. It offers the sign-in to anonymous users if the data need it. */
export function DownloadButton({ search, name, kind, icon }: Props) {
  const { busy, failure, run } = useAction();
  const start = (): Promise<void> =>
    (kind === "file" ? startFile(search) : saveScript(search)).catch((error: unknown) => {
      if (!(error instanceof Refused && error.status === 401)) throw error;
      signIn();
    });
  return (
    <>
      <button
        type="button"
        aria-label={words.fetchName(name)}
        title={icon && words.fetchFile}
        aria-disabled={busy}
        onClick={() => run(start)}
      >
        {icon ? <Icon of={icon} /> : words.fetchFile}
      </button>
      <ShortFailure text={failure?.message} />
    </>
  );
}
