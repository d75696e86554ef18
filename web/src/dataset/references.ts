/** The other descriptions of a dataset, and a line to cite it by. Pure. */

export interface Reference {
  readonly kind: "citation" | "handle" | "furtherInfo";
  readonly url: string;
}

interface Known {
  readonly name: string;
  readonly furtherInfo: string | undefined;
  readonly trackingId: string | undefined;
}

/** The parts of a CMIP6 name that its citation stands for: up to the experiment (WIP paper on data citation). */
const CITED_PARTS = 5;

/**
 * Pages elsewhere: the citation of CMIP6 data, which names authors and DOI; the handle record of the file, which names
 * newer versions and errata; and the page that the files name themselves.
 */
export function referencesOf({ name, furtherInfo, trackingId }: Known): Reference[] {
  const parts = name.split(".");
  const cited = parts.slice(0, CITED_PARTS).join(".");
  const handle = /^hdl:(\d[\d.]*\/[\w.-]+)$/.exec(trackingId ?? "")?.[1];
  return [
    ...(parts[0]?.toUpperCase() === "CMIP6" && parts.length > CITED_PARTS
      ? [
          {
            kind: "citation" as const,
            url: `https://www.wdc-climate.de/ui/cmip6?input=${encodeURIComponent(cited)}`,
          },
        ]
      : []),
    ...(handle === undefined
      ? []
      : [{ kind: "handle" as const, url: `https://hdl.handle.net/${handle}` }]),
    ...(furtherInfo === undefined ? [] : [{ kind: "furtherInfo" as const, url: furtherInfo }]),
  ];
}

/**
 * A line that identifies the data exactly, such as "MPI-M: CMIP6.….gn, version v20190710. Accessed 2026-01-31 at …".
 *
 * @param address of the dataset's page @param day ISO date of the access
 */
export function citationLine(
  { name, institute, version }: { name: string; institute: string; version: string },
  address: string,
  day: string,
): string {
  const by = institute === "" ? "" : `${institute}: `;
  const of = version === "" ? "" : `, version ${version}`;
  return `${by}${name}${of}. Accessed ${day} at ${address}`;
}
