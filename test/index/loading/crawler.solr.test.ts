/** Documents that a crawler posts straight to Solr's update handler, without `index`. */
import { beforeEach, describe, expect, it } from "vitest";
import { emptyIndex, type TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const service = useService();

beforeEach(() => emptyIndex(service.solr));

/** Posts documents one by one; gives the files of those that were refused. */
async function post(documents: readonly TestDocument[]): Promise<string[]> {
  const refused: string[] = [];
  for (const document of documents) {
    const update = service.solr.http.send({
      method: "POST",
      path: "files/update?commit=true",
      body: JSON.stringify([{ ...document, latest: true }]),
      headers: { "Content-Type": "application/json" },
    });
    await update.catch(() => refused.push(document.file));
  }
  return refused;
}

const listed = async (query: string): Promise<string[]> => {
  const response = await service.get(`/databrowser/data-search/native/file?${query}`);
  return (await response.text()).split("\n").slice(0, -1).sort();
};

describe("a document that a crawler posts straight to Solr", () => {
  it("is refused if its box is impossible, and stored if it is unusual", async () => {
    const impossible = [
      "ENVELOPE(0,1,NaN,0)",
      "ENVELOPE(NaN,1,5,0)",
      "ENVELOPE(0,1e400,5,0)",
      "ENVELOPE(0,1,1e400,0)",
      "ENVELOPE(0,1,-Infinity,0)",
      "ENVELOPE(0,1,0,5)",
      "ENVELOPE(0,1,95,5)",
      "ENVELOPE(0,1,5,-95)",
      "ENVELOPE(0,1e30,5,0)",
    ];
    const unusual = [
      "ENVELOPE(170,-170,90,-90)",
      "ENVELOPE(-180,360,90,-90)",
      " envelope( 0 , 1e1 , +1. , -.5 )",
      "ENVELOPE(1.0E-5,1,1e-05,-1E-05)",
      "ENVELOPE(0,0,0,0)",
      "",
    ];
    const documents = [...impossible, ...unusual].map((bbox, i) => ({
      file: `/${bbox}${i}`,
      bbox,
    }));
    const bad = documents.slice(0, impossible.length).map(({ file }) => file);
    expect(await post(documents)).toEqual(bad);
    const { text } = await service.solr.http.send({ path: "files/select?q=*:*&rows=0" });
    expect(JSON.parse(text).response.numFound).toBe(unusual.length);
  });

  it("is found at any time if its period is fx, in any case", async () => {
    const times = ["fx", "FX", " Fx ", "[* TO *]"];
    const constant = times.map((time, i) => ({ file: `/${i}`, time }));
    expect(await post([...constant, { file: "/none" }, { file: "/y", time: "2000" }])).toEqual([]);
    const all = constant.map(({ file }) => file);
    expect(await listed("time=1234")).toEqual(all);
    expect(await listed("time=1234&time_select=file")).toEqual(all);
    expect(await listed("time=to%203000&time_select=strict")).toEqual(["/y"]);
    expect(await listed("time=1900%20to%202100&time_select=strict")).toEqual(["/y"]);
    expect(await listed("time=fx")).toEqual(all);
  });
});
