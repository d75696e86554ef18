/** Texts of the summary bar. */
import { byteText, counted, filesText, wholeNumber } from "../service/numbers.js";

/** Kinds of storage, for users. */
const STORAGE: Readonly<Record<string, string>> = {
  posix: "on disk",
  hsm: "on tape",
  swift: "in object stores",
  s3: "in object stores",
};

export const words = {
  label: "Summary",
  files: filesText,
  datasets: (count: number) => counted(count, "dataset", "datasets"),
  bytes: byteText,
  sized: (known: number, all: number) =>
    `the sizes of ${wholeNumber(known)} of ${wholeNumber(all)} files are known`,
  years: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  open: "open",
  storage: (kind: string) => STORAGE[kind] ?? `on ${kind}`,
  retracted: (count: number) => `${wholeNumber(count)} retracted`,
  asking: "Counting …",
  announce: (files: string, datasets: string) => `${files} in ${datasets}`,
} as const;
