/** The forms of a download, taken by the programs for which they are. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { IntakeCatalogue } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { jsonRequest } from "../../support/service/sign-in.js";
import { execute, put, sha256, useOddDownloads } from "./scene.js";

const { tops, data, service, stored, get } = await useOddDownloads();
const odd = "layout=flat&product_not_=same";

describe("a download", () => {
  it("has its form from format or as, beside the facet format", async () => {
    expect(await get("format=urls")).toBe(await get("as=urls"));
    expect(await get("format=urls&format=nc")).toBe(await get("as=urls"));
    expect(await get("format=urls&format=grb")).toBe("");
    expect(await get("")).toMatch(/^#!\/bin\/sh\n/);
    for (const query of ["format=sh&format=urls", "as=urls&format=sh", "as=tape", "layout=deep"]) {
      expect((await service.get(`/databrowser/download/native/file?${query}`)).status, query).toBe(
        422,
      );
    }
  });

  it("has the same files as a cart", async () => {
    for (const as of ["sh", "aria2", "metalink", "urls", "sha256sum", "globus"]) {
      const response = await service.get(
        "/databrowser/cart/native/file",
        jsonRequest("POST", {
          format: as,
          layout: "flat",
          searches: [{ parameters: { project: "cmip6" } }],
        }),
      );
      expect(await response.text(), as).toBe(await get(`as=${as}&layout=flat`));
      expect(response.headers.get("content-disposition")).toMatch(
        /^attachment; filename="[\w.-]+"$/,
      );
    }
  });

  it("gives two files of one name two paths, also if names differ by case alone", async () => {
    const outs = (await get("as=aria2&layout=flat")).match(/(?<= {2}out=).*plain\.nc/gi);
    const [first, second, third] = outs ?? [];
    expect(outs).toHaveLength(3);
    expect([first, second, third].filter((out) => /^plain\.nc$/i.test(out ?? ""))).toHaveLength(1);
    const ids = [
      join(data, "plain.nc"),
      join(data, "x", "plain.nc"),
      join(data, "x", "PLAIN.nc"),
    ].map(datasetId);
    const folders = (outs ?? []).filter((out) => out.includes("/")).map((out) => out.split("/")[0]);
    expect(folders.every((folder) => ids.includes(folder ?? ""))).toBe(true);
  });

  it("gives addresses of the files", async () => {
    const urls = (await get(`as=urls&${odd}`)).trimEnd().split("\n");
    const contents = await Promise.all(
      urls.map(async (url) => sha256(Buffer.from(await (await fetch(url)).arrayBuffer()))),
    );
    expect(contents.sort()).toEqual(stored.map(({ content }) => sha256(content)).sort());
  });
});

describe("sha256sum", () => {
  it("checks the files by the sums, whatever their names", async () => {
    const to = await mkdtemp(join(tops, "sums-"));
    for (const { file, content } of stored)
      await put(join(to, file.slice(data.length + 1)), content);
    await writeFile(join(tops, "sums"), await get(`as=sha256sum&${odd}`));
    const { stdout } = await execute("sha256sum", ["-c", "--strict", join(tops, "sums")], {
      cwd: to,
    });
    expect(stdout.match(/: OK$/gm)).toHaveLength(stored.length);
  });

  it("learns how many files have none", async () => {
    expect(await get("as=sha256sum&product=same")).toMatch(
      /^\w{64} .*\n# files without SHA-256.*: 1\n$/,
    );
  });
});

describe("globus", () => {
  it("gets pairs of paths in quotes that a shell understands", async () => {
    const batch = await get(`as=globus&${odd}`);
    expect(batch).not.toMatch(/[\v\f\u0085\u2028]/);
    const lines = batch.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const { stdout } = await execute("sh", [
      "-c",
      `while IFS= read -r line; do eval "set -- $line"; printf '%s\\0%s\\0' "$1" "$2"; done <<'END'\n${lines.join("\n")}\nEND\n`,
    ]);
    const paths = stdout.split("\0").slice(0, -1);
    const sources = paths.filter((_, index) => index % 2 === 0);
    const targets = paths.filter((_, index) => index % 2 === 1);
    expect(sources.sort()).toEqual(
      stored
        .map(({ file }) => file)
        .filter((file) => !/[\n\r\v]/.test(file))
        .sort(),
    );
    // The Globus CLI takes a path with a dash in front for an option.
    expect(targets.filter((one) => one.startsWith("-"))).toEqual([]);
    expect(targets.map((one) => join(data, one)).sort()).toEqual(sources);
    expect(batch).toMatch(/# files with a line break in their name: 3\n$/);
  });
});

describe("an empty download", () => {
  it("is empty, and not an error", async () => {
    for (const form of ["aria2", "urls", "sha256sum", "globus"]) {
      expect(await get(`as=${form}&project=none`)).toBe("");
    }
    expect(await get("as=metalink&project=none")).toMatch(/<metalink .*>\n<\/metalink>\n$/);
    expect(await get("as=sh&project=none")).toContain(
      "FILES=0 BYTES=0 UNSIZED=0 STORES=0 ELSEWHERE=0\n",
    );
    expect(await get("as=sh")).toContain(`SERVICE='${service.address}${PREFIX}'`);
  });
});

describe("location=https", () => {
  const urls = async () => (await get(`as=urls&${odd}`)).trimEnd().split("\n").sort();

  it("gives catalogues the addresses of files", async () => {
    const query = "product_not_=same&location=https";
    for (const path of ["intake-catalogue/native/file"]) {
      const response = await service.get(`/databrowser/${path}?${query}`);
      const { catalog_dict } = IntakeCatalogue.parse(await response.json());
      expect(catalog_dict.map(({ file }) => String(file)).sort()).toEqual(await urls());
      expect(catalog_dict.every(({ data_format }) => data_format === "netcdf")).toBe(true);
    }
    expect((await service.get("/databrowser/stac-catalogue/native/file?location=ftp")).status).toBe(
      422,
    );
  });

  it("gives STAC items assets with these addresses", async () => {
    const response = await service.get(
      "/databrowser/stac-catalogue/native/file?product_not_=same&location=https",
    );
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const items = Object.entries(files).filter(([name]) => name.includes("/items/"));
    const hrefs = items.map(([, bytes]) => JSON.parse(strFromU8(bytes)).assets.data.href);
    expect(hrefs.sort()).toEqual(await urls());
  });
});
