/**
 * The lines of curl, Python, R and TypeScript beside each view are run, and give what the view shows.
 *
 * A view more is an entry of VIEWS: its address, and for each request that its lines can send, by its title in the choice beside the
 * lines (none where there is one request alone), what of the answer stands on the page. `seen` gets the answer's body as the lines
 * got it, and says by expect() that the page shows it; that all languages get the same is looked at for every entry.
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../generated/openapi.js";
import { PREFIX } from "../../../generated/prefix.js";
import { useBrowsing } from "../../support/page/page.js";
import { signInOn } from "../../support/page/page-sign-in.js";
import { bodyOfLines, type Language, RUNNABLE } from "../../support/project/lines.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

type Schemas = components["schemas"];

interface Lines {
  /** As it stands in the choice beside the lines. */
  readonly title?: string;
  /** The name of the part of the view that they stand in, where there are others. */
  readonly within?: string;
  readonly seen: (page: Page, body: string) => Promise<unknown>;
}

interface View {
  readonly name: string;
  readonly path: string;
  /** Whether it is looked at by somebody who has signed in. */
  readonly signed?: true;
  /** Does what the address does not say. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Waits until the view shows its answers. */
  readonly ready: (page: Page) => Promise<unknown>;
  readonly lines: readonly Lines[];
}

const number = new Intl.NumberFormat("en");
const bar = (page: Page) => page.getByRole("region", { name: "Summary" });
/** Waits for a text that is seen. */
const shows = (page: Page, text: string | RegExp) =>
  page.locator("main").getByText(text).filter({ visible: true }).first().waitFor();

/** What is in an address, a shell, or a string of some language. */
const ODD = `it's "odd" \\ $HOME \${x} \`y\` %41+&#é😀`;

/** What somebody registers. */
const ENTRY = { file: `/home/ada/${ODD}.nc`, variable: "tas", time: "1985", time_frequency: "mon" };
const write = (page: Page) =>
  page.getByLabel("Entries", { exact: true }).fill(JSON.stringify(ENTRY));
async function register(page: Page): Promise<void> {
  await write(page);
  await page.getByRole("button", { name: "Register", exact: true }).click();
}

const VIEWS: readonly View[] = [
  {
    name: "search",
    path: "?flavour=cmip6&variable_id=tas&variable_id=pr&experiment_id_not_=hist*&time=1990 to 2050",
    ready: async (page) => {
      await bar(page)
        .getByText(/files$/)
        .first()
        .waitFor();
      await page.locator(".facet-value").first().waitFor();
    },
    lines: [
      {
        title: "Files as paths",
        seen: async (page, body) => {
          const count = number.format(body.trim().split("\n").length);
          await bar(page).getByText(`${count} files`, { exact: true }).waitFor();
        },
      },
      {
        title: "Facet values with counts",
        seen: async (page, body) => {
          const { facets } = JSON.parse(body) as { facets: Record<string, string[]> };
          const counts = facets.variable_id ?? [];
          const rows = page.locator("details.facet").filter({ hasText: /^variable_id/ });
          const first = rows.locator(".facet-value").first();
          const [value = "", count = ""] = await Promise.all(
            [".facet-code", ".facet-count"].map((part) => first.locator(part).textContent()),
          );
          expect(counts[counts.indexOf(value ?? "") + 1]).toBe(count);
        },
      },
      {
        title: "Summary",
        seen: async (page, body) => {
          const { files, datasets } = JSON.parse(body) as Record<string, number>;
          await bar(page)
            .getByText(`${number.format(files ?? -1)} files`)
            .waitFor();
          await bar(page)
            .getByText(`${number.format(datasets ?? -1)} datasets`)
            .waitFor();
        },
      },
    ],
  },
  {
    name: "search where nothing is found",
    path: `?${new URLSearchParams([
      ["flavour", "cmip6"],
      ["source_id", "MPI-ESM1-2-LR"],
      ["variable_id", "air_temperature"],
      ["institution_id_not_", ODD],
    ])}`,
    ready: (page) => shows(page, /^Without variable_id/),
    lines: [
      {
        title: "Why nothing is found",
        seen: async (page, body) => {
          const { constraints } = JSON.parse(body) as {
            constraints: { name: string; values: string[]; count_without: number }[];
          };
          // The value has come through as it is.
          expect(constraints.at(-1)?.values).toEqual([ODD]);
          const one = constraints.find(({ name }) => name === "variable_id");
          await shows(page, `${number.format(one?.count_without ?? -1)} files`);
        },
      },
    ],
  },
  {
    name: "coverage",
    path: "coverage?flavour=cmip6&rows=source_id&columns=experiment_id&cells=files&mip_era=cmip6",
    ready: (page) => page.getByRole("table").first().waitFor(),
    lines: [
      {
        title: "Matrix",
        seen: async (page, body) => {
          const { row_values, total_count } = JSON.parse(body) as {
            row_values: string[];
            total_count: number;
          };
          await shows(page, new RegExp(`\\b${number.format(total_count)} files`));
          await page
            .getByRole("rowheader")
            .filter({ hasText: row_values[0] ?? "?" })
            .first()
            .waitFor();
        },
      },
      {
        title: "Matrix as CSV",
        seen: async (page, body) => {
          const [head = "", ...rows] = body.trim().split(/\r?\n/);
          const [rowsOf, ...columns] = head.split(",");
          expect(rowsOf).toBe("source_id");
          await shows(page, new RegExp(`^${rows.length} rows, ${columns.length} columns`));
        },
      },
    ],
  },
  {
    name: "search by period and region",
    path: "?flavour=cmip6&variable_id=tas&time=1990 to 2050&bbox=-20,40,30,70",
    ready: (page) =>
      page
        .locator("details")
        .filter({ hasText: /^Boxes of the files/ })
        .waitFor(),
    lines: [
      {
        title: "Boxes of the files found",
        seen: (page, body) => {
          const { box_count } = JSON.parse(body) as { box_count: number };
          return shows(page, `Boxes of the files found: ${box_count}`);
        },
      },
      {
        title: "Years of the files found",
        seen: async (page, body) => {
          const { last, bars } = JSON.parse(body) as Schemas["Years"];
          await page.getByRole("group", { name: new RegExp(`^Years \\d+ to ${last}`) }).waitFor();
          await page.getByText("Files by year, as a table").click();
          const filled = bars.filter(({ files }) => files > 0);
          const rows = page.getByRole("group", { name: "Files by year" }).locator("tbody tr");
          expect(await rows.count()).toBe(filled.length);
          expect(await rows.last().locator("td").textContent()).toBe(String(filled.at(-1)?.files));
        },
      },
    ],
  },
  {
    name: "complete",
    path: `complete?${new URLSearchParams([
      ["flavour", "cmip6"],
      ["mip_era", "cmip6"],
      ["group_by", "source_id,member_id"],
      ["need", "variable_id:tas;table_id:Amon;from=1985;to=2014"],
      ["near", "5"],
    ])}`,
    ready: (page) => shows(page, /groups are complete\.$/),
    lines: [
      {
        title: "Groups",
        seen: async (page, body) => {
          const told = JSON.parse(body) as {
            complete_count: number;
            group_count: number;
            near_misses: unknown[];
          };
          await shows(page, `${told.complete_count} of ${told.group_count} groups`);
          const near = page.getByRole("group", { name: "Near misses" }).locator("tbody tr");
          expect(await near.count()).toBe(told.near_misses.length);
        },
      },
      {
        title: "Path list",
        seen: async (page, body) => {
          const link = page.getByRole("link", { name: "Path list" });
          const answer = await fetch((await link.getAttribute("href")) ?? "");
          expect(body.trim()).toBe((await answer.text()).trim());
        },
      },
    ],
  },
  {
    name: "cart",
    path: "?flavour=cmip6&mip_era=cmip6&variable_id=tas&experiment_id=historical",
    before: async (page) => {
      const add = page.getByRole("button", { name: /^Add to cart/ });
      await add.nth(1).click();
      await add.nth(0).click();
      await page.getByRole("link", { name: /^Cart/ }).click();
    },
    ready: (page) => page.getByRole("heading", { level: 1, name: /cart/i }).waitFor(),
    lines: [
      {
        seen: async (page, body) => {
          const files = body.trim().split("\n");
          const told = await page.getByRole("main").textContent();
          const counts = [...(told ?? "").matchAll(/(\d+) files?\b/g)].map(([, count]) =>
            Number(count),
          );
          expect(files.length).toBeGreaterThan(1);
          expect(counts).toContain(files.length);
        },
      },
    ],
  },
  {
    name: "my data",
    path: "userdata",
    signed: true,
    ready: (page) => page.getByRole("cell", { name: "/home/ada/one.nc", exact: true }).waitFor(),
    lines: [
      {
        seen: async (page, body) => {
          const { documents } = JSON.parse(body) as { documents: { file: string }[] };
          expect(documents.map(({ file }) => file)).toEqual(["/home/ada/one.nc"]);
          await shows(page, "1 file");
        },
      },
    ],
  },
  {
    name: "entries to be registered",
    path: "userdata",
    signed: true,
    before: async (page) => {
      await register(page);
      await shows(page, /^1 .*added/);
      await write(page);
    },
    ready: (page) => shows(page, "1 entry is ready."),
    lines: [
      {
        within: "Add",
        seen: async (page, body) => {
          await register(page);
          await shows(page, (JSON.parse(body) as { status: string }).status);
        },
      },
    ],
  },
  {
    name: "flavours",
    path: "flavours",
    signed: true,
    ready: (page) => page.getByRole("rowheader").filter({ hasText: "code-lines-lab" }).waitFor(),
    lines: [
      {
        seen: async (page, body) => {
          const { flavours } = JSON.parse(body) as { flavours: { flavour_name: string }[] };
          const names = await page.getByRole("rowheader").allTextContents();
          expect(names).toEqual(flavours.map(({ flavour_name }) => flavour_name));
        },
      },
    ],
  },
];

let user: string;
let token: string;
const service = useService({ documents: sampleDocuments() });
beforeAll(async () => {
  user = (await addUser(service.dataDir)).name;
  token = (await signIn(service, user)).access_token;
  const headers = { ...bearer(token).headers, "Content-Type": "application/json" };
  const body = JSON.stringify({ flavour_name: "code-lines-lab", mapping: { model: "machine" } });
  const made = await fetch(`${service.address}${PREFIX}/databrowser/flavours`, {
    method: "POST",
    headers,
    body,
  });
  expect(made.status).toBe(201);
  const entry = { file: "/home/ada/one.nc", variable: "tas", time: "1985", time_frequency: "mon" };
  const added = await fetch(`${service.address}${PREFIX}/databrowser/userdata`, {
    method: "POST",
    headers,
    body: JSON.stringify({ user_metadata: [entry], facets: {} }),
  });
  expect(added.ok).toBe(true);
});
const browsing = useBrowsing(service);

/** What is shown of one request in each language that can be run here. */
async function linesOf(
  page: Page,
  { title, within }: Omit<Lines, "seen">,
): Promise<Map<Language, string>> {
  const place = within === undefined ? page : page.getByRole("region", { name: within });
  const part = place.locator("details.code-lines").filter({ visible: true }).last();
  if (!(await part.evaluate((details: HTMLDetailsElement) => details.open))) {
    await part.locator("summary").click();
  }
  if (title !== undefined) await part.getByLabel("Request").selectOption(title);
  const texts = new Map<Language, string>();
  for (const language of RUNNABLE) {
    const button = part.getByRole("button", { name: language, exact: true });
    await button.click();
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
    texts.set(language, (await part.locator("pre").textContent()) ?? "");
  }
  return texts;
}

describe("the lines of code beside a view", () => {
  it.each(VIEWS)(
    "give what the view shows: $name",
    async ({ path, signed, before, ready, lines }) => {
      const { page, close } = await browsing.openPage(path);
      if (signed) await signInOn(page, user);
      await before?.(page);
      await ready(page);
      for (const { seen, ...which } of lines) {
        const texts = await linesOf(page, which);
        const bodies = await Promise.all(
          [...texts].map(([language, text]) => bodyOfLines(language, text, signed && { token })),
        );
        // A token stands in none of them but by its name in the environment.
        for (const text of texts.values()) {
          expect(text.includes("TOKEN")).toBe(signed === true);
          expect(text).not.toMatch(/eyJ|cnr_/);
        }
        const [body = ""] = bodies;
        // All languages, as far as they can be run here, get the same.
        expect(new Set(bodies).size, [...texts.keys()].join()).toBe(1);
        await seen(page, body);
      }
      await close();
    },
  );

  it("are one script if all are requested", async () => {
    const { page, close } = await browsing.openPage("?flavour=cmip6&variable_id=tas");
    await bar(page)
      .getByText(/files$/)
      .first()
      .waitFor();
    const texts = await linesOf(page, { title: "All requests" });
    const bodies = [...texts].map(([language, text]) => bodyOfLines(language, text));
    // The last request of a script is what is looked at.
    for (const body of await Promise.all(bodies)) expect(body).toContain('"files":');
    await close();
  });
});
