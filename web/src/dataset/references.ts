/** The other descriptions of a dataset, and a line to cite it by. Pure. */

interface Reference {
  readonly kind: "citation" | "handle" | "furtherInfo";
  readonly url: string;
}

interface Known {
  /** The address to cite the data by. */
  readonly citation: string | null;
  readonly furtherInfo: string | undefined;
  readonly trackingId: string | undefined;
}

/**
 * Pages elsewhere: the citation, which names authors and DOI; the handle record of the file, which names
 * newer versions and errata; and the page that the files name themselves.
 */
export function referencesOf({ citation, furtherInfo, trackingId }: Known): Reference[] {
  const handle = /^hdl:(\d[\d.]*\/[\w.-]+)$/.exec(trackingId ?? "")?.[1];
  return [
    ...(citation === null ? [] : [{ kind: "citation" as const, url: citation }]),
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
