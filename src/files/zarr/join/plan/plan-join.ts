/**
 * Plans the joining of files: decides for each variable where its values come from, or refuses with the names of the files
 * that do not fit. The rules are in docs/joins.md.
 */
import { groupBy } from "../../../../platform/group-by.js";
import { JoinRefused } from "../../errors.js";
import type { Recipe } from "../recipe.js";
import { type Attributed, requireOneDataset, uniteGlobal } from "./attributes.js";
import { axisTexts, fileReports, gapTexts } from "./axis-report.js";
import type { ReadFixed } from "./fixed-variables.js";
import { groupFiles } from "./group-files.js";
import { planArrays } from "./plan-arrays.js";
import { type FileRun, type JoinPlan, type KnownFile, usedFiles } from "./planned.js";

/** Notes of files about what is left out, at most. */
const MAX_NOTES = 20;

/**
 * @param files all files of the recipe, in its order
 * @param read reads a variable that all files share
 * @throws JoinRefused, TooLarge, and what `read` throws
 */
export async function planJoin(
  recipe: Recipe,
  files: readonly KnownFile[],
  read: ReadFixed,
): Promise<JoinPlan> {
  for (const { name, facts } of files) {
    if (facts.refusal !== undefined) throw new JoinRefused(`${name} ${facts.refusal}.`);
  }
  for (const own of groupBy(files, ({ place }) => place.group).values())
    requireOneDataset(globalOf(own));
  const axis = axisOf(files);
  const { groups, overlaps, notes } = await groupFiles(recipe, files, axis);
  const gaps = gapTexts(groups, axis);
  if (recipe.isStrict && gaps.length + overlaps.length > 0) {
    throw new JoinRefused(`The join is strict: ${[...gaps, ...overlaps][0]}`);
  }
  const { arrays, reports, leftOut } = await planArrays(recipe, axis, groups, read);
  const used = usedFiles(groups);
  const { attributes, dropped } = uniteGlobal(globalOf(used));
  const unread = [...new Set(used.flatMap(({ facts }) => facts.leftOut))].slice(0, MAX_NOTES);
  return {
    recipe,
    groups: groups.map((one) => ({ ...one, runs: one.runs.map(slim) })),
    arrays,
    attributes,
    leftOut,
    report: {
      axis: { name: axis, steps: groups[0]?.steps ?? 0, ...axisTexts(used[0], axis) },
      members: recipe.kind === "dataset" ? [] : groups.map(({ label }) => label),
      files: fileReports(groups, axis),
      arrays: reports,
      gaps,
      overlaps,
      notes: [
        ...notes,
        ...(dropped.length === 0
          ? []
          : [`Global attributes that differ are left out: ${dropped.join(", ")}.`]),
        ...leftOut.map(({ name, reason }) => `${name} is left out: ${reason}.`),
        ...unread,
      ],
    },
  };
}

/** The global attributes of files. */
const globalOf = (files: readonly KnownFile[]): Attributed[] =>
  files.map(({ name, facts }) => ({ file: name, attributes: facts.attributes }));

const NO_TIMES = new Float64Array();
const NOTHING = { attributes: [], held: new Map(), digests: new Map(), leftOut: [] };

/** A run without what only planning needs, as a plan is kept for long. */
function slim({ file, ...run }: FileRun): FileRun {
  const facts = { ...file.facts, ...NOTHING };
  return { ...run, file: { ...file, facts, times: NO_TIMES } };
}

function axisOf(files: readonly KnownFile[]): string {
  const [first] = files;
  const name = first?.facts.axis?.name;
  if (first === undefined || name === undefined)
    throw new JoinRefused("There are no files to join.");
  const other = files.find(({ facts }) => facts.axis?.name !== name);
  if (other !== undefined) {
    throw new JoinRefused(
      `The time axes differ: ${name} in ${first.name}, ${other.facts.axis?.name} in ${other.name}.`,
    );
  }
  return name;
}
