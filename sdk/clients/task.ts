/** What every TypeScript program is told, and what it registers. */

function told(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

export const SERVER = told("SDK_SERVER");
export const CREDENTIALS = { username: told("SDK_USERNAME"), password: told("SDK_PASSWORD") };
export const PROJECT = told("SDK_PROJECT");
export const KEPT = `${told("SDK_FILES")}/kept.nc`;
export const DELETED = `${told("SDK_FILES")}/deleted.nc`;

/** Keys that no contract knows. */
export const FREE = {
  additional_info: 'bias adjusted: "äöü"',
  modle: "no misspelling here",
  run: { seed: 7, ratio: 0.25, tags: ["a", "b"], final: true },
};

export const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
