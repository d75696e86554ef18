/** The time bar of a dataset, as text. */
import { words } from "../words/results.js";
import type { Dataset } from "./datasets.js";
import { type Stretch, stretchText } from "./stretch.js";

/** Gaps and overlaps listed one by one. */
const MAX_TOLD = 4;

const textOf = (stretch: Stretch): string => stretchText(stretch, words.open, words.to);

/** The whole period first. */
export function periodTexts(dataset: Dataset): string[] {
  const { files, dated_files, start, end, periods, period_count, gaps } = dataset;
  const { overlaps, overlap_count } = dataset;
  if (dated_files === 0) return [words.noPeriod];
  const isConstant = periods.length === 1 && start === null && end === null;
  const texts = [isConstant ? words.constant : textOf({ start, end })];
  if (period_count > 1) {
    const told = gaps.slice(0, MAX_TOLD).map(textOf);
    texts.push(words.gaps(told, period_count - 1 - told.length));
  }
  if (overlap_count > 0) {
    const told = overlaps.slice(0, MAX_TOLD).map(textOf);
    texts.push(words.overlaps(told, overlap_count - told.length));
  }
  if (dated_files < files) texts.push(words.undated(files - dated_files));
  return texts;
}
