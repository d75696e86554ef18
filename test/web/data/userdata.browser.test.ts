/** One's own data on the page: written, read from the header of a file, registered, listed, deleted. */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openFile } from "../../../src/files/netcdf/source/source.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { readEntries, readPairs, writeEntry } from "../../../web/src/userdata/entries.js";
import { fileFacts } from "../../../web/src/userdata/header/file-facts.js";
import { handsOf } from "../../support/page/hands.js";
import { holdRequests } from "../../support/page/hold-requests.js";
import { addressOf, expectAccessible, useBrowsing } from "../../support/page/page.js";
import { giveCredentials } from "../../support/page/page-sign-in.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { useService, useUser } from "../../support/service/use-service.js";

const service = useService({ documents: [] });
const name = useUser(service);
const browsing = useBrowsing(service);

interface Sampled {
  readonly [key: string]: unknown;
  readonly file: string;
}

/** Files of the sample that are there, with what the catalogue says of each. */
const sampled = (): Sampled[] =>
  sampleDocuments<Sampled>().filter(
    ({ dataset, format }) => dataset === "sample" && format === "nc",
  );

/** Gives name and password, from wherever a "Sign in" is. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).first().click();
  await giveCredentials(page, name);
  await page.getByRole("heading", { level: 1, name: "My data" }).waitFor();
  await page.getByRole("heading", { name: "Registered data" }).waitFor();
}

describe("the header of a file", () => {
  it("shows what the catalogue knows, whatever its format, from a part of the file", async () => {
    const files = sampled();
    expect(files.length).toBeGreaterThan(15);
    for (const { file, variable, time, time_frequency, bbox } of files) {
      const path = packagePath("data", file);
      const facts = await fileFacts(openFile(path));
      const [west, east, south, north] = (facts.bbox ?? "").split(",").map(Number);
      expect([file, facts.variable]).toEqual([file, [variable].flat().sort()]);
      const range = facts.time === "fx" ? "fx" : `[${facts.time?.replace(" to ", " TO ")}]`;
      expect([file, range, [facts.time_frequency]]).toEqual([file, time, [time_frequency].flat()]);
      expect([file, `ENVELOPE(${west},${east},${north},${south})`]).toEqual([file, bbox]);
    }
  });

  it("reads no more of a hundred gigabytes than of a small file", async () => {
    const [{ file } = { file: "" }] = sampled();
    const path = packagePath("data", file);
    const { size } = await stat(path);
    const small = openFile(path);
    let read = 0;
    const facts = await fileFacts({
      identity: { ...small.identity, size: size + 100e9 },
      read: (target, offset) => {
        read += target.byteLength;
        return offset >= size
          ? target.byteLength
          : Math.max(small.read(target, offset), target.byteLength);
      },
      close: () => small.close(),
    });
    expect(facts.variable).toEqual(["tas"]);
    expect(read).toBeLessThan(1_000_000);
  });
});

describe("the metadata of a file", () => {
  it("are read as they were written, whatever they contain", () => {
    for (const entry of [
      { file: "/a b/ü.nc", time: "1985 to 1989", quote: 'a"b\\c' },
      { file: "x", variable: ["a", "b"], extra: { deep: 1 } },
    ]) {
      expect(readEntries(writeEntry(entry)).entries).toEqual([entry]);
    }
    expect(readPairs("a=1 a=2")).toEqual({ a: ["1", "2"] });
  });

  it("are refused with what is missing, by their number", () => {
    const { entries, wrong } = readEntries(
      [
        "# a note",
        "file=/a.nc variable=tas time=1985 time_frequency=mon",
        "file=/b.nc variable=tas time=2001/2000 modle=x",
        "{ no json",
        "nothing here",
        "file=run1/c.nc variable=tas time=1985 time_frequency=mon",
        "file=https://x.example/c.nc variable=tas time=1985 time_frequency=mon",
      ].join("\n"),
    );
    expect(entries).toHaveLength(6);
    expect(wrong.map(({ at }) => at)).toEqual([1, 1, 1, 2, 3, 4]);
    expect(wrong.at(-1)?.reason).toContain("whole path");
    expect(wrong[1]?.reason).toContain("Did you mean model");
  });
});

describe("one's own data", () => {
  it("are written with errors for each file, kept over the sign-in, registered, listed and deleted; by keyboard", async () => {
    const { page, close } = await browsing.openPage("userdata");
    const { keyboard: hands } = handsOf(page);
    const entries = page.getByLabel("Entries", { exact: true });
    await hands.write(entries, "file=/home/ada/one.nc variable=tas time=1985 time_frequency=mon x");
    await page.getByText("Entry 1: has “x”, which is not name=value").waitFor();
    await entries.fill(
      [1, 2, 3]
        .map((n) => `file=/home/ada/${n}*.nc variable=tas time="1985 to 1989" time_frequency=mon`)
        .join("\n"),
    );
    await page.getByText("3 entries are ready.").waitFor();
    await signIn(page);
    // Nothing of it is lost on the way.
    await page.getByText("3 entries are ready.").waitFor();
    await hands.write(page.getByLabel("Facets of all entries"), "project=mine model=my-model");
    await page.getByText("No entries found.").waitFor();
    await hands.press(page.getByRole("button", { name: "Register" }));
    await page.getByText("3 have been successfully added").first().waitFor();
    await page.getByRole("cell", { name: "/home/ada/1*.nc", exact: true }).waitFor();
    expect(await page.getByRole("cell", { name: "mine", exact: true }).count()).toBe(3);
    // What only the service can know, it says of the entry.
    await entries.fill("file=/home/ada/4.nc variable=tas time=1985 time_frequency=mon size=many");
    const refused = page.getByText(/^Entry 1 \(\/home\/ada\/4\.nc\): size /);
    const late = await holdRequests(page, "POST", "**/databrowser/userdata");
    await hands.press(page.getByRole("button", { name: "Register" }));
    await late.arrived;
    // Errors of a text that has changed since have the numbers of other entries.
    await entries.fill(`# a note\n${await entries.inputValue()}`);
    await late.release();
    await page.getByRole("alert").waitFor();
    expect(await refused.count()).toBe(0);
    await hands.press(page.getByRole("button", { name: "Register" }));
    await refused.waitFor();
    // One is deleted, though its name has a wildcard; then what a pattern finds.
    await hands.press(page.getByRole("button", { name: "Delete the entry of /home/ada/1*.nc" }));
    await hands.press(page.getByRole("dialog").getByRole("button", { name: "Keep" }));
    expect(await page.getByRole("cell", { name: "mine", exact: true }).count()).toBe(3);
    await hands.press(page.getByRole("button", { name: "Delete the entry of /home/ada/1*.nc" }));
    await hands.press(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await page.getByText("2 files").waitFor();
    await page.getByLabel("Filter by path").fill("*/2*");
    await page.keyboard.press("Enter");
    await page.getByText("1 file", { exact: true }).waitFor();
    expect((await addressOf(page)).href).toContain("own_file=");
    // A list on its way offers no deletion: the count would be the former pattern's.
    const answers = await holdRequests(page, "GET", "**/extended-search/user/**");
    await page.getByLabel("Filter by path").fill("");
    await page.keyboard.press("Enter");
    const remove = page.getByRole("button", { name: "Delete this entry", disabled: true });
    await remove.click({ force: true });
    await answers.release();
    await page.getByText("2 files").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByLabel("Filter by path").fill("*/2*");
    await page.keyboard.press("Enter");
    await page.getByText("1 file", { exact: true }).waitFor();
    await hands.press(page.getByRole("button", { name: "Delete this entry" }));
    await page.getByText(/1 entry is removed from the index: \*\/2\*/).waitFor();
    await hands.press(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await page.getByText("No entries found.").waitFor();
    await page.getByLabel("Filter by path").fill("");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "/home/ada/3*.nc", exact: true }).waitFor();
    await close();
  });

  it("are taken from chosen or dropped files, and corrected before they are sent", async () => {
    const { page, close } = await browsing.openPage("userdata");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.method()));
    const [first, second] = sampled();
    const paths = [first, second].map((one) => packagePath("data", one?.file ?? ""));
    const read = await Promise.all(
      paths.map(async (path) => {
        const buffer = await readFile(path);
        return { name: basename(path), mimeType: "application/x-netcdf", buffer };
      }),
    );
    await page.getByLabel("Choose files").setInputFiles([
      ...read,
      {
        name: "no.nc",
        mimeType: "application/x-netcdf",
        buffer: Buffer.from("GRIB no such file"),
      },
    ]);
    await page.getByText("2 headers were read.").first().waitFor();
    await page
      .getByText(/no\.nc: This file is a GRIB file/)
      .first()
      .waitFor();
    // A browser does not tell where a file lies, and nothing is sent before somebody has.
    await page.getByText("2 files need their folder").waitFor();
    await page.getByText(/^Entry 2 .*: needs the whole path of its file/).waitFor();
    const field = page.getByLabel("Entries", { exact: true });
    const own = "file=/own/place.nc variable=tas time=1985 time_frequency=mon";
    await field.fill(`${await field.inputValue()}${own}\n`);
    await page.getByLabel("Their folder on the service's machine").fill("/home/ada/run1/");
    expect(await page.getByText("need their folder").count()).toBe(0);
    expect(await field.inputValue()).toContain(own);
    await field.fill((await field.inputValue()).replace(`${own}\n`, ""));
    const { entries, wrong } = readEntries(
      await page.getByLabel("Entries", { exact: true }).inputValue(),
    );
    expect(wrong).toEqual([]);
    expect(entries[0]).toMatchObject({
      file: `/home/ada/run1/${basename(paths[0] ?? "")}`,
      variable: "tas",
      time_frequency: "mon",
      model: "MPI-ESM1-2-LR",
      experiment: "historical",
      time: "1985-01-01T00:00:00Z to 1989-12-31T23:59:59Z",
      bbox: "-180,180,-90,90",
    });
    // Nothing of a file leaves the computer.
    expect(asked.filter((method) => method !== "GET")).toEqual([]);
    const bytes = (await readFile(paths[0] ?? "")).toString("base64");
    const drop = async (file: string): Promise<void> => {
      const dropped = await page.evaluateHandle(
        ([text, name]) => {
          const transfer = new DataTransfer();
          const content = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
          transfer.items.add(new File([content], name));
          return transfer;
        },
        [bytes, file] as const,
      );
      await page.locator(".userdata-files").dispatchEvent("drop", { dataTransfer: dropped });
    };
    await drop("dropped.nc");
    await page.getByText("1 header was read.").first().waitFor();
    await page.getByText("3 entries are ready.").waitFor();
    await signIn(page);
    const sent = await holdRequests(page, "POST", "**/databrowser/userdata");
    await page.getByRole("button", { name: "Register" }).click();
    await sent.arrived;
    // Entries that come while others are sent are kept, and still go into their folder.
    await drop("late.nc");
    await page.getByText("4 entries are ready.").waitFor();
    await field.fill(`${own}\n${await field.inputValue()}`);
    await sent.release();
    await page.getByText("3 have been successfully added").first().waitFor();
    await page.getByLabel("Their folder on the service's machine").fill("/home/ada/run2/");
    const left = readEntries(await field.inputValue()).entries.map(({ file }) => file);
    expect(left).toEqual(["/own/place.nc", "/home/ada/run2/late.nc"]);
    const found = await service.get(
      "/databrowser/data-search/user/file?file=*/dropped.nc&variable=tas&experiment=historical",
    );
    expect((await found.text()).trim()).toBe("/home/ada/run1/dropped.nc");
    await close();
  });

  it("have no fault for axe, in light and dark, on a phone and enlarged", {
    tags: ["slow"],
  }, async () => {
    await expectAccessible(browsing, "userdata", async (page) => {
      await page.getByLabel("Entries", { exact: true }).fill("file=/a.nc");
      await page.getByRole("alert").waitFor();
      if ((page.viewportSize()?.width ?? 0) < 1000) return;
      await signIn(page);
      await page.getByRole("alert").waitFor();
    });
  });
});
