/** The periods of a dataset's files, in words. */
import { periodWords } from "../service/dates.js";
import { words } from "../words/results.js";
import type { Dataset } from "./datasets.js";
import type { Stretch } from "./time-axis.js";

/** Gaps and overlaps listed one by one. */
const MAX_LISTED = 4;

const textOf = (stretch: Stretch): string => periodWords(stretch) ?? words.open;

/** The whole period first. @param max gaps and overlaps that are listed */
export function periodTexts(dataset: Dataset, max = MAX_LISTED): string[] {
  const { files, dated_files, start, end, periods, period_count, gaps } = dataset;
  const { overlaps, overlap_count } = dataset;
  if (dated_files === 0) return [words.noPeriod];
  const isConstant = periods.length === 1 && start === null && end === null;
  const texts = [isConstant ? words.constant : textOf({ start, end })];
  if (period_count > 1) {
    const listed = gaps.slice(0, max).map(textOf);
    texts.push(words.gaps(listed, period_count - 1 - listed.length));
  }
  if (overlap_count > 0) {
    const listed = overlaps.slice(0, max).map(textOf);
    texts.push(words.overlaps(listed, overlap_count - listed.length));
  }
  if (dated_files < files) texts.push(words.undated(files - dated_files));
  return texts;
}
